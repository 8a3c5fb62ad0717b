"""What a test's expectation means for another input, once the reference has said what is right for that.

Only the keys that the expectation names are carried over: whoever shows none of the others is not asked for them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from keel_ref.conformance.compare import Mode
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.wire import ErrorAnswer, Ok, Outcome


def derive_expect(
    expect: Mapping[str, Any], right: Ok | ErrorAnswer, choices: Mapping[str, str]
) -> Mapping[str, Any] | None:
    """What a test's expectation means for another input, of which the reference's answer is known.

    Values are taken from that answer, in the keys that the expectation names. None where it cannot be said.
    """
    if "one_of" in expect:
        return None
    derived: dict[str, Any] = {}
    for name, value in expect.items():
        if name == "choice":
            case = expect["cases"].get(choices.get(value, ""))
            inner = derive_expect(case, right, choices) if case is not None else None
            if inner is None:
                return None
            derived |= inner
        elif name in (Mode.SUBSET.value, Mode.UNORDERED.value, "eq"):
            if isinstance(right, ErrorAnswer):
                return None
            derived[name] = right.value if name == "eq" else _project(value, right.value)
        elif name != "cases":
            derived[name] = value
    is_right = find_mismatch(parse_expectation(derived), right) is None if _says_something(derived) else False
    return derived if is_right else None


def _says_something(derived: Mapping[str, Any]) -> bool:
    return bool(derived) and {} not in (derived.get("subset"), derived.get("unordered"))


def _project(named: object, right: object) -> object:
    """The parts of an answer that an expected value names; of a list, the keys that any of its items names."""
    if isinstance(named, Mapping) and isinstance(right, Mapping):
        return {key: _project(value, right[key]) for key, value in named.items() if key in right}
    if isinstance(named, list) and isinstance(right, list) and named:
        merged = named[0]
        for item in named[1:]:
            merged = _merge(merged, item)
        return [_project(merged, item) for item in right]
    return right


def _merge(one: object, other: object) -> object:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {**other, **{key: _merge(value, other[key]) if key in other else value for key, value in one.items()}}
    return one


def named_keys(expect: Mapping[str, Any], choices: Mapping[str, str]) -> frozenset[str] | None:
    """The keys of a result that an expectation is about; none where it is about all of them."""
    found: set[str] = set()
    for name, value in expect.items():
        if name == "choice":
            inner = named_keys(expect["cases"].get(choices.get(value, ""), {}), choices)
        elif name in ("eq", "one_of", "error"):
            inner = None
        else:
            inner = frozenset(value if isinstance(value, Mapping) and name != "cases" else ())
        if inner is None:
            return None
        found |= inner
    return frozenset(found)


def names_of(outcome: Outcome, keys: frozenset[str] | None = None) -> frozenset[str]:
    """The paths that an answer lists under some keys of it, each with the list it stands in."""
    if not isinstance(outcome, Ok):
        return frozenset()
    chosen = {key: value for key, value in outcome.value.items() if keys is None or key in keys}
    return frozenset(_walk_names(chosen, ""))


def _walk_names(value: object, place: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        if "p" in value:
            yield f"{place} {json.dumps(value['p'])}"
        for key, inner in value.items():
            yield from _walk_names(inner, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _walk_names(inner, place)
