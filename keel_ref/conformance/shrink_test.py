"""Makes a failing test smaller, whether it is a call or a program."""

from collections.abc import Mapping
from typing import Final

from keel_ref.conformance.explore_model import expect_by, reference_model
from keel_ref.conformance.explore_probe import Patience, Prober
from keel_ref.conformance.match import FailureKind, Mismatch
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.shrink import Minimal, ask_subject, minimise
from keel_ref.conformance.shrink_program import MAX_SECONDS, shrink_program
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import Failure
from keel_ref.conformance.wire import Ok, ProgramItem

_SHRINKABLE: Final = frozenset({FailureKind.MISMATCH, FailureKind.WRONG_ERROR})


def minimise_test(
    vector: Vector, failure: Failure, choices: Mapping[str, str], subject: Subject, *, max_seconds: float
) -> Minimal | None:
    """A smaller case of a failing test; none where there is none."""
    if isinstance(vector.question, ProgramItem):
        return _minimise_program(vector.question, failure, choices, subject, max_seconds)
    return minimise(vector, failure, choices, ask_subject(subject), max_seconds=max_seconds)


def _minimise_program(
    item: ProgramItem, failure: Failure, choices: Mapping[str, str], subject: Subject, max_seconds: float
) -> Minimal | None:
    """The smallest program whose trace is not the model's, whatever the test itself looked at."""
    if failure.kind not in _SHRINKABLE:
        return None
    prober = Prober(subject, expect_by(reference_model(choices)), Patience(subject.limits.timeout_ms))
    try:
        seen = prober.probe(item)
        if seen is None or seen.failure.kind not in _SHRINKABLE:
            return None
        shrunk = shrink_program(seen, prober.probe, max_seconds=min(max_seconds, MAX_SECONDS))
    except AdapterError:  # the failure stands as it is
        return None
    found = shrunk.seen.failure
    return Minimal(
        question=shrunk.seen.item,
        expect=shrunk.seen.expect,
        outcome=found.outcome or Ok(),
        mismatch=Mismatch(kind=found.kind, difference=found.difference, message=found.message),
        ending=shrunk.ending,
        tries=shrunk.tries,
        size_before=len(item.steps),
    )
