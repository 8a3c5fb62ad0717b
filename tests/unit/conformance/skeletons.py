"""The Python skeleton as it is written for people, whole or with one fault put in."""

import sys
from pathlib import Path

from keel_ref.conformance.adapter_kit import write_skeleton


def skeleton(folder: Path, *changes: tuple[str, str]) -> tuple[str, ...]:
    """The command of a skeleton in which each text is replaced by another; the text must be there."""
    write_skeleton("python", folder)
    path = folder / "adapter.py"
    source = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source, f"the skeleton no longer holds {old!r}"
        source = source.replace(old, new)
    path.write_text(source, encoding="utf-8")
    return (sys.executable, "-I", "-S", str(path))
