"""Runs a program, step by step. Spec: CMP-180, protocol.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from keel_ref.choices import Choices
from keel_ref.compaction.effects import End, EndTurn, SendRequest
from keel_ref.compaction.events import (
    Appended,
    Cleared,
    CompactAsked,
    Event,
    FileRead,
    PassBegun,
    RequestRefused,
    Resumed,
    SettingsChanged,
)
from keel_ref.compaction.program.arguments import Args, read_list, read_optional_whole, read_text, read_whole
from keel_ref.compaction.program.config import Setup, read_config
from keel_ref.compaction.program.costs import UNITS, filler, name_of, row_cost
from keel_ref.compaction.program.rows import build_row
from keel_ref.compaction.program.session import OnDisk, Run, Session, read_outcomes
from keel_ref.compaction.settings import Row, Snipped
from keel_ref.compaction.skills import Invocation
from keel_ref.compaction.state import State
from keel_ref.compaction.trace import Layer, Why
from keel_ref.errors import InvalidArgumentError, KeelError
from keel_ref.window.state import state_of

LONGEST: Final = 1_000
"""Steps of one program."""
MOST_TOKENS: Final = 20_000_000
"""Tokens of all rows, files and skills of one program."""
Answer = dict[str, Any]


def run_program(
    config: Mapping[str, Any],
    steps: Sequence[Any],
    *,
    gates: Mapping[str, bool],
    choices: Mapping[str, str] | None = None,
) -> list[Answer]:
    """The outcome of each step; `gates` and `choices` by their wire names.

    Raises `KeelError` for a config, or a list of steps, that cannot be used.
    """
    if not isinstance(steps, list | tuple) or len(steps) > LONGEST:
        raise InvalidArgumentError("steps", f"a list of at most {LONGEST} steps is expected")
    run = start_program(config, gates=gates, choices=choices)
    return [run(one) for one in steps]


def start_program(
    config: Mapping[str, Any], *, gates: Mapping[str, bool], choices: Mapping[str, str] | None = None
) -> Callable[[object], Answer]:
    """A program that has begun: runs its next step. Raises `KeelError` for a config that cannot be used."""
    return _Program(setup=read_config(config, gates, Choices.of(choices or {}))).outcome


@define
class _Program:
    setup: Setup
    sessions: dict[str, Session] = field(factory=dict, init=False)
    tokens: int = field(default=0, init=False)

    def outcome(self, given: object) -> Answer:
        """What one step answers. A step that ends in an error changes nothing."""
        before, spent = dict(self.sessions), self.tokens
        try:
            name, args = _read_step(given)
            self._spend(args)
            own = read_text(args, "s", default="a")
            session = self.sessions.get(own) or Session(setup=self.setup, state=State(settings=self.setup.settings()))
            if name == "fork":
                self.sessions[read_text(args, "to")] = session
                after, answer = session, _standing(session)
            else:
                after, answer = STEPS[name](session, args)
        except KeelError as error:
            self.sessions, self.tokens = before, spent
            return {"error": {"kind": error.code, "message": str(error)}}
        self.sessions[own] = after
        return {"ok": answer}

    def _spend(self, args: Args) -> None:
        """Keeps the memory of a program within bounds. Raises `InvalidArgumentError`."""
        tokens = args.get("tokens")
        self.tokens += tokens if isinstance(tokens, int) and tokens > 0 else 0
        if self.tokens > MOST_TOKENS:
            raise InvalidArgumentError("tokens", f"a program holds at most {MOST_TOKENS} tokens in all")


def _read_step(given: object) -> tuple[str, Args]:
    match given:
        case [str() as name, dict() as args]:
            pass
        case _:
            raise InvalidArgumentError("steps", f"{given!r} is no step: a list of a name and an object is expected")
    if name != "fork" and name not in STEPS:
        raise InvalidArgumentError("steps", f"{name!r} is none of {', '.join(sorted((*STEPS, 'fork')))}")
    return name, args


def _append(session: Session, args: Args) -> tuple[Session, Answer]:
    row = build_row(session.next_number, args)
    session = _happen(evolve(session, next_number=session.next_number + 1), Appended(rows=(row,)))
    return session, _standing(session)


def _pass(session: Session, args: Args) -> tuple[Session, Answer]:
    source = args.get("source", "repl_main_thread")
    if not isinstance(source, str | None):
        raise InvalidArgumentError("source", f"{source!r} is neither a text nor null")
    run = _run(_with_snip(session, args), args)
    run.drive(PassBegun(source=source, now_ms=read_optional_whole(args, "at")))
    session = evolve(run.session, state=evolve(run.session.state, settings=session.state.settings))
    assert run.last is not None, "a pass ends in a request, or ends the turn"
    said = [found for found in run.trace if found.layer in {Layer.COMPACT, Layer.BLOCKING, Layer.SNIP}]
    answer = {
        "acted": [str(layer) for layer in run.last.acted],
        "compact": _why(said),
        "end": _end(run.last),
        **_standing(session, freed=_freed(said)),
        "sent": _names(run.last.rows) if isinstance(run.last, SendRequest) else [],
        "calls": run.calls,
    }
    return session, answer


def _compact(session: Session, args: Args) -> tuple[Session, Answer]:
    if "summary_tokens" in args:
        args = {**args, "summary": [{"tokens": read_whole(args, "summary_tokens")}]}
    run = _run(session, args)
    run.drive(CompactAsked())
    why = _why(found for found in run.trace if found.layer is Layer.COMPACT)
    view = run.session.state.view
    answer = {
        "done": why == Why.COMPACTED,
        "why": why,
        **_standing(run.session),
        "ids": _names(view),
        "calls": run.calls,
    }
    return run.session, answer


def _overflow(session: Session, args: Args) -> tuple[Session, Answer]:
    kind = read_text(args, "kind", default="prompt")
    if kind not in {"prompt", "media"}:
        raise InvalidArgumentError("kind", f"{kind!r} is neither prompt nor media")
    run = _run(session, args)
    run.drive(RequestRefused(is_media=kind == "media"))
    reasons = {found.why for found in run.trace if found.layer is Layer.RECOVERY}
    by = "collapse" if Why.COLLAPSE_RETRY in reasons else "reactive" if Why.REACTIVE_RETRY in reasons else None
    end = "retry" if isinstance(run.last, SendRequest) else "error"
    return run.session, {"end": end, "by": by, **_standing(run.session), "calls": run.calls}


def _observe(session: Session, args: Args) -> tuple[Session, Answer]:  # noqa: ARG001 (one signature for all)
    state = session.state
    answer = {
        **_standing(session),
        "percent_left": state_of(state.settings.limits, state.used).percent_left,
        "ids": _names(state.view),
        "failures": state.breaker.in_row,
        "suppressed": state.is_warning_suppressed,
    }
    return session, answer


def _read(session: Session, args: Args) -> tuple[Session, Answer]:
    tokens = read_whole(args, "tokens")
    session, _ = _write(session, args)
    return _happen(session, FileRead(path=read_text(args, "path"), size_bytes=tokens * UNITS)), {}


def _write(session: Session, args: Args) -> tuple[Session, Answer]:
    path = read_text(args, "path")
    disk = {name: file for name, file in session.disk.items() if name != path}
    if args.get("tokens") is not None:
        modified = read_optional_whole(args, "at") or 0
        disk[path] = OnDisk(tokens=read_whole(args, "tokens"), modified_ms=modified)
    return evolve(session, disk=disk), {}


def _skill(session: Session, args: Args) -> tuple[Session, Answer]:
    name = read_text(args, "name")
    used = Invocation(name=name, path=f"/skills/{name}", text=filler(read_whole(args, "tokens")))
    state = session.state
    return evolve(session, state=evolve(state, skills=(*state.skills, used))), {}


def _set(session: Session, args: Args) -> tuple[Session, Answer]:
    setup = session.setup.changed(args)
    session = _happen(evolve(session, setup=setup), SettingsChanged(settings=setup.settings()))
    return session, _standing(session)


def _clear(session: Session, args: Args) -> tuple[Session, Answer]:  # noqa: ARG001 (one signature for all)
    session = _happen(evolve(session, next_number=1), Cleared())
    return session, _standing(session)


def _resume(session: Session, args: Args) -> tuple[Session, Answer]:  # noqa: ARG001 (one signature for all)
    session = _happen(session, Resumed())
    return session, _standing(session)


STEPS: Final[Mapping[str, Callable[[Session, Args], tuple[Session, Answer]]]] = {
    "append": _append,
    "pass": _pass,
    "compact": _compact,
    "overflow": _overflow,
    "observe": _observe,
    "read": _read,
    "write": _write,
    "skill": _skill,
    "set": _set,
    "clear": _clear,
    "resume": _resume,
}
"""Every step but `fork`, which concerns two sessions."""


def _run(session: Session, args: Args) -> Run:
    fails = frozenset(f"pair-{pair}" for pair in read_list(args, "fails"))
    return Run(session=session, outcomes=read_outcomes(read_list(args, "summary")), fails=fails)


def _happen(session: Session, event: Event) -> Session:
    run = Run(session=session, outcomes=iter(()))
    run.drive(event)
    return run.session


def _with_snip(session: Session, args: Args) -> Session:
    """The session with what this pass would snip. Spec: CMP-040."""
    numbers = read_list(args, "snip")
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int):
            raise InvalidArgumentError("snip", f"{number!r} is no number of a row")

    def snip(rows: Sequence[Row]) -> Snipped:
        gone = [row for row in rows if row.get("number") in numbers]
        kept = [row for row in rows if row.get("number") not in numbers]
        return Snipped(rows=kept, freed_tokens=sum(map(row_cost, gone)))

    state = session.state
    return evolve(session, state=evolve(state, settings=evolve(state.settings, snip=snip)))


def _standing(session: Session, freed: int = 0) -> Answer:
    """How full the context is. Spec: CMP-180."""
    limits, used = session.state.settings.limits, max(0, session.state.used - freed)
    found = state_of(limits, used)
    bands = (
        (found.is_at_blocking, "blocking"),
        (found.is_above_auto, "auto"),
        (found.is_above_warning, "warning"),
    )
    return {"used": used, "band": next((band for holds, band in bands if holds), "ok")}


def _names(rows: Iterable[Row]) -> list[int | str]:
    return [name for row in rows if (name := name_of(row)) is not None]


def _why(said: Iterable[Any]) -> str | None:
    """The last word of layer 5."""
    return next((str(found.why) for found in reversed(list(said)) if found.layer is Layer.COMPACT), None)


def _freed(said: Iterable[Any]) -> int:
    """What snip freed in a pass that did not compact; a new list is counted as it is. Spec: CMP-041."""
    found = list(said)
    if any(one.why in {Why.COMPACTED, Why.COMPACTED_BY_NOTES} for one in found):
        return 0
    return sum(one.tokens or 0 for one in found if one.layer is Layer.SNIP)


def _end(last: SendRequest | EndTurn) -> str:
    if isinstance(last, SendRequest):
        return "sent"
    return "blocked" if last.end is End.BLOCKED else "stopped"
