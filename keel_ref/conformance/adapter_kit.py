"""A first adapter to start from: small, without dependencies, claiming only what it does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from types import MappingProxyType

from attrs import frozen

from keel_ref.conformance.exits import UsageError

_FOLDER = Path(__file__).resolve().parent / "skeletons"
"""The files as they are written, each with `.txt` behind its name so that no tool takes it for code of ours."""


@frozen(kw_only=True)
class Skeleton:
    """What is written for one language."""

    language: str
    """As `--lang` names it."""
    file: str
    """The adapter itself."""
    command: str
    """What starts it, in the folder it lies in."""
    needs: str
    """What must be installed to run it."""


SKELETONS: Mapping[str, Skeleton] = MappingProxyType(
    {
        "python": Skeleton(
            language="python", file="adapter.py", command="python3 adapter.py", needs="Python 3.9 or later"
        ),
        "node": Skeleton(language="node", file="adapter.mjs", command="node adapter.mjs", needs="Node 18 or later"),
    }
)
"""The languages for which there is a skeleton."""


def write_skeleton(language: str, folder: Path) -> tuple[Path, ...]:
    """Write adapter and README into the folder, which is made if it is missing; gives the paths written.

    Nothing is overwritten. Raises `UsageError` for a language without a skeleton, and where a file is in the way.
    """
    skeleton = SKELETONS.get(language)
    if skeleton is None:
        there = " and ".join(SKELETONS)
        raise UsageError(
            f"--lang {language}: there is no skeleton for it yet, only for {there}; "
            "any language that reads lines can join: spec/protocol.md shows the messages"
        )
    source = _FOLDER / skeleton.language / f"{skeleton.file}.txt"
    readme = Template((_FOLDER / "README.md.txt").read_text(encoding="utf-8"))
    words = {"file": skeleton.file, "command": skeleton.command, "needs": skeleton.needs}
    contents = {
        folder / skeleton.file: source.read_text(encoding="utf-8"),
        folder / "README.md": readme.substitute(words),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in contents:
            if path.exists() or path.is_symlink():
                raise UsageError(f"{path} is there already; name another folder, or move the file away")
        for path, text in contents.items():
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to ({error.strerror})") from error
    return tuple(contents)
