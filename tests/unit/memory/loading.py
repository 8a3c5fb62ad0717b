"""A load of a few files in memory, and what tests ask of it."""

from keel_ref.adapters.in_memory import InMemoryTree, Node
from keel_ref.choices import Choices
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory import MemoryLoad, MemoryRequest, load_memory

ASKED = MemoryRequest(cwd="/r", home="/h", managed_dir="/m")
Files = dict[str, str | bytes | Node]


def load(files: Files, asked: MemoryRequest = ASKED, *, numbers: Constants = DEFAULT, **choices: str) -> MemoryLoad:
    """The load of a tree; choices are given without their prefix."""
    tree = InMemoryTree.of({"/r/unused": "", **files})
    chosen = Choices.of({f"memory.{name}": value for name, value in choices.items()})
    return load_memory(tree, asked, choices=chosen, constants=numbers)


def paths(found: MemoryLoad) -> list[str]:
    """The paths of the records, in order."""
    return [file.path for file in found.files]


def reasons(found: MemoryLoad) -> dict[str, str]:
    """The reason of each row."""
    return {row.path: row.reason for row in found.skipped}
