"""Programs that are drawn, and what the shrinker makes of those that fail."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel_ref.conformance.explore_model import reference_model, run_model
from keel_ref.conformance.line import encode_line
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.oracle import plain_trace
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.shrink_program import shrink_program
from keel_ref.conformance.wire import Ok, Program, ProgramItem, request_to_object
from keel_ref.strategies.draws import Draw, SeededDraw
from keel_ref.strategies.program_config import Thresholds
from keel_ref.strategies.program_drawing import LONGEST, DrawnProgram, draw_program
from keel_ref.strategies.program_relations import RELATIONS, Variant
from keel_ref.strategies.programs import HypothesisDraw, programs
from tests.unit.conformance.adapters.program_toy import start_program
from tests.unit.conformance.program_toy_runs import fails_with, without_step

FAULTS = ("auto-off-by-one", "no-reserve", "leak", "progress-counts", "keeps-last", "one-try-more", "resume-forgets")
MANY = 300


def item_of(drawn: DrawnProgram) -> ProgramItem:
    """What is sent."""
    return ProgramItem(config=drawn.config, steps=tuple(drawn.steps))


@given(programs(start_program))
def test_a_drawn_program_brings_the_trace_that_the_model_gives_it(drawn: DrawnProgram) -> None:
    """Drawing runs each step once, and that is as good as running the whole. It fits on a line of the wire."""

    assert Ok(value=[strip(step) for step in drawn.trace]) == run_model(start_program, item_of(drawn))
    assert 1 <= len(drawn.steps) <= LONGEST * 8
    assert encode_line(request_to_object(Program(id=1, item=item_of(drawn))))


def strip(step: object) -> object:
    """An error by its kind alone."""
    return {"error": {"kind": step["error"]["kind"]}} if isinstance(step, dict) and "error" in step else step


@given(st.integers(0, 2**32), st.integers(0, 10_000))
def test_a_seed_and_a_number_give_one_program(seed: int, index: int) -> None:
    """Whatever was drawn before, and by whom."""
    one, other = (draw_program(SeededDraw(seed, index), start_program) for _ in range(2))

    assert json.dumps([one.config, one.steps]) == json.dumps([other.config, other.steps])


@given(st.sampled_from(FAULTS), st.integers(0, 10_000))
@settings(deadline=None)
def test_what_is_shrunk_still_fails_and_is_one_minimal(fault: str, index: int) -> None:
    """No single step of it can go, and it is no larger than what it came from."""
    drawn = draw_program(SeededDraw(0, index), start_program)
    fails = fails_with(fault)
    seen = fails(item_of(drawn))
    if seen is None:
        return
    found = shrink_program(seen, fails, max_tries=20_000, max_seconds=60)
    item = found.seen.item

    assert Ending.ONE_MINIMAL is found.ending
    assert fails(item) is not None
    assert len(item.steps) <= len(drawn.steps)
    if len(item.steps) > 1:
        assert all(fails(without_step(item, place)) is None for place in range(len(item.steps)))


def test_programs_come_to_lie_on_each_side_of_each_threshold() -> None:
    """The context has each threshold's size, one token less and one more, again and again."""
    found: set[tuple[int, int]] = set()
    for index in range(MANY):
        drawn = draw_program(SeededDraw(0, index), start_program)
        sizes = Thresholds.of(drawn.config).context
        used = {step["ok"].get("used") for step in drawn.trace if "ok" in step}
        found |= {(place, by) for place, size in enumerate(sizes) for by in (-1, 0, 1) if size + by in used}

    assert {(place, by) for place in range(3) for by in (-1, 0, 1)} == found


@pytest.mark.parametrize("name", ["append", "pass", "compact", "overflow", "observe", "read", "write", "skill", "set"])
def test_every_kind_of_step_is_drawn(name: str) -> None:
    """And the rarer ones too, in a few hundred programs."""
    drawn = [draw_program(SeededDraw(0, index), start_program) for index in range(MANY)]
    names = {step[0] for one in drawn for step in one.steps}

    assert name in names
    assert {"clear", "fork", "resume"} <= names


@pytest.mark.parametrize("relate", RELATIONS, ids=lambda relate: relate.__name__)
@given(data=st.data())
def test_the_reference_keeps_to_each_relation(
    relate: Callable[[Draw, DrawnProgram], Variant], data: st.DataObject
) -> None:
    """What is said to follow from a trace does follow, or an honest implementation would be blamed."""
    start = reference_model({})
    drawn = data.draw(programs(start, longest=12))
    variant = relate(HypothesisDraw(data.draw), drawn)
    right = run_model(start, ProgramItem(config=drawn.config, steps=tuple(variant.steps)))

    assert right is not None
    assert variant.steps
    assert find_mismatch(parse_expectation({"subset": plain_trace(variant.trace)}), right) is None
