"""Every sequence of events up to a length, on a small window: what random events may miss by bad luck."""

import copy
from collections.abc import Iterator
from itertools import count

import pytest

from keel_ref.choices import Gates
from keel_ref.compaction import (
    Aborted,
    Appended,
    Cleared,
    CompactAsked,
    Event,
    PassBegun,
    RequestRefused,
    Resumed,
    Settings,
    State,
    Summarised,
    SummaryRefused,
    step,
)
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.errors import InvalidArgumentError
from keel_ref.strategies.laws.turn import Course
from keel_ref.window import window_limits

LENGTH = 5
"""Events in a row."""
EVENTS: tuple[Event, ...] = (
    Appended(rows=({"role": "user", "text": "t" * 2_880},)),  # 720 tokens, the automatic threshold
    Appended(rows=({"role": "assistant", "id": "m", "text": "so", "usage": {"input_tokens": 760}},)),  # the limit
    PassBegun(),
    PassBegun(source="compact"),
    CompactAsked(),
    Summarised(content="fine"),
    Summarised(content=""),
    SummaryRefused(excess=None),
    RequestRefused(),
    Aborted(),
    Resumed(),
    Cleared(),
)


def walk(state: State, course: Course, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Each sequence that begins so, with what is wrong about its last step; what nobody waits for has no branch."""
    for place, event in enumerate(EVENTS):
        try:
            done = step(state, event)
        except InvalidArgumentError:
            continue  # the outcome of a call that nobody made
        own = copy.copy(course)
        yield (*path, place), own.breaches(state, event, done)
        if len(path) + 1 < LENGTH:
            yield from walk(done.state, own, (*path, place))


@clause("CMP-001", "CMP-004", "CMP-073", "CMP-091", "CMP-092")
@pytest.mark.parametrize("gates", [Gates(), Gates(reactive=True)], ids=["documented", "reactive"])
def test_every_short_sequence_keeps_every_law(gates: Gates) -> None:
    """Nothing is wrong about any of them, and there are tens of thousands."""
    start = State(settings=Settings(limits=window_limits(constants=TINY), gates=gates, constants=TINY))
    number = count()
    wrong = [(path, said) for path, said in walk(start, Course(), ()) if next(number) >= 0 and said]

    assert [] == wrong[:3]
    assert next(number) > 20_000
