"""What a vector expects of an outcome: matchers, read strictly and applied strictly. Spec: schema/vectors.json.

An expectation holds one or more matchers, all of which must hold. One that asserts nothing is refused, because a test
that cannot fail is worse than none.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, assert_never

from attrs import evolve, field, frozen

from keel_ref.conformance.compare import (
    NOTHING,
    Difference,
    Mode,
    cut_text,
    find_place,
    first_difference,
    join_path,
    keep_value,
    show_place,
    show_value,
)
from keel_ref.conformance.exits import SuiteError
from keel_ref.conformance.wire import Declined, ErrorAnswer, Internal, Ok, Outcome, Unsupported


class FailureKind(StrEnum):
    """In which way a test failed; the expected file names it."""

    MISMATCH = "mismatch"
    """A result, but another one."""
    WRONG_ERROR = "wrong_error"
    """An error instead of a result, a result instead of an error, or another error."""
    CRASH = "crash"
    """The process died, or caught its own crash. Never an expected error."""
    TIMEOUT = "timeout"
    """No answer within the limit."""
    DECLINED = "declined"
    """Claimed, but declined with a reason."""
    UNSUPPORTED = "unsupported"
    """Claimed, but answered as unsupported."""
    PROTOCOL = "protocol"
    """An answer that is not one: pollution, a wrong id, an ill-formed line."""
    NONDETERMINISTIC = "nondeterministic"
    """Failed, but not each time it was repeated."""


@frozen(kw_only=True)
class Mismatch:
    """Why an outcome is not what a vector expects."""

    kind: FailureKind
    """In which way."""
    difference: Difference | None = None
    """The first place that differs, where there are two values to compare."""
    message: str
    """The same as one line; begins with the place."""


@frozen(kw_only=True)
class Resembles:
    """`eq`, `subset` or `unordered`: the result resembles a value."""

    mode: Mode
    value: Any


@frozen(kw_only=True)
class Contains:
    """`has` or `lacks`: under each key, or place of a trace, every item (or none) resembles some element."""

    is_wanted: bool
    """True for `has`, false for `lacks`."""
    items: Mapping[str, tuple[Any, ...]]
    """A key of the result to items of its list."""


@frozen(kw_only=True)
class Between:
    """Each key, or place of a trace, holds a number within its bounds, both included."""

    bounds: Mapping[str, tuple[int, int]]


@frozen(kw_only=True)
class ErrorIs:
    """The outcome is an error of one kind."""

    kind: str


@frozen(kw_only=True)
class OneOf:
    """Any of several expectations."""

    alternatives: tuple["Expectation", ...]


@frozen(kw_only=True)
class ByChoice:
    """One expectation for each value of a declared choice."""

    name: str
    cases: Mapping[str, "Expectation"]


Matcher = Resembles | Contains | Between | ErrorIs | OneOf | ByChoice


@frozen(kw_only=True)
class Expectation:
    """Matchers that must all hold."""

    matchers: tuple[Matcher, ...] = field()


class ExpectationError(SuiteError):
    """An `expect` of ours that is ill-formed, or that asserts nothing."""


_MODES: Final[Mapping[str, Mode]] = MappingProxyType(
    {"eq": Mode.EXACT, "subset": Mode.SUBSET, "unordered": Mode.UNORDERED}
)


def parse_expectation(source: object) -> Expectation:
    """An expectation from its JSON. Raises `ExpectationError`."""
    if not isinstance(source, Mapping) or not source:
        raise ExpectationError("expect: an object with at least one matcher")
    if ("choice" in source) != ("cases" in source):
        raise ExpectationError("expect: `choice` and `cases` go together")
    unknown = sorted(set(source) - set(_PARSERS) - {"cases"})
    if unknown:
        raise ExpectationError(f"expect: {unknown[0]!r} is not one of {', '.join(_PARSERS)}")
    if "error" in source and len(source) > 1:
        raise ExpectationError("expect: an error has no result, so `error` stands alone")
    return Expectation(matchers=tuple(parse(source) for name, parse in _PARSERS.items() if name in source))


def _parse_resembles(source: Mapping[str, Any], name: str) -> Matcher:
    value = source[name]
    if name != "eq" and value in ({}, []):
        raise ExpectationError(f"{name}: an empty value asserts nothing")
    return Resembles(mode=_MODES[name], value=value)


def _parse_contains(source: Mapping[str, Any], name: str) -> Matcher:
    wanted = source[name]
    if not isinstance(wanted, Mapping) or not wanted:
        raise ExpectationError(f"{name}: an object of key to list")
    for key, items in wanted.items():
        if not isinstance(items, list) or not items or {} in items:
            raise ExpectationError(f"{name}.{key}: a list of items that each assert something")
    return Contains(is_wanted=name == "has", items={key: tuple(items) for key, items in wanted.items()})


def _parse_between(source: Mapping[str, Any]) -> Matcher:
    bounds = source["between"]
    if not isinstance(bounds, Mapping) or not bounds:
        raise ExpectationError("between: an object of key to [low, high]")
    for key, pair in bounds.items():
        if not (isinstance(pair, list) and [type(end) for end in pair] == [int, int] and pair[0] <= pair[1]):
            raise ExpectationError(f"between.{key}: [low, high], two whole numbers")
    return Between(bounds={key: (pair[0], pair[1]) for key, pair in bounds.items()})


def _parse_error(source: Mapping[str, Any]) -> Matcher:
    if not isinstance(source["error"], str) or not source["error"]:
        raise ExpectationError("error: the kind of the error")
    return ErrorIs(kind=source["error"])


def _parse_one_of(source: Mapping[str, Any]) -> Matcher:
    alternatives = source["one_of"]
    if not isinstance(alternatives, list) or len(alternatives) < 2:  # noqa: PLR2004 (one is no alternative)
        raise ExpectationError("one_of: a list of at least two expectations")
    return OneOf(alternatives=tuple(parse_expectation(alternative) for alternative in alternatives))


def _parse_choice(source: Mapping[str, Any]) -> Matcher:
    name, cases = source["choice"], source["cases"]
    if not isinstance(name, str) or not isinstance(cases, Mapping) or not cases:
        raise ExpectationError("choice: the name of a choice, and `cases` of value to expectation")
    return ByChoice(name=name, cases={value: parse_expectation(case) for value, case in cases.items()})


_PARSERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Matcher]]] = MappingProxyType(
    {
        "eq": lambda source: _parse_resembles(source, "eq"),
        "subset": lambda source: _parse_resembles(source, "subset"),
        "unordered": lambda source: _parse_resembles(source, "unordered"),
        "has": lambda source: _parse_contains(source, "has"),
        "lacks": lambda source: _parse_contains(source, "lacks"),
        "between": _parse_between,
        "error": _parse_error,
        "one_of": _parse_one_of,
        "choice": _parse_choice,
    }
)
"""Every matcher by its name, in the order in which they are tried."""


def resolve_choices(expectation: Expectation, choices: Mapping[str, str]) -> Expectation | None:
    """The expectation that holds for one set of choices; none where it says nothing about the value chosen."""
    matchers: list[Matcher] = []
    for matcher in expectation.matchers:
        if isinstance(matcher, ByChoice):
            case = matcher.cases.get(choices.get(matcher.name, ""))
            resolved = case and resolve_choices(case, choices)
            if resolved is None:
                return None
            matchers.extend(resolved.matchers)
        elif isinstance(matcher, OneOf):
            resolved_cases = [resolve_choices(alternative, choices) for alternative in matcher.alternatives]
            alternatives = tuple(case for case in resolved_cases if case)
            if not alternatives:
                return None
            matchers.append(OneOf(alternatives=alternatives))
        else:
            matchers.append(matcher)
    return Expectation(matchers=tuple(matchers))


def find_mismatch(expectation: Expectation, outcome: Outcome) -> Mismatch | None:
    """Why an outcome is not what was expected; none if it is. Choices have been resolved before."""
    match outcome:
        case Internal():
            return Mismatch(kind=FailureKind.CRASH, message=cut_text(f"internal: {outcome.message}"))
        case Declined():
            return Mismatch(kind=FailureKind.DECLINED, message=cut_text(f"declined: {outcome.reason}"))
        case Unsupported():
            message = f"unsupported: {cut_text(outcome.capability)}, though what the test needs is claimed"
            return Mismatch(kind=FailureKind.UNSUPPORTED, message=message)
        case Ok() | ErrorAnswer():
            found = (_apply(matcher, outcome) for matcher in expectation.matchers)
            return next((mismatch for mismatch in found if mismatch), None)
        case _:
            assert_never(outcome)


def _apply(matcher: Matcher, outcome: Ok | ErrorAnswer) -> Mismatch | None:
    match matcher:
        case OneOf():
            return _apply_one_of(matcher, outcome)
        case ErrorIs():
            return _apply_error(matcher, outcome)
        case ByChoice():
            raise ExpectationError(f"the choice {matcher.name} was not resolved")
        case Resembles() | Contains() | Between() if isinstance(outcome, ErrorAnswer):
            return _wrong_error("a result", outcome.kind)
        case Resembles():
            return _mismatch(first_difference(matcher.value, outcome.value, matcher.mode))
        case Contains():
            return _mismatch(_find_in_lists(matcher, outcome.value))
        case Between():
            return _mismatch(_find_outside(matcher, outcome.value))
        case _:
            assert_never(matcher)


def _mismatch(difference: Difference | None) -> Mismatch | None:
    if difference is None:
        return None
    kept = evolve(difference, got=keep_value(difference.got))
    return Mismatch(kind=FailureKind.MISMATCH, difference=kept, message=str(difference))


def _apply_error(matcher: ErrorIs, outcome: Ok | ErrorAnswer) -> Mismatch | None:
    if isinstance(outcome, Ok):
        return _wrong_error(matcher.kind, f"a result {show_value(outcome.value)}")
    return None if outcome.kind == matcher.kind else _wrong_error(matcher.kind, outcome.kind)


def _wrong_error(expected: str, got: str) -> Mismatch:
    got = cut_text(got)
    difference = Difference(path="error", expected=expected, got=got)
    return Mismatch(
        kind=FailureKind.WRONG_ERROR, difference=difference, message=f"error: expected {expected}, got {got}"
    )


def _apply_one_of(matcher: OneOf, outcome: Ok | ErrorAnswer) -> Mismatch | None:
    """None if one alternative holds; else why the first does not, which is the one an author puts first."""
    found = [find_mismatch(alternative, outcome) for alternative in matcher.alternatives]
    return None if None in found else found[0]


def _find_in_lists(matcher: Contains, result: Any) -> Difference | None:
    for key, items in matcher.items.items():
        elements = find_place(result, key)
        if not isinstance(elements, list | tuple):  # a list that was never given neither has nor lacks anything
            return Difference(
                path=show_place(result, key), expected=[*items] if matcher.is_wanted else [], got=elements
            )
        for item in items:
            places = (i for i, e in enumerate(elements) if first_difference(item, e, Mode.SUBSET) is None)
            place = next(places, None)
            if matcher.is_wanted and place is None:
                return Difference(path=show_place(result, key), expected=item, got=NOTHING)
            if not matcher.is_wanted and place is not None:
                path = join_path(show_place(result, key), place)
                return Difference(path=path, expected=NOTHING, got=elements[place])
    return None


def _find_outside(matcher: Between, result: Any) -> Difference | None:
    for key, (low, high) in matcher.bounds.items():
        value = find_place(result, key)
        if type(value) is not int or not low <= value <= high:
            return Difference(path=show_place(result, key), expected=[low, high], got=value)
    return None
