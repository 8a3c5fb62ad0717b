"""Other programs whose traces follow from that of a program that was drawn, so that nobody needs to ask the model.

Each holds whatever the rules are, by the language of programs: what only looks changes nothing, nor does what ends in
an error; sessions share nothing, whatever they are called; what comes later does not reach back; to take up a session
twice is to take it up once. Twice the window and twice all sizes is not among them, since images and cleared results
cost the same in any window; nor is a second compaction, which summarises the summary.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.program_drawing import DrawnProgram

ANYTHING: Final[Mapping[str, Any]] = {}
"""Stands in a trace for a step of which nothing follows."""


@frozen(kw_only=True)
class Variant:
    """A program that was made from another, and what follows for its trace."""

    relation: str
    """The name of what relates the two."""
    steps: Sequence[Any]
    trace: Sequence[Mapping[str, Any]]


def look_anywhere(draw: Draw, drawn: DrawnProgram) -> Variant:
    """A look at a session changes nothing."""
    return _insert(draw, drawn, "look-anywhere", ["observe", {"s": draw.pick(_names(drawn))}])


def fail_anywhere(draw: Draw, drawn: DrawnProgram) -> Variant:
    """A step that ends in an error changes nothing."""
    return _insert(draw, drawn, "fail-anywhere", ["append", {"s": draw.pick(_names(drawn)), "kind": "nobody"}])


def rename_sessions(_: Draw, drawn: DrawnProgram) -> Variant:
    """Names of sessions mean nothing."""
    steps = [_renamed(step) for step in drawn.steps]
    return Variant(relation="rename-sessions", steps=steps, trace=drawn.trace)


def one_session(draw: Draw, drawn: DrawnProgram) -> Variant:
    """What one session answers does not depend on the others; those that were forked from one another go together."""
    kept = {draw.pick(_names(drawn))}
    for step in (*drawn.steps, *reversed(drawn.steps), *drawn.steps):  # forks of forks, either way
        if step[0] == "fork" and {step[1].get("s", "a"), step[1]["to"]} & kept:
            kept |= {step[1].get("s", "a"), step[1]["to"]}
    pairs = zip(drawn.steps, drawn.trace, strict=True)
    chosen = [(step, outcome) for step, outcome in pairs if step[1].get("s", "a") in kept]
    return Variant(relation="one-session", steps=[step for step, _ in chosen], trace=[outcome for _, outcome in chosen])


def stop_early(draw: Draw, drawn: DrawnProgram) -> Variant:
    """What was answered does not depend on what came later."""
    end = draw.integer(1, len(drawn.steps))
    return Variant(relation="stop-early", steps=drawn.steps[:end], trace=drawn.trace[:end])


def resume_twice(_: Draw, drawn: DrawnProgram) -> Variant:
    """To take up a session twice in a row is to take it up once."""
    pairs = list(zip(drawn.steps, drawn.trace, strict=True))
    doubled = [pair for pair in pairs for _ in range(2 if pair[0][0] == "resume" else 1)]
    return Variant(
        relation="resume-twice", steps=[step for step, _ in doubled], trace=[outcome for _, outcome in doubled]
    )


RELATIONS: Final[tuple[Callable[[Draw, DrawnProgram], Variant], ...]] = (
    look_anywhere,
    fail_anywhere,
    rename_sessions,
    one_session,
    stop_early,
    resume_twice,
)
"""Every relation. A property holds the model to each."""


def _insert(draw: Draw, drawn: DrawnProgram, relation: str, step: Any) -> Variant:
    place = draw.integer(0, len(drawn.steps))
    return Variant(
        relation=relation,
        steps=[*drawn.steps[:place], step, *drawn.steps[place:]],
        trace=[*drawn.trace[:place], ANYTHING, *drawn.trace[place:]],
    )


def _names(drawn: DrawnProgram) -> tuple[str, ...]:
    """The sessions of a program, in the order in which they come."""
    return tuple(dict.fromkeys(step[1].get("s", "a") for step in drawn.steps))


def _renamed(step: Any) -> Any:
    name, args = step
    target = {"to": f"x{args['to']}"} if name == "fork" else {}
    return [name, {**args, "s": f"x{args.get('s', 'a')}", **target}]
