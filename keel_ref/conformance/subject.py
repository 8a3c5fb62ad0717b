"""The implementation under test: a child process that speaks the wire, watched for everything it may do wrong.

A call is followed by a ping. Only when that is answered is the call over, so a second answer, a stray line or a death
just behind an answer falls on the call that caused it, whatever the timing. In the same way the hello is accepted when
the ping behind it is answered; a process that dies or hangs at that ping fails the first test instead.
"""

import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from keel_ref.conformance.answers import Misshapen, read_answer, read_trace, split_outcome
from keel_ref.conformance.child import Child, show_line, start_child
from keel_ref.conformance.hello import HelloAnswer, read_hello
from keel_ref.conformance.kills import Part, cut_at_kills, is_kill
from keel_ref.conformance.limits import Limits
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.wire import (
    Answer,
    Bye,
    Call,
    CallItem,
    Hello,
    Ok,
    Outcome,
    Ping,
    Program,
    ProgramItem,
    Question,
    Request,
    Resume,
    WireError,
    encode_line,
    request_to_object,
)

__all__ = ["Direction", "Limits", "Misshapen", "Observer", "Subject"]

MAX_FAILED_STARTS: Final = 3
"""Starts that may fail in a row before the adapter is given up."""
MAX_STRAY_LINES: Final = 100
"""Lines that are no answer, in one exchange, beyond which the process is taken to be out of step."""
MAX_ID_STEP: Final = 1_000
"""By how much the id of one request may exceed that of the last; nobody can answer what was not asked yet."""
_BYE_SECONDS: Final = 0.5
_IN_STEP: Final = frozenset({Misdeed.POLLUTED, Misdeed.ILL_FORMED, Misdeed.ANSWERED_TWICE})
"""What a process may do and still be asked the next thing."""
_AFTER_HELLO: Final = frozenset({Misdeed.DIED, Misdeed.CLOSED_STDIN, Misdeed.HUNG})


class Direction(StrEnum):
    """Which way a line went."""

    SENT = ">"
    RECEIVED = "<"


Observer = Callable[[Direction, bytes], None]
"""Is shown every line that crosses the wire, without its line end. Raises `WireError` to refuse one."""


