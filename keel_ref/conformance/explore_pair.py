"""Two processes that are asked the same: where their answers differ, and no word on which of them is right."""

import time
from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from keel_ref.conformance.answers import Misshapen
from keel_ref.conformance.compare import Difference, Mode, first_difference
from keel_ref.conformance.explore_probe import Patience, Seen
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.verdict import Failure, Fault, keep_outcome
from keel_ref.conformance.wire import CallItem, Ok, Outcome, ProgramItem, Question, outcome_to_object


@frozen(kw_only=True)
class Parting:
    """A question that two implementations answer differently."""

    one: Mapping[str, Any]
    """What the first one says, in the form of an outcome."""
    other: Mapping[str, Any]
    """What the second one says."""
    difference: Difference
    """The first place at which they differ."""

    @property
    def is_about_results(self) -> bool:
        """Whether both give a result."""
        return "ok" in self.one and "ok" in self.other


class Pair:
    """Two processes that are asked the same."""

    def __init__(self, one: Subject, other: Subject, patience: Patience) -> None:
        """Take two processes that have been started."""
        self.subjects = (one, other)
        self.patience = patience

    def probe(
        self,
        item: ProgramItem,
        expect: Mapping[str, Any] | None = None,  # noqa: ARG002 (nobody knows what is right)
        *,
        is_patient: bool = False,
    ) -> Seen | None:
        """Where the answers to a program differ; what the first one says stands as if it were right."""
        parting = self.part(item, is_patient=is_patient)
        if parting is None:
            return None
        failure = Failure(
            kind=FailureKind.MISMATCH if parting.is_about_results else FailureKind.WRONG_ERROR,
            fault=Fault.IMPLEMENTATION,
            message=str(parting.difference),
            difference=parting.difference,
            outcome=Ok(value=parting.other),
        )
        return Seen(item=item, expect={"subset": parting.one.get("ok", parting.one)}, failure=failure)

    def agree(self, calls: tuple[CallItem, ...]) -> bool:
        """Whether the answers to several calls, put at once, are the same; not where either breaks the wire."""
        self.revive()
        said: list[object] = []
        for subject in self.subjects:
            try:
                outcomes = subject.call(calls, timeout_ms=self.patience.timeout_ms())
            except Misbehaviour:
                return False
            said.append([_say(outcome) for outcome in outcomes])
        return first_difference(said[0], said[1], Mode.EXACT) is None

    def part(self, question: Question, *, is_patient: bool = False) -> Parting | None:
        """Where the answers to a question differ; none where they do not. Raises `AdapterError`."""
        self.revive()
        one, other = (self._ask(subject, question, is_patient=is_patient) for subject in self.subjects)
        difference = first_difference(one, other, Mode.EXACT)
        if difference is None:
            return None
        path = difference.path.removeprefix("ok").removeprefix(".")
        return Parting(one=one, other=other, difference=evolve(difference, path=path))

    def _ask(self, subject: Subject, question: Question, *, is_patient: bool) -> dict[str, Any]:
        """The answer in the form of its outcome; what breaks the wire stands under the kind of that."""
        limit_ms = self.patience.limit_ms if is_patient else self.patience.timeout_ms()
        start = time.monotonic()
        try:
            outcome = subject.ask(question, timeout_ms=limit_ms)
        except Misbehaviour as error:
            if error.misdeed is Misdeed.HUNG:
                self.patience.hung()
            return {error.failure_kind.value: error.problem}
        self.patience.took(time.monotonic() - start)
        return _say(outcome)

    def revive(self, *, is_fresh: bool = False) -> None:
        """Start again whichever process is gone, or both. Raises `AdapterError`."""
        for subject in self.subjects:
            if is_fresh or not subject.is_running:
                self.patience.wait_for_respawn()
                subject.restart()

    def abort(self) -> None:
        """Let nobody wait for an answer any more."""
        for subject in self.subjects:
            subject.abort()


def _say(outcome: Outcome | Misshapen) -> dict[str, Any]:
    """An outcome as it is compared: errors by their kind alone."""
    if isinstance(outcome, Misshapen):
        return {"protocol": outcome.problem}
    said = outcome_to_object(keep_outcome(outcome))
    return {"error": {"kind": said["error"]["kind"]}} if "error" in said else said
