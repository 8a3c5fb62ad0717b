"""Eight rungs from "does it start" to "does it survive nonsense", for the first hour with an adapter.

The suite says what an implementation gets wrong; this ladder says whether it can be asked at all. It stops at the first
rung that does not hold, because everything above would only repeat the same fault in harder words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import evolve, field, frozen

from keel_ref.conformance.hello import HelloAnswer, check_claims, unknown_claims
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.near import near_words
from keel_ref.conformance.subject import Direction, Limits, Misshapen, Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import PROGRAM
from keel_ref.conformance.wire import CallItem, ErrorAnswer, Ok, Outcome, ProgramItem, outcome_to_object
from keel_ref.conformance.wiretap import SchemaCheck
from keel_ref.resources import spec_folder


class Colour(StrEnum):
    """How a rung, or a probe, ended; verdicts are for tests."""

    GREEN = "green"
    RED = "red"
    SKIPPED = "skipped"


@frozen(kw_only=True)
class Rung:
    """One step of the ladder, and what was found there."""

    number: int
    """One at the bottom to eight at the top."""
    name: str
    """What it asks."""
    colour: Colour
    """Whether it holds."""
    note: str = ""
    """Why it does not hold, or what is worth knowing though it does."""
    sent: tuple[str, ...] = ()
    """The lines that were sent, cut where they are long; only on a red rung."""
    received: tuple[str, ...] = ()
    """The lines that came back; only on a red rung."""
    stderr: tuple[str, ...] = ()
    """The last lines of its stderr; only on a red rung."""
    section: str = ""
    """The place in `spec/` that says how it should be; only on a red rung."""


NAMES: Final = (
    "starts",
    "answers with one clean JSON line",
    "repeats the nonce",
    "claims valid capabilities",
    "answers one call",
    "answers an error with its kind",
    "runs one program",
    "survives a malformed request",
)
"""What each rung asks, from the bottom."""

_SECTIONS: Final = (
    "protocol.md#lines",
    "protocol.md#lines",
    "protocol.md#hello",
    "protocol.md#hello",
    "protocol.md#call",
    "protocol.md#errors",
    "protocol.md#program",
    "protocol.md#errors",
)

_RUNG_OF_MISDEED: Final[Mapping[Misdeed, int]] = MappingProxyType(
    {
        Misdeed.NOT_STARTED: 1,
        Misdeed.DIED: 1,
        Misdeed.CLOSED_STDIN: 1,
        Misdeed.WRONG_NONCE: 3,
        Misdeed.BAD_HELLO: 4,
        Misdeed.NO_SHARED_WIRE: 4,
    }
)
"""Where the ladder ends for what an adapter does before its hello is accepted; anything else is rung 2."""

_MALFORMED: Final = b'{"id":1000,"op":\n'
_LINES_KEPT: Final = 4
_LINE_CAP: Final = 400


@frozen(kw_only=True)
class _Wiretap:
    """The last lines that crossed the wire, for the explanation of a red rung."""

    lines: deque[tuple[Direction, str]] = field(factory=lambda: deque(maxlen=_LINES_KEPT))

    def observe(self, direction: Direction, line: bytes) -> None:
        """Keep one line, cut where it is long."""
        text = line[: _LINE_CAP + 1].decode(errors="replace")
        self.lines.append((direction, text if len(text) <= _LINE_CAP else f"{text[:_LINE_CAP]}…"))

    def went(self, direction: Direction) -> tuple[str, ...]:
        """The kept lines of one direction."""
        return tuple(line for way, line in self.lines if way is direction)


class _Red(Exception):
    """The rung does not hold; the message says why."""


def climb(command: tuple[str, ...], suite: Suite, *, limits: Limits | None = None) -> Iterator[Rung]:
    """The rungs from the bottom, each as soon as it is known, the first red one last.

    Both directions are held to the schema of the wire.
    """
    tap, schema = _Wiretap(), SchemaCheck(spec_folder())

    def observe(direction: Direction, line: bytes) -> None:
        tap.observe(direction, line)
        if line != _MALFORMED.removesuffix(b"\n"):
            schema(direction, line)

    subject = Subject(
        command,
        limits=limits or Limits(),
        suite=f"keel-ref {suite.version}",
        revisions=(suite.revision,),
        observer=observe,
    )
    try:
        for rung in _climb(subject, suite):
            is_red = rung.colour is Colour.RED
            yield _explain(rung, tap, subject) if is_red else rung
            if is_red:
                return
    finally:
        subject.close()


def _explain(rung: Rung, tap: _Wiretap, subject: Subject) -> Rung:
    """A red rung with what was sent, what came back and where to read."""
    is_shown = bool(tap.lines) and tap.lines[-1][0] is Direction.RECEIVED  # else it was too bad to be passed on
    return evolve(
        rung,
        sent=tap.went(Direction.SENT),
        received=tap.went(Direction.RECEIVED) if is_shown or not rung.received else rung.received,
        stderr=rung.stderr or subject.stderr(),
        section=_SECTIONS[rung.number - 1],
    )


def _climb(subject: Subject, suite: Suite) -> Iterator[Rung]:
    """Every rung that can be known; what follows a red one is not asked for."""
    try:
        hello = subject.start()
    except AdapterError as error:
        yield from _shake_hands_badly(error)
        return
    for number in (1, 2, 3):
        yield _rung(number, Colour.GREEN)
    steps: Mapping[int, Callable[[], tuple[Colour, str]]] = {
        4: lambda: _check_claims(hello, suite),
        5: lambda: _make_call(subject, hello),
        6: lambda: _provoke_error(subject),
        7: lambda: _run_program(subject, hello),
        8: lambda: _send_nonsense(subject),
    }
    for number, step in steps.items():
        try:
            colour, note = step()
        except _Red as red:
            yield _rung(number, Colour.RED, str(red))
        except Misbehaviour as error:
            received = (error.detail,) if error.detail else ()
            yield evolve(_rung(number, Colour.RED, str(error)), received=received, stderr=error.stderr)
        else:
            yield _rung(number, colour, note)


def _rung(number: int, colour: Colour, note: str = "") -> Rung:
    return Rung(number=number, name=NAMES[number - 1], colour=colour, note=note)


def _shake_hands_badly(error: AdapterError) -> Iterator[Rung]:
    """The rungs up to the one at which the handshake failed."""
    cause = error.__cause__
    misdeed = cause.misdeed if isinstance(cause, Misbehaviour) else Misdeed.BAD_HELLO
    received = (cause.detail,) if isinstance(cause, Misbehaviour) and cause.detail else ()
    last = _RUNG_OF_MISDEED.get(misdeed, 2)
    for number in range(1, last):
        yield _rung(number, Colour.GREEN)
    yield evolve(_rung(last, Colour.RED, error.problem), received=received, stderr=error.stderr)


def _check_claims(hello: HelloAnswer, suite: Suite) -> tuple[Colour, str]:
    """Rung 4: everything claimed is known, and nothing is reserved for later."""
    try:
        check_claims(hello, suite)
    except AdapterError as error:
        raise _Red(error.problem) from error
    unknown = unknown_claims(hello, suite)
    known = (*suite.capabilities, *suite.choices)
    if not unknown:
        count = len(hello.capabilities)
        return Colour.GREEN, f"{count} claimed" if count else "none is claimed, so nothing will be scored"
    hints = [f"{name}{near_words(name.rpartition(' ')[2], known)}" for name in unknown]
    return Colour.GREEN, f"counts for nothing, because nobody has registered it: {'; '.join(hints)}"


def _make_call(subject: Subject, hello: HelloAnswer) -> tuple[Colour, str]:
    """Rung 5: one tree with one file, which must be found."""
    if "memory" not in hello.capabilities:
        return Colour.SKIPPED, "memory is not claimed; check will call what is"
    path = "/r/CLAUDE.md"
    tree = [{"p": path, "t": "Use pnpm.\n"}]
    outcome = _call(subject, CallItem(fn="memory.load", args={"cwd": "/r", "tree": tree}))
    if not isinstance(outcome, Ok):
        raise _Red(f"a result was due, but the call was answered with {outcome_to_object(outcome)}")
    files = outcome.value.get("files")
    found = [file.get("p") for file in files if isinstance(file, Mapping)] if isinstance(files, list) else None
    if found != [path]:
        raise _Red(f"the result must list one file, {path}; its files are {found}")
    return Colour.GREEN, ""


def _provoke_error(subject: Subject) -> tuple[Colour, str]:
    """Rung 6: a function that nobody has is an error of its kind, not a crash and not silence."""
    outcome = _call(subject, CallItem(fn="smoke.no_such_function"))
    if not isinstance(outcome, ErrorAnswer) or outcome.kind != "unknown_function":
        raise _Red(f'an unknown function is the error "unknown_function"; it gave {outcome_to_object(outcome)}')
    return Colour.GREEN, ""


def _run_program(subject: Subject, hello: HelloAnswer) -> tuple[Colour, str]:
    """Rung 7: one row is appended, and a step that nobody has is an error that leaves the others alone."""
    if PROGRAM not in hello.capabilities:
        return Colour.SKIPPED, "program is not claimed"
    steps = (["append", {"kind": "user", "tokens": 100}], ["smoke_no_such_step", {}], ["observe", {}])
    outcome = subject.run_program(ProgramItem(steps=steps))
    if isinstance(outcome, Misshapen):
        raise _Red(outcome.problem)
    if not isinstance(outcome, Ok):
        raise _Red(f"a trace was due, but the program was answered with {outcome_to_object(outcome)}")
    first, second, third = outcome.value
    if "error" not in second:
        raise _Red(f"[1]: a step that nobody has ends in an error; it gave {second}")
    used = [step["ok"].get("used") if "ok" in step else step for step in (first, third)]
    if used != [100, 100]:
        raise _Red(f"the context holds one row of 100 tokens; append and observe gave {used}")
    return Colour.GREEN, ""


def _send_nonsense(subject: Subject) -> tuple[Colour, str]:
    """Rung 8: half a message is answered with an error or not at all, and the next request as if nothing had been."""
    subject.send_raw(_MALFORMED)
    subject.ping()
    return Colour.GREEN, ""


def _call(subject: Subject, item: CallItem) -> Outcome:
    (outcome,) = subject.call((item,))
    if isinstance(outcome, Misshapen):
        raise _Red(outcome.problem)
    return outcome
