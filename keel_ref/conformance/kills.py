"""Programs in the middle of which the process ends: the step `kill` of tests. Spec: protocol.md (resume), CMP-181."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.wire import ProgramItem

KILL: Final = "kill"
"""A step that no adapter ever sees: the suite ends the process there, and another takes the session up."""
RESUME: Final = "resume"
FIRST_SESSION: Final = "a"


@frozen(kw_only=True)
class Part:
    """What one process is asked."""

    item: ProgramItem
    """The steps up to the next end of the process."""
    session: str | None
    """The session that is taken up first; None in the first part."""


def is_kill(step: object) -> bool:
    """Whether the suite ends the process here."""
    return isinstance(step, list | tuple) and step[:1] in ([KILL], (KILL,))


def cut_at_kills(item: ProgramItem, state: str) -> Iterator[Part]:
    """The parts of a program, which leave their sessions in that folder."""
    session: str | None = None
    steps: list[Any] = []
    for step in item.steps:
        if not is_kill(step):
            steps.append(step)
            continue
        yield Part(item=evolve(item, steps=tuple(steps), state=state), session=session)
        session, steps = step[1].get("s", FIRST_SESSION), []
    yield Part(item=evolve(item, steps=tuple(steps), state=state), session=session)


def without_kills(steps: Sequence[Any]) -> Sequence[Any]:
    """The same steps for one process: where it would end, the session is left and taken up again. Spec: CMP-181."""
    if not isinstance(steps, list | tuple):
        return steps
    return [[RESUME, *step[1:]] if is_kill(step) else step for step in steps]