class Subject:
    """One process of the implementation under test. Not shared between threads."""

    def __init__(
        self,
        command: tuple[str, ...],
        *,
        limits: Limits,
        suite: str,
        revisions: tuple[str, ...],
        observer: Observer | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Prepare; nothing runs before `start`. Without an environment of its own it gets ours."""
        self.command = command
        self.limits = limits
        self.restarts = 0
        """How often the process had to be started again, failed starts included."""
        self.notes: set[str] = set()
        """What was seen that is no failure by itself."""
        self.observer = observer
        self._suite = suite
        self._env = env
        self._revisions = revisions
        self._child: Child | None = None
        self._hello: HelloAnswer | None = None
        self._deferred: Misbehaviour | None = None
        self._last_id = 0
        self._asked: set[int] = set()
        self._may_answer_nobody = False
        self._is_aborted = False

    @property
    def hello(self) -> HelloAnswer:
        """What it said of itself when it was first started."""
        assert self._hello is not None, "start first"
        return self._hello

    @property
    def is_running(self) -> bool:
        """Whether a process is there that can be asked."""
        return self._child is not None or self._deferred is not None

    def start(self) -> HelloAnswer:
        """Start the process and shake hands. Raises `AdapterError`."""
        if self._is_aborted:
            raise AdapterError("the run was broken off")
        try:
            hello = self._shake_hands()
        except Misbehaviour as error:
            stderr = error.stderr or self.stderr()
            self._drop()
            raise AdapterError(error.problem, stderr, detail=error.detail) from error
        if self._hello is None:
            self._hello = hello
        elif (hello.capabilities, hello.choices) != (self._hello.capabilities, self._hello.choices):
            self._drop()
            raise AdapterError("hello: it claims or chose something else than when it was first started")
        return hello

    def _shake_hands(self) -> HelloAnswer:
        seconds = self.limits.handshake_timeout_ms / 1000
        nonce = secrets.token_hex(8)
        self._last_id, self._asked, self._deferred = 0, {0}, None
        self._child = start_child(self.command, max_line_bytes=self.limits.max_line_bytes, env=self._env)
        request = Hello(
            id=0,
            nonce=nonce,
            suite=self._suite,
            revisions=self._revisions,
            max_line_bytes=self.limits.max_line_bytes,
            timeout_ms=self.limits.timeout_ms,
        )
        hello = read_hello(self._exchange(request, seconds), nonce)
        try:
            self.ping()
        except Misbehaviour as error:
            if error.misdeed not in _AFTER_HELLO:
                raise
            self._deferred = error
        return hello

    def restart(self) -> None:
        """Start the process again after it misbehaved. Raises `AdapterError` when it will not come back."""
        for attempt in range(1, MAX_FAILED_STARTS + 1):
            self._drop()
            self.restarts += 1
            try:
                self.start()
            except AdapterError as error:
                if attempt == MAX_FAILED_STARTS:
                    problem = f"it did not start again, {attempt} times in a row: {error.problem}"
                    raise AdapterError(problem, error.stderr, detail=error.detail) from error
            else:
                return

    def call(self, items: tuple[CallItem, ...], *, timeout_ms: int | None = None) -> tuple[Outcome | Misshapen, ...]:
        """The outcome of each call. Raises `Misbehaviour`.

        Where the process is lost by that, or out of step, it is ended, and `restart` brings a new one. Where it only
        said too much, and answered all the same, it is kept: `is_running` tells.
        """
        return split_outcome(self._ask(lambda number: Call(id=number, calls=items), timeout_ms), len(items))

    def run_program(self, item: ProgramItem, *, timeout_ms: int | None = None) -> Outcome | Misshapen:
        """The outcome of a program, with its trace as the value. Raises `Misbehaviour`, as `call` does.

        Where a step is `kill`, the process is ended there without a word, and another goes on with the rest.
        """
        if any(is_kill(step) for step in item.steps):
            return self._run_killed(item, timeout_ms)
        outcome = self._ask(lambda number: Program(id=number, item=item), timeout_ms)
        return read_trace(outcome, len(item.steps))

    def _run_killed(self, item: ProgramItem, timeout_ms: int | None) -> Outcome | Misshapen:
        trace: list[Mapping[str, object]] = []
        with tempfile.TemporaryDirectory(prefix="keel-ref-") as state:
            for part in cut_at_kills(item, state):
                if part.session is not None:
                    self._drop()
                    self.start()
                outcome = self._run_part(part, timeout_ms)
                if not isinstance(outcome, Ok):
                    return outcome
                trace += outcome.value
        return Ok(value=trace)

    def _run_part(self, part: Part, timeout_ms: int | None) -> Outcome | Misshapen:
        session = part.session
        if session is None:
            return read_trace(
                self._ask(lambda number: Program(id=number, item=part.item), timeout_ms), len(part.item.steps)
            )
        outcome = self._ask(lambda number: Resume(id=number, item=part.item, session=session), timeout_ms)
        return read_trace(outcome, len(part.item.steps) + 1)  # the first is of the session that was taken up

    def ask(self, question: Question, *, timeout_ms: int | None = None) -> Outcome | Misshapen:
        """The outcome of one call, or of one program. Raises `Misbehaviour`, as `call` does."""
        if isinstance(question, ProgramItem):
            return self.run_program(question, timeout_ms=timeout_ms)
        return self.call((question,), timeout_ms=timeout_ms)[0]

    def _ask(self, make_request: Callable[[int], Request], timeout_ms: int | None) -> Outcome:
        """The outcome of one request and of the ping behind it."""
        seconds = (timeout_ms or self.limits.timeout_ms) / 1000
        strays: list[Misbehaviour] = []
        try:
            if self._deferred is not None:
                raise self._deferred
            outcome = self._exchange(make_request(self._take_id()), seconds, strays)
            self.ping(strays)
        except Misbehaviour:
            self._drop()
            raise
        if strays:
            raise strays[0]
        return outcome

    def ping(self, strays: list[Misbehaviour] | None = None) -> None:
        """Wait until all that was asked before is over. What the answer says does not matter."""
        self._exchange(Ping(id=self._take_id()), self.limits.timeout_ms / 1000, strays)

    def send_raw(self, line: bytes) -> None:
        """Send a line that is no request; from now on it may be answered to nobody, with the id null."""
        assert self._child is not None, "start first"
        self._may_answer_nobody = True
        self._observe(Direction.SENT, line.removesuffix(b"\n"))
        self._child.send(line, time.monotonic() + self.limits.timeout_ms / 1000)

    def close(self) -> None:
        """Say bye, wait a moment, and end the whole process group."""
        if self._child is not None and self._deferred is None:
            try:
                self._exchange(Bye(id=self._take_id()), _BYE_SECONDS)
            except Misbehaviour as error:
                self.notes.add(f"bye: {error.problem}")
            self._drop(patience_seconds=_BYE_SECONDS)
        self._drop()

    def abort(self) -> None:
        """End the process under the hands of whoever is asking it, and start no other. Safe from any thread."""
        self._is_aborted = True
        child = self._child
        if child is not None:
            child.kill()

    def stderr(self) -> tuple[str, ...]:
        """The last lines that the running process wrote on stderr since the last request."""
        return self._child.stderr() if self._child is not None else ()

    def _take_id(self) -> int:
        """An id that nobody can have foreseen, so that an answer before its question falls on whoever gives it."""
        self._last_id += 1 + secrets.randbelow(MAX_ID_STEP)
        self._asked.add(self._last_id)
        return self._last_id

    def _drop(self, *, patience_seconds: float = 0) -> None:
        """End the process group, whatever state it is in."""
        if self._child is not None:
            child, self._child = self._child, None
            child.end(patience_seconds=patience_seconds)
            self.notes |= child.notes
        self._deferred = None

    def _observe(self, direction: Direction, line: bytes) -> None:
        if self.observer is not None:
            self.observer(direction, line)

    def _exchange(self, request: Request, seconds: float, strays: list[Misbehaviour] | None = None) -> Outcome:
        """The answer to one request. Lines that are none are gathered in `strays`; without it, the first one raises."""
        assert self._child is not None, "start first"
        deadline = time.monotonic() + seconds
        line = encode_line(request_to_object(request))
        self._observe(Direction.SENT, line.removesuffix(b"\n"))
        if not isinstance(request, Ping):  # what was said of a call is still wanted at the ping behind it
            self._child.forget_stderr()
        try:
            self._child.send(line, deadline)
            while True:
                answer = self._take_answer(request.id, deadline, strays)
                if answer is not None:
                    return answer.outcome
        except Misbehaviour as error:
            if not strays or error in strays:
                raise
            raise Misbehaviour(  # a process that babbles and dies has died
                error.misdeed, error.problem, detail=f"before that, {strays[0]}", stderr=error.stderr
            ) from error

    def _take_answer(self, wanted: int, deadline: float, strays: list[Misbehaviour] | None) -> Answer | None:
        """The answer that the next line holds; none for a line that is none, as long as such a one is borne."""
        assert self._child is not None
        line = self._child.receive(deadline)
        try:
            answer = read_answer(line, wanted, self._asked, is_nobody_due=self._may_answer_nobody)
            self._observe_answer(line)
        except Misbehaviour as error:
            stray = Misbehaviour(error.misdeed, error.problem, detail=error.detail, stderr=self.stderr())
            if strays is None or stray.misdeed not in _IN_STEP or len(strays) >= MAX_STRAY_LINES:
                raise stray from error
            strays.append(stray)
            return Answer(id=wanted, outcome=Ok()) if stray.misdeed is Misdeed.ILL_FORMED else None
        return answer if answer.id is not None else None

    def _observe_answer(self, line: bytes) -> None:
        try:
            self._observe(Direction.RECEIVED, line)
        except WireError as error:
            problem = f"an ill-formed answer: {error.problem}"
            raise Misbehaviour(Misdeed.ILL_FORMED, problem, detail=show_line(line)) from error
