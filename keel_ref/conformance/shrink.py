"""Makes a failing test smaller: the smallest tree on which the implementation and the reference still differ.

A candidate leaves something out. The reference says what is right for it, in the keys that the test names and in no
others, and the candidate counts when the implementation is wrong there in the same way. A candidate that brings in
something new, such as a file that did not load before, is refused: it would be about another rule.
"""

import json
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.config import CallConfig, call_config
from keel_ref.conformance.derive import derive_expect, named_keys, names_of
from keel_ref.conformance.match import FailureKind, Mismatch, find_mismatch, parse_expectation
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour
from keel_ref.conformance.reductions import REDUCTIONS, Reduction
from keel_ref.conformance.reference import call_reference
from keel_ref.conformance.subject import Misshapen, Subject
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import Failure, keep_outcome
from keel_ref.conformance.wire import CallItem, ErrorAnswer, Ok, Outcome, Question, size_question
from keel_ref.errors import KeelError

MAX_TRIES: Final = 200
"""Candidates that are sent for one failure."""
MAX_SECONDS: Final = 10
"""Time for one failure."""
MAX_CHARACTERS: Final = 8_192
"""Size of a call's arguments, as JSON, beyond which it is left as it is: it sits at a bound, and is large for that."""
_SHRINKABLE: Final = frozenset({FailureKind.MISMATCH, FailureKind.WRONG_ERROR})

Ask = Callable[[CallItem], Outcome]
"""Puts one call to the implementation. Raises `Misbehaviour` or `AdapterError`."""


class Ending(StrEnum):
    """Why no smaller case was looked for."""

    ONE_MINIMAL = "one-minimal"
    """Nothing more can be left out by itself."""
    TRIES = "tries"
    """All tries were used."""
    TIME = "time"
    """The time was used."""
    MISBEHAVED = "misbehaved"
    """The implementation broke the wire on a candidate."""


@frozen(kw_only=True)
class Minimal:
    """A smaller call that fails in the same way."""

    question: Question
    """What to send."""
    expect: Mapping[str, Any]
    """What is right for it, in the form of a vector's expectation."""
    outcome: Outcome
    """What the implementation answers."""
    mismatch: Mismatch
    """Where that is wrong."""
    ending: Ending
    """Why it is not smaller."""
    tries: int
    """Candidates that were sent."""
    size_before: int
    """Tree entries of the test itself, or steps of its program."""


def minimise(
    vector: Vector,
    failure: Failure,
    choices: Mapping[str, str],
    ask: Ask,
    *,
    max_tries: int = MAX_TRIES,
    max_seconds: float = MAX_SECONDS,
) -> Minimal | None:
    """A smaller case of a failure; none where there is no smaller one, or no answer to compare."""
    if failure.kind not in _SHRINKABLE or not isinstance(failure.outcome, Ok | ErrorAnswer):
        return None
    if not isinstance(vector.question, CallItem) or size_question(vector.question) > MAX_CHARACTERS:
        return None
    base = CallConfig(choices=choices)
    right = _ask_reference(vector.question, base)
    expect = derive_expect(vector.expect, right, choices) if right else None
    if right is None or expect is None:
        return None
    search = _Search(vector, vector.question, failure.kind, base, ask, max_tries=max_tries, max_seconds=max_seconds)
    search.known = (names_of(right, search.keys), names_of(failure.outcome, search.keys))
    return search.run()


class _Search:
    """The walk from a failing call to a smaller one, leaving out greedily."""

    def __init__(
        self,
        vector: Vector,
        call: CallItem,
        kind: FailureKind,
        base: CallConfig,
        ask: Ask,
        *,
        max_tries: int,
        max_seconds: float,
    ) -> None:
        self.vector = vector
        self.kind = kind
        self.keys = named_keys(vector.expect, base.choices)
        self.base = base
        self.ask = ask
        self.max_tries = max_tries
        self.known: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self.best: Minimal | None = None
        self.call = call
        self.entries_before = len(call.args.get("tree", ()))
        self._tried: set[str] = set()
        self._deadline = time.monotonic() + min(max_seconds, MAX_SECONDS)

    def run(self) -> Minimal | None:
        ending = Ending.ONE_MINIMAL
        try:
            while any(self._pass(reduce) for reduce in REDUCTIONS):
                pass
        except _Ended as end:
            ending = end.ending
        if self.best is None:
            return None
        return evolve(self.best, ending=ending, tries=len(self._tried))

    def _pass(self, reduce: Reduction) -> bool:
        """Leave out ever smaller pieces, from the front to the back. Says whether anything could go."""
        has_shrunk = False
        size = 16
        while size >= 1:
            start = 0
            while (candidate := reduce(self.call, start, size)) is not None:
                if candidate != self.call and self._counts(candidate):
                    self.call, has_shrunk = candidate, True
                else:
                    start += size
            size //= 2
        return has_shrunk

    def _counts(self, candidate: CallItem) -> bool:
        key = json.dumps([candidate.args, candidate.config], sort_keys=True)
        if key in self._tried:
            return False
        if len(self._tried) >= self.max_tries:
            raise _Ended(Ending.TRIES)
        if time.monotonic() > self._deadline:
            raise _Ended(Ending.TIME)
        self._tried.add(key)
        right = _ask_reference(candidate, self.base)
        expect = derive_expect(self.vector.expect, right, self.base.choices) if right else None
        if right is None or expect is None or not names_of(right, self.keys) <= self.known[0]:
            return False
        try:
            outcome = self.ask(candidate)
        except (Misbehaviour, AdapterError) as error:
            raise _Ended(Ending.MISBEHAVED) from error
        mismatch = find_mismatch(parse_expectation(expect), outcome)
        if mismatch is None or mismatch.kind is not self.kind or not names_of(outcome, self.keys) <= self.known[1]:
            return False
        self.best = Minimal(
            question=candidate,
            expect=expect,
            outcome=keep_outcome(outcome),
            mismatch=mismatch,
            ending=Ending.TIME,
            tries=0,
            size_before=self.entries_before,
        )
        return True


class _Ended(Exception):
    """The search is over before nothing more could go."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.value)
        self.ending = ending


def ask_subject(subject: Subject) -> Ask:
    """Put calls to a subject, starting it again where it is gone."""

    def ask(item: CallItem) -> Outcome:
        if not subject.is_running:
            subject.restart()
        outcome = subject.call((item,))[0]
        if isinstance(outcome, Misshapen):
            raise AdapterError(outcome.problem)
        return outcome

    return ask


def _ask_reference(item: CallItem, base: CallConfig) -> Ok | ErrorAnswer | None:
    """What is right for a candidate; none where the reference itself fails."""
    try:
        value = call_reference(item.fn, item.args, call_config(item.config, base))
    except KeelError as error:
        return ErrorAnswer(kind=error.code)
    except Exception:  # noqa: BLE001 (a candidate that breaks the reference is no candidate)
        return None
    return Ok(value=json.loads(json.dumps(value)))
