"""Who may import whom in keel_ref, and that rules touch nothing of the world."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "keel_ref"

GROUND = frozenset({"units", "text", "errors", "paths"})
"""What is true of numbers, texts and paths, whatever the rules."""
WORDS = frozenset({"constants", "choices", "trace", "ports"})
"""What all rules are worded in."""
BASE = GROUND | WORDS
AREAS = frozenset({"messages", "tokens", "window", "compaction", "transcript", "memory", "context"})
RULES = AREAS | {"recording", "session", "audit"}
"""The areas, and what holds recorded sessions against all of them, tells their course or judges it; no area itself."""
EDGES = frozenset({"adapters", "strategies", "fast", "resources"})
"""What touches the world, generates it or is bound to another language."""

MAY_IMPORT: dict[str, frozenset[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    **dict.fromkeys(WORDS, BASE),
    "messages": BASE,
    "tokens": BASE | {"messages"},
    "window": BASE | {"messages", "tokens"},
    "compaction": BASE | {"messages", "tokens", "window"},
    "transcript": BASE | {"messages", "tokens", "window", "compaction"},
    # memory knows no messages. It uses the documented rule for one text of `tokens`, since the load plan says what each
    # file costs; a second copy of that rule could drift from the first.
    "memory": BASE | {"tokens"},
    "context": BASE | {"messages", "tokens", "window", "memory"},
    "recording": BASE | AREAS,
    "session": BASE | AREAS,
    "audit": BASE | AREAS,
    **dict.fromkeys(EDGES, BASE | RULES | EDGES),
    "fast": BASE | AREAS | {"_native"},
    "conformance": BASE | RULES | EDGES,
    "pages": BASE | {"resources"},  # a page knows a report, and nothing of how it came about
    "cli": BASE | RULES | EDGES | {"conformance", "pages"},
    "__main__": frozenset({"cli"}),
    "__init__": BASE | AREAS | {"adapters", "fast"},
}
"""The modules and packages directly below keel_ref, each with what it may import besides itself."""

WORLD = frozenset(
    {
        "anthropic",
        "asyncio",
        "datetime",
        "hypothesis",
        "io",
        "locale",
        "os",
        "pathlib",
        "platform",
        "random",
        "secrets",
        "shutil",
        "signal",
        "socket",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "tokenizers",
        "uuid",
    }
)
"""Libraries by which a rule would touch the world, or get another result from the same input."""
WORLD_CALLS = frozenset({"open", "print", "input", "exec", "eval"})


def find_breaches(layer: str, source: str) -> list[str]:
    """What a source text of one layer imports or calls and must not."""
    tree = ast.parse(source)
    allowed = MAY_IMPORT[layer] | {layer}
    is_rule = layer in BASE | RULES
    breaches = []
    for name in imported_names(tree):
        package, _, inside = name.partition(".")
        ours_but_not_below = package == "keel_ref" and inside.partition(".")[0] not in allowed
        if ours_but_not_below or (is_rule and package in WORLD):
            breaches.append(f"{layer} imports {name}")
    if is_rule:
        breaches += [f"{layer} calls {name}" for name in called_names(tree) if name in WORLD_CALLS]
    return breaches


def imported_names(tree: ast.AST) -> Iterator[str]:
    """The full name of each module imported, wherever in the source the import stands.

    `from keel_ref import X` stands for the module `keel_ref.X`; a name that the root package merely re-exports is then
    no module of the table, and so a breach: the root imports everything.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(level=0, module="keel_ref", names=names):
                yield from (f"keel_ref.{alias.name}" for alias in names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module
            case ast.ImportFrom(module=module):
                yield f"keel_ref.<relative import of {module}>"
            case _:
                continue


def called_names(tree: ast.AST) -> Iterator[str]:
    """The bare name of each function called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def layer_of(path: Path) -> str:
    """The module or package directly below keel_ref that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_import_points_towards_the_ground() -> None:
    """Areas import what lies below them, adapters import areas, the suite imports both, and the command line all."""
    breaches = [
        f"{path.relative_to(PACKAGE)}: {breach}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for breach in find_breaches(layer_of(path), path.read_text(encoding="utf-8"))
    ]

    assert [] == breaches


def test_the_table_has_no_circle() -> None:
    """Between the areas, and from them outwards, no two may import one another."""
    ordered = RULES | {"conformance", "cli", "__main__", "__init__"}
    circles = [(one, other) for one in ordered for other in MAY_IMPORT[one] & ordered if reaches(other, one)]

    assert [] == circles


def reaches(start: str, goal: str) -> bool:
    """Whether the goal may be imported from the start over any number of modules."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        layer = waiting.pop()
        if layer not in seen:
            seen.add(layer)
            waiting += MAY_IMPORT.get(layer, frozenset()) - BASE
    return goal in seen


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("text", "from keel_ref.constants import DEFAULT"),
        ("constants", "from keel_ref.memory import load"),
        ("messages", "import keel_ref.tokens.documented"),
        ("tokens", "from keel_ref import window"),
        ("memory", "from keel_ref.messages.blocks import Block"),
        ("memory", "from keel_ref.adapters.disk import Disk"),
        ("memory", "from keel_ref import load_memory"),
        ("memory", "from . import walk"),
        ("memory", "import keel_ref"),
        ("memory", "def walk():\n    import os"),
        ("memory", "import os.path as paths"),
        ("memory", "from pathlib import Path"),
        ("memory", "text = open('CLAUDE.md').read()"),
        ("window", "from time import monotonic"),
        ("window", "from keel_ref._native import size_utf8"),
        ("compaction", "from hypothesis import strategies"),
        ("context", "if TYPE_CHECKING:\n    from keel_ref.transcript import Row"),
        ("audit", "from keel_ref.adapters.disk import Disk"),
        ("transcript", "from keel_ref.audit.report import audit"),
        ("adapters", "from keel_ref.conformance import runner"),
        ("strategies", "from keel_ref._native import size_utf8"),
        ("conformance", "from keel_ref.cli import main"),
        ("__init__", "from keel_ref.strategies.text import any_text"),
    ],
)
def test_a_wrong_import_is_caught(layer: str, source: str) -> None:
    """The checker sees an import upwards, sidewards, into the world, or in the middle of a function."""

    assert 1 == len(find_breaches(layer, source))


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("memory", "import posixpath\nfrom keel_ref.tokens import documented\nfrom keel_ref.memory.walk import walk"),
        ("memory", "from keel_ref import text, units"),
        ("transcript", "from keel_ref.compaction.boundary import Boundary"),
        ("adapters", "import os\nfrom pathlib import Path\nfrom keel_ref.ports import Tree\nprint('x')"),
        ("fast", "from keel_ref._native import size_utf8\nfrom keel_ref.text import TextSizes"),
        ("cli", "import sys\nfrom keel_ref.conformance.runner import run"),
    ],
)
def test_a_right_import_passes(layer: str, source: str) -> None:
    """The checker has nothing against what the layers allow."""

    assert [] == find_breaches(layer, source)
