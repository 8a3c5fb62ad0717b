"""Puts programs to a process and says what is wrong with the answers, without waiting longer than makes sense."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from attrs import field, frozen, mutable

from keel_ref.conformance.answers import Misshapen
from keel_ref.conformance.match import FailureKind, find_mismatch, parse_expectation
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.verdict import Failure, Fault, failure_of_misbehaviour, failure_of_mismatch
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem

LEAST_TIMEOUT_MS: Final = 50
"""What an answer may take at least, also behind a hang."""
P99_FACTOR: Final = 20
"""By how much an answer may be slower than 99 of 100 others, behind a hang."""
RESPAWNS_PER_SECOND: Final = 3
"""How often a process is started again, so that one that dies over and over leaves the machine some air."""
_KEPT_TIMES: Final = 2_000

Expect = Callable[[ProgramItem], Mapping[str, Any] | None]
"""What is right for a program, as the expectation of a vector; none where that cannot be said."""


def expect_outcome(right: Ok | ErrorAnswer) -> Mapping[str, Any]:
    """What is right, as the expectation of a vector. Keys that nobody asks for are free."""
    return {"subset": right.value} if isinstance(right, Ok) else {"error": right.kind}


@mutable
class Patience:
    """How long all processes of a run are waited for: less, once one of them has hung. Shared between threads."""

    limit_ms: int
    """What the caller allows."""
    _seconds: list[float] = field(factory=list, init=False)
    _has_hung: bool = field(default=False, init=False)
    _starts: list[float] = field(factory=list, init=False)
    _lock: Any = field(factory=threading.Lock, init=False)

    def took(self, seconds: float) -> None:
        """An answer came after so long."""
        if len(self._seconds) < _KEPT_TIMES:
            self._seconds.append(seconds)

    def hung(self) -> None:
        """An answer did not come."""
        self._has_hung = True

    def timeout_ms(self) -> int:
        """What the next answer may take: the whole limit, or behind a hang what this run has shown to be enough."""
        if not self._has_hung or not self._seconds:
            return self.limit_ms
        times = sorted(self._seconds)
        p99 = times[(len(times) - 1) * 99 // 100]
        return min(self.limit_ms, max(LEAST_TIMEOUT_MS, int(P99_FACTOR * p99 * 1_000)))

    def wait_for_respawn(self) -> None:
        """Wait until a process may be started again."""
        with self._lock:
            now = time.monotonic()
            self._starts = [start for start in self._starts if start > now - 1]
            if len(self._starts) >= RESPAWNS_PER_SECOND:
                time.sleep(max(0.0, self._starts[-RESPAWNS_PER_SECOND] + 1 - now))
            self._starts.append(time.monotonic())


@frozen(kw_only=True)
class Seen:
    """A program that fails, with what is right and what is wrong."""

    item: ProgramItem
    expect: Mapping[str, Any]
    failure: Failure

    @property
    def step(self) -> int | None:
        """The step, counted from 0, at which the trace first differs; none where no traces were compared."""
        path = self.failure.difference.path if self.failure.difference else ""
        number = path[1:].partition("]")[0] if path.startswith("[") else ""
        return int(number) if number.isdecimal() else None

    @property
    def way(self) -> tuple[FailureKind, str]:
        """How it fails: in which way, and whether an error came for a result, a result for an error, or neither."""
        path = self.failure.difference.path if self.failure.difference else ""
        inside = path.partition("]")[2]
        return self.failure.kind, inside if inside in (".ok", ".error") else ""


class Asker(Protocol):
    """Whoever puts a program and says what is wrong about the answer."""

    def probe(
        self, item: ProgramItem, expect: Mapping[str, Any] | None = None, *, is_patient: bool = False
    ) -> Seen | None:
        """What is wrong with the answer to a program; none if nothing is. Raises `AdapterError`."""

    def revive(self, *, is_fresh: bool = False) -> None:
        """See to it that there is a process, a fresh one where that is wanted. Raises `AdapterError`."""

    def abort(self) -> None:
        """Let nobody wait any more."""


class Prober:
    """One process, asked about one program after the other."""

    def __init__(self, subject: Subject, expect: Expect, patience: Patience) -> None:
        """Take a process that has been started, and what knows the right answers."""
        self.subject = subject
        self.expect = expect
        self.patience = patience

    def probe(
        self, item: ProgramItem, expect: Mapping[str, Any] | None = None, *, is_patient: bool = False
    ) -> Seen | None:
        """What is wrong with the answer to a program; none if nothing is. Raises `AdapterError`.

        The patient wait for the whole limit, whatever happened before.
        """
        expect = expect if expect is not None else self.expect(item)
        if expect is None:
            return None
        self.revive()
        limit_ms = self.patience.limit_ms if is_patient else self.patience.timeout_ms()
        start = time.monotonic()
        try:
            outcome = self.subject.run_program(item, timeout_ms=limit_ms)
        except Misbehaviour as error:
            if error.misdeed is Misdeed.HUNG:
                self.patience.hung()
            return Seen(item=item, expect=expect, failure=failure_of_misbehaviour(error))
        self.patience.took(time.monotonic() - start)
        if isinstance(outcome, Misshapen):
            failure = Failure(kind=FailureKind.PROTOCOL, fault=Fault.ADAPTER, message=outcome.problem)
            return Seen(item=item, expect=expect, failure=failure)
        mismatch = find_mismatch(parse_expectation(expect), outcome)
        if mismatch is None:
            return None
        return Seen(item=item, expect=expect, failure=failure_of_mismatch(mismatch, outcome))

    def abort(self) -> None:
        """Let nobody wait for an answer any more."""
        self.subject.abort()

    def revive(self, *, is_fresh: bool = False) -> None:
        """Start the process again where it is gone, or where a fresh one is wanted. Raises `AdapterError`."""
        if is_fresh or not self.subject.is_running:
            self.patience.wait_for_respawn()
            self.subject.restart()
