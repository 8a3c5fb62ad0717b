"""The registries of the specification as values: what may be chosen, claimed, called, refused and left out.

Each is a JSON file that anybody can read without us; here they are read strictly, once, and every entry keeps the
clauses that it belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from attrs import frozen

from keel_ref.conformance.exits import SuiteError
from keel_ref.conformance.faults import SpecFault
from keel_ref.resources import spec_folder


@frozen(kw_only=True)
class ChoiceEntry:
    """A point on which implementations may differ; one value is declared, and then held to."""

    name: str
    values: tuple[str, ...]
    """What may be declared, the default first."""
    meaning: Mapping[str, str]
    """Each value in words."""
    clauses: tuple[str, ...]
    """The clauses that it changes."""
    reason: str
    """Why the default is the default."""

    @property
    def default(self) -> str:
        """What holds for an implementation that declares nothing."""
        return self.values[0]


@frozen(kw_only=True)
class GateEntry:
    """A layer that can be off as a whole: an input of a test, never declared."""

    name: str
    documented: bool
    """Whether it is open in the preset `documented`, which is the default."""
    released: bool
    """Whether it is open in the preset `released`."""
    clauses: tuple[str, ...]
    """The clauses that it switches."""
    about: str
    """The layer in words."""


@frozen(kw_only=True)
class CapabilityEntry:
    """A part of the specification that an implementation claims or leaves."""

    name: str
    is_core: bool
    """No profile can do without it."""
    is_reserved: bool
    """Registered for later; nobody can claim it yet."""
    needs: tuple[str, ...]
    """What must be claimed with it."""
    clauses: tuple[str, ...]
    """What an implementation that claims it is held to."""
    about: str
    """The part in words."""


@frozen(kw_only=True)
class ErrorEntry:
    """A kind of error that a call may end in."""

    name: str
    meaning: str
    """When it is given."""


@frozen(kw_only=True)
class ReasonEntry:
    """A reason for which a candidate does not load or a row is not taken as it stands, or a kind of warning."""

    name: str
    meaning: str
    """What it says of a file."""
    clause: str
    """The clause that it comes from."""
    is_demanded: bool = True
    """Whether the clause asks for it; advice need not be given."""


@frozen(kw_only=True)
class FunctionEntry:
    """A pure function of the call tier."""

    name: str
    capability: str
    """What an implementation claims that has it."""
    arguments: tuple[Mapping[str, str], ...]
    """Each with name, type, default and what it is about."""
    result: Mapping[str, str]
    """Each field of the result in words."""
    errors: tuple[str, ...]
    """Kinds of errors it may give."""
    clauses: tuple[str, ...]
    """The clauses that calling it can show."""


@frozen(kw_only=True)
class FactEntry:
    """A fact of the fact base, and what became of it."""

    id: str
    clauses: tuple[str, ...]
    """The clauses that state it; none where it is not modelled."""
    not_modelled: str
    """Why no clause states it; empty where one does."""


@frozen(kw_only=True)
class Registries:
    """All registries of one specification folder, each by name in the order of its file."""

    choices: Mapping[str, ChoiceEntry]
    gates: Mapping[str, GateEntry]
    capabilities: Mapping[str, CapabilityEntry]
    errors: Mapping[str, ErrorEntry]
    reasons: Mapping[str, ReasonEntry]
    warnings: Mapping[str, ReasonEntry]
    reported: Mapping[str, ReasonEntry]
    decisions: Mapping[str, ReasonEntry]
    values: Mapping[str, ReasonEntry]
    continuations: Mapping[str, ReasonEntry]
    transcript: Mapping[str, ReasonEntry]
    functions: Mapping[str, FunctionEntry]
    facts: Mapping[str, FactEntry]

    def closed_lists(self) -> tuple[tuple[str, Mapping[str, ReasonEntry]], ...]:
        """What one entry of each closed list of words is called, and the list."""
        return (
            ("reason", self.reasons),
            ("warning", self.warnings),
            ("report", self.reported),
            ("decision", self.decisions),
            ("value", self.values),
            ("continuation", self.continuations),
            ("problem", self.transcript),
        )


def read_registry(spec: Path, name: str, key: str) -> list[Mapping[str, Any]]:
    """The entries of one of the JSON registries of `spec/`."""
    try:
        entries = json.loads((spec / name).read_bytes())[key]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SuiteError(f"{name}: no list {key!r} can be read ({error})") from error
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise SuiteError(f"{name}: {key!r} is a list of objects")
    return entries


@cache
def load_registries(folder: Path | None = None) -> Registries:
    """The registries of a specification folder; without one, of the folder that this installation carries."""
    spec = folder or spec_folder()
    return Registries(
        choices=_load(spec, "choices.json", "choices", _choice),
        gates=_load(spec, "choices.json", "gates", _gate),
        capabilities=load_capabilities(spec),
        errors=_load(spec, "errors.json", "errors", _error),
        reasons=_load(spec, "errors.json", "reasons", _reason),
        warnings=_load(spec, "errors.json", "warnings", _warning),
        reported=_load(spec, "errors.json", "reported", _reason),
        decisions=_load(spec, "errors.json", "decisions", _reason),
        values=_load(spec, "errors.json", "values", _reason),
        continuations=_load(spec, "errors.json", "continuations", _reason),
        transcript=_load(spec, "errors.json", "transcript", _reason),
        functions=_load(spec, "functions.json", "functions", _function),
        facts=_load_facts(spec),
    )


def load_capabilities(spec: Path) -> Mapping[str, CapabilityEntry]:
    """The capabilities of a specification folder."""
    return _load(spec, "capabilities.json", "capabilities", _capability)


class _IllFormed(Exception):
    """An entry is ill-formed; the message says how."""


Entry = TypeVar("Entry", ChoiceEntry, GateEntry, CapabilityEntry, ErrorEntry, ReasonEntry, FunctionEntry)


def _load(spec: Path, file: str, key: str, parse: Callable[[Mapping[str, Any]], Entry]) -> Mapping[str, Entry]:
    """The entries of one list by name. Raises `SpecFault` for one that is ill-formed, or stands twice."""
    found: dict[str, Entry] = {}
    for place, source in enumerate(read_registry(spec, file, key)):
        try:
            entry = parse(source)
        except _IllFormed as problem:
            raise SpecFault(path=file, line=0, problem=f"{key}[{place}]: {problem}") from problem
        if entry.name in found:
            raise SpecFault(path=file, line=0, problem=f"{key}[{place}]: {entry.name} stands twice")
        found[entry.name] = entry
    return MappingProxyType(found)


def _text(source: Mapping[str, Any], key: str) -> str:
    value = source.get(key)
    if not isinstance(value, str) or not value:
        raise _IllFormed(f"{key!r} must be a text")
    return value


def _flag(source: Mapping[str, Any], key: str, *, default: bool | None = None) -> bool:
    value = source.get(key, default)
    if not isinstance(value, bool):
        raise _IllFormed(f"{key!r} must be true or false")
    return value


def _texts(source: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = source.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _IllFormed(f"{key!r} must be a list of texts")
    return tuple(value)


def _words(source: object, key: str) -> Mapping[str, str]:
    value = source.get(key) if isinstance(source, Mapping) else None
    if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
        raise _IllFormed(f"{key!r} must be an object of texts")
    return MappingProxyType(dict(value))


def _choice(source: Mapping[str, Any]) -> ChoiceEntry:
    entry = ChoiceEntry(
        name=_text(source, "name"),
        values=_texts(source, "values"),
        meaning=_words(source, "meaning"),
        clauses=_texts(source, "clauses"),
        reason=_text(source, "reason"),
    )
    if entry.default != source.get("default"):
        raise _IllFormed(f"the default of {entry.name} must be the first of its values")
    if tuple(entry.meaning) != entry.values:
        raise _IllFormed(f"every value of {entry.name} needs its meaning, in the same order")
    return entry


def _gate(source: Mapping[str, Any]) -> GateEntry:
    return GateEntry(
        name=_text(source, "name"),
        documented=_flag(source, "documented"),
        released=_flag(source, "released"),
        clauses=_texts(source, "clauses"),
        about=_text(source, "about"),
    )


def _capability(source: Mapping[str, Any]) -> CapabilityEntry:
    return CapabilityEntry(
        name=_text(source, "name"),
        is_core=_flag(source, "core", default=False),
        is_reserved=_flag(source, "reserved", default=False),
        needs=_texts(source, "needs"),
        clauses=_texts(source, "clauses"),
        about=_text(source, "about"),
    )


def _error(source: Mapping[str, Any]) -> ErrorEntry:
    return ErrorEntry(name=_text(source, "kind"), meaning=_text(source, "meaning"))


def _reason(source: Mapping[str, Any]) -> ReasonEntry:
    return ReasonEntry(name=_text(source, "reason"), meaning=_text(source, "meaning"), clause=_text(source, "clause"))


def _warning(source: Mapping[str, Any]) -> ReasonEntry:
    return ReasonEntry(
        name=_text(source, "kind"),
        meaning=_text(source, "meaning"),
        clause=_text(source, "clause"),
        is_demanded=_flag(source, "demanded"),
    )


def _function(source: Mapping[str, Any]) -> FunctionEntry:
    arguments = source.get("arguments")
    if not isinstance(arguments, list):
        raise _IllFormed("'arguments' must be a list")
    return FunctionEntry(
        name=_text(source, "name"),
        capability=_text(source, "capability"),
        arguments=tuple(_words({"argument": argument}, "argument") for argument in arguments),
        result=_words(source, "result"),
        errors=_texts(source, "errors"),
        clauses=_texts(source, "clauses"),
    )


def _load_facts(spec: Path) -> Mapping[str, FactEntry]:
    """The rows of `coverage.json`: each a list of clauses, or the reason why there is none."""
    found: dict[str, FactEntry] = {}
    try:
        rows = dict(json.loads((spec / "coverage.json").read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        problem = f"no object can be read ({error})"
        raise SpecFault(path="coverage.json", line=0, problem=problem) from error
    for name, row in rows.items():
        reason = row.get("not_modelled", "") if isinstance(row, Mapping) else ""
        clauses = tuple(row) if isinstance(row, list) and all(isinstance(item, str) for item in row) else ()
        if not isinstance(reason, str) or bool(reason) == bool(clauses):
            problem = f'{name}: a list of clauses, or {{"not_modelled": why}}'
            raise SpecFault(path="coverage.json", line=0, problem=problem)
        found[name] = FactEntry(id=name, clauses=clauses, not_modelled=reason)
    return MappingProxyType(found)
