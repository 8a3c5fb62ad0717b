"""From results to an exit code, with every reason said. Never success on nothing. Spec: protocol.md, exit codes."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import frozen

from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.expected import EntryResult, EntryStatus
from keel_ref.conformance.hello import HelloAnswer
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import RAN, TestResult, Verdict, is_binding

_MOST_PRESSING_FIRST: Final = (
    ExitCode.SUITE,
    ExitCode.ADAPTER,
    ExitCode.NOT_CONFORMANT,
    ExitCode.INCONCLUSIVE,
    ExitCode.CONFORMANT,
)
_ENTRY_WORDS: Final[Mapping[EntryStatus, str]] = MappingProxyType(
    {
        EntryStatus.STALE: "stale, it passes",
        EntryStatus.EXPIRED: "expired",
        EntryStatus.OTHER: "it fails otherwise",
        EntryStatus.SKIPPED: "not run",
        EntryStatus.NOT_CLAIMED: "its capability is not claimed",
        EntryStatus.UNKNOWN: "no such test",
    }
)


@frozen(kw_only=True)
class Conclusion:
    """What a run amounts to."""

    code: ExitCode
    """How the runner ends."""
    reasons: tuple[str, ...]
    """Why, the most pressing first; empty for a run that found nothing to say."""


def conclude(
    *,
    suite: Suite,
    hello: HelloAnswer | None,
    results: Sequence[TestResult],
    entries: Sequence[EntryResult],
    error: AdapterError | None,
    required: Sequence[str],
    min_tests: int,
    is_should_strict: bool,
    is_core_needed: bool,
) -> Conclusion:
    """The most pressing exit code, and every reason for it and for the lesser ones."""
    found: list[tuple[ExitCode, str]] = []
    broken = [result for result in results if result.verdict is Verdict.SUITE_ERROR]
    if broken:
        found.append((ExitCode.SUITE, f"{len(broken)} tests of the suite fail their own lint; the fault is ours"))
    if error is not None:
        found.append((ExitCode.ADAPTER, f"the adapter is at fault: {error.problem}"))
    found.extend(_judge_failures(results, is_should_strict=is_should_strict))
    for entry in entries:
        if entry.status in _ENTRY_WORDS:
            tests = ", ".join(entry.tests)
            found.append((ExitCode.NOT_CONFORMANT, f"expected entry {tests}: {_ENTRY_WORDS[entry.status]}"))
    gaps = [
        *_find_unclaimed(suite, hello, results, required, is_core_needed=is_core_needed),
        *_find_unrun(results, min_tests),
    ]
    found.extend((ExitCode.INCONCLUSIVE, reason) for reason in gaps)
    code = min((code for code, _ in found), key=_MOST_PRESSING_FIRST.index, default=ExitCode.CONFORMANT)
    found.sort(key=lambda pair: _MOST_PRESSING_FIRST.index(pair[0]))
    return Conclusion(code=code, reasons=tuple(reason for _, reason in found))


def add_exploration(conclusion: Conclusion, code: ExitCode, reasons: Sequence[str]) -> Conclusion:
    """What a run amounts to that explored as well."""
    both = [(conclusion.code, conclusion.reasons), (code, tuple(reasons))]
    both.sort(key=lambda pair: _MOST_PRESSING_FIRST.index(pair[0]))
    return Conclusion(code=both[0][0], reasons=(*both[0][1], *both[1][1]))


def _judge_failures(results: Iterable[TestResult], *, is_should_strict: bool) -> Iterable[tuple[ExitCode, str]]:
    failed = [
        result
        for result in results
        if result.verdict is Verdict.FAIL and is_binding(result.level, is_should_strict=is_should_strict)
    ]
    wavering = [result for result in failed if result.failure and result.failure.kind is FailureKind.NONDETERMINISTIC]
    if len(failed) > len(wavering):
        count = len(failed) - len(wavering)
        yield ExitCode.NOT_CONFORMANT, f"{count} {'test fails' if count == 1 else 'tests fail'}"
    if wavering:
        yield ExitCode.INCONCLUSIVE, f"{len(wavering)} failed now and passed then: nondeterministic"


def _find_unclaimed(
    suite: Suite,
    hello: HelloAnswer | None,
    results: Sequence[TestResult],
    required: Sequence[str],
    *,
    is_core_needed: bool,
) -> Iterable[str]:
    """What the caller relies on and the implementation does not claim, so that passing proves too little."""
    claimed = hello.capabilities if hello else {}
    for name in required:
        if name not in claimed:
            yield f"the required capability {name} is not claimed"
    needed = {name for result in results for name in result.vector.needs} if is_core_needed else set()
    for name in sorted(needed - set(required)):
        capability = suite.capabilities.get(name)
        if capability is not None and capability.is_core and name not in claimed:
            yield f"the core capability {name} is not claimed"


def _find_unrun(results: Sequence[TestResult], min_tests: int) -> Iterable[str]:
    """Too few tests that were run to their end."""
    ran = sum(result.verdict in RAN for result in results)
    if ran < max(min_tests, 1):
        yield f"{ran} tests ran, fewer than {max(min_tests, 1)}"
    left = sum(result.verdict is Verdict.INCONCLUSIVE for result in results)
    if left:
        yield f"{left} tests were not run to their end"
