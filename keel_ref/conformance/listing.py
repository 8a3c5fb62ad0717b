"""The registries as rows, and the files of the specification for people who will not use our runner."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from attrs import asdict, frozen

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.registry import load_registries
from keel_ref.conformance.suite import Suite
from keel_ref.resources import spec_folder


@frozen(kw_only=True)
class Row:
    """One entry of a list."""

    cells: tuple[str, str, str]
    """Name, what kind it is of, and what it is about."""
    data: Mapping[str, Any]
    """The same for a program."""


_FILES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tests": ("vectors/**/*.json", "corpus/*.ndjson", "schema/*.json", "protocol.md"),
        "clauses": ("*.md",),
        "capabilities": ("capabilities.json",),
        "choices": ("choices.json",),
        "errors": ("errors.json",),
        "functions": ("functions.json", "protocol.md"),
    }
)
"""What `--export` copies for each kind, below `spec/`."""


def list_rows(kind: str, suite: Suite) -> tuple[Row, ...]:
    """The entries of a kind: tests and clauses by id, the others in the order of their registry."""
    return tuple(_LISTERS[kind](suite))


def export_files(kind: str, folder: Path) -> tuple[Path, ...]:
    """Copy the files of a kind, with their folders. Raises `UsageError` where the folder holds something already."""
    spec = spec_folder()
    found = sorted({path for pattern in _FILES[kind] for path in spec.glob(pattern) if path.is_file()})
    copies: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"--export {folder}: it is not empty, and nothing is overwritten; name another folder")
        for path in found:
            copy = folder / path.relative_to(spec)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copies.append(copy)
    except OSError as error:
        raise UsageError(f"--export {folder}: cannot be written to ({error.strerror})") from error
    return tuple(copies)


def _tests(suite: Suite) -> Iterator[Row]:
    for vector in suite.vectors:
        level = suite.level_of(vector)
        data = {
            "id": vector.id,
            "area": vector.area,
            "level": level.value,
            "clauses": list(vector.clauses),
            "needs": list(vector.needs),
            "why": vector.why,
            "path": vector.path,
            "digest": vector.digest,
        }
        yield Row(cells=(vector.id, level.value, f"{' '.join(vector.clauses)}: {vector.why}"), data=data)


def _clauses(suite: Suite) -> Iterator[Row]:
    for clause in suite.clauses.values():
        data = {
            "id": clause.id,
            "level": clause.level.value,
            "area": clause.area,
            "title": clause.title,
            "capability": list(clause.capability),
            "choice": list(clause.choice),
            "text": clause.text,
            "anchor": clause.anchor,
        }
        yield Row(cells=(clause.id, clause.level.value, clause.title), data=data)


def _capabilities(_: Suite) -> Iterator[Row]:
    for entry in load_registries().capabilities.values():
        kind = "reserved" if entry.is_reserved else "core" if entry.is_core else ""
        yield Row(cells=(entry.name, kind, entry.about), data=asdict(entry))


def _choices(_: Suite) -> Iterator[Row]:
    known = load_registries()
    for choice in known.choices.values():
        data = {
            "name": choice.name,
            "kind": "choice",
            "values": list(choice.values),
            "default": choice.default,
            "meaning": dict(choice.meaning),
            "clauses": list(choice.clauses),
            "reason": choice.reason,
        }
        default, *others = (f"{value} ({choice.meaning[value]})" for value in choice.values)
        yield Row(cells=(choice.name, "choice", f"{default}; or {'; or '.join(others)}"), data=data)
    for gate in known.gates.values():
        yield Row(cells=(gate.name, "gate", gate.about), data={"kind": "gate", **asdict(gate)})


def _errors(_: Suite) -> Iterator[Row]:
    known = load_registries()
    for error in known.errors.values():
        yield Row(cells=(error.name, "error", error.meaning), data={"kind": "error", **asdict(error)})
    for kind, entries in known.closed_lists():
        for entry in entries.values():
            words = f"{entry.meaning} ({entry.clause}{'' if entry.is_demanded else ', advice'})"
            yield Row(cells=(entry.name, kind, words), data={"kind": kind, **asdict(entry)})


def _functions(_: Suite) -> Iterator[Row]:
    for function in load_registries().functions.values():
        names = ", ".join(argument["name"] for argument in function.arguments)
        data = {
            "name": function.name,
            "capability": function.capability,
            "arguments": [dict(argument) for argument in function.arguments],
            "result": dict(function.result),
            "errors": list(function.errors),
            "clauses": list(function.clauses),
        }
        yield Row(cells=(function.name, function.capability, f"({names}) -> {', '.join(function.result)}"), data=data)


_LISTERS: Final[Mapping[str, Callable[[Suite], Iterator[Row]]]] = MappingProxyType(
    {
        "tests": _tests,
        "clauses": _clauses,
        "capabilities": _capabilities,
        "choices": _choices,
        "errors": _errors,
        "functions": _functions,
    }
)
