"""The shrinker of programs, on a toy in this process."""

import pytest

from keel_ref.conformance.compare import NOTHING, Difference
from keel_ref.conformance.explore_probe import Seen
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.shrink_program import shrink_program
from keel_ref.conformance.verdict import Failure, Fault
from keel_ref.conformance.wire import ProgramItem
from tests.unit.conformance.program_toy_runs import fails_with, without_step

SMALL = {"window": 1_000, "max_output": 200, "auto_buffer": 80, "blocking_buffer": 40}
LONG = ProgramItem(
    config=SMALL,
    steps=(
        ["append", {"kind": "user", "tokens": 300, "at": 1_000}],
        ["append", {"kind": "tool_call", "tokens": 9, "pair": 1, "tool": "Read"}],
        ["append", {"s": "b", "kind": "user", "tokens": 5}],
        ["append", {"kind": "tool_result", "tokens": 411, "pair": 1}],
        ["observe", {}],
        ["pass", {"summary": [{"fail": "empty"}, {"tokens": 5}]}],
        ["observe", {"s": "b"}],
    ),
)


def shrunk(
    item: ProgramItem, fault: str, max_tries: int = 2_000, max_seconds: float = 60.0
) -> tuple[ProgramItem, Ending]:
    """What a program comes down to that the toy with this fault is wrong about."""
    fails = fails_with(fault)
    seen = fails(item)
    assert seen is not None
    found = shrink_program(seen, fails, max_tries=max_tries, max_seconds=max_seconds)
    return found.seen.item, found.ending


def test_a_threshold_is_left_in_one_step() -> None:
    """Rows are joined and plain; the joined size lies beyond what any row of the program had."""
    item, ending = shrunk(LONG, "auto-off-by-one")

    assert Ending.ONE_MINIMAL is ending
    assert [["append", {"kind": "user", "tokens": 720}]] == [*item.steps]


def test_no_single_step_of_a_minimal_program_can_go() -> None:
    """Which is what the word says."""
    item, _ = shrunk(LONG, "leak")
    fails = fails_with("leak")

    assert fails(item) is not None
    assert all(len(item.steps) == 1 or fails(without_step(item, place)) is None for place in range(len(item.steps)))


@pytest.mark.parametrize(("tries", "seconds", "ending"), [(3, 60.0, Ending.TRIES), (2_000, 0.0, Ending.TIME)])
def test_an_end_before_the_smallest_is_said(tries: int, seconds: float, ending: Ending) -> None:
    """Nobody shall call one-minimal what was not tried."""

    assert ending is shrunk(LONG, "auto-off-by-one", tries, seconds)[1]


def test_a_candidate_that_fails_in_another_way_does_not_count() -> None:
    """A crash is never made smaller into a wrong answer."""
    crash = Failure(kind=FailureKind.CRASH, fault=Fault.ADAPTER, message="it died")

    def fails(item: ProgramItem) -> Seen | None:
        if ["resume", {}] in item.steps:
            return Seen(item=item, expect={}, failure=crash)
        return fails_with("leak")(item)

    program = ProgramItem(config=SMALL, steps=(*LONG.steps, ["resume", {}], ["observe", {}]))
    seen = fails(program)
    assert seen is not None
    found = shrink_program(seen, fails)

    assert [["resume", {}]] == [*found.seen.item.steps]
    assert {} == found.seen.item.config


def test_what_is_no_step_can_be_left_out_too() -> None:
    """The shrinker works on what is sent, whatever that is."""
    odd = ProgramItem(config={}, steps=("odd", ["append", {"kind": "progress", "tokens": 4}], 7, []))
    found, ending = shrunk(odd, "progress-counts")

    assert [["append", {"kind": "progress", "tokens": 1}]] == [*found.steps]
    assert Ending.ONE_MINIMAL is ending


def test_a_wrong_result_is_never_made_smaller_into_a_refusal() -> None:
    """An adapter that refuses what the model takes is wrong too, but about another thing."""
    sums = fails_with("leak")

    def fails(item: ProgramItem) -> Seen | None:
        if any("tool" not in step[1] for step in item.steps if step[1].get("kind") == "tool_call"):
            refused = Difference(path="[0].ok", expected={}, got=NOTHING)
            failure = Failure(
                kind=FailureKind.MISMATCH, fault=Fault.IMPLEMENTATION, message=str(refused), difference=refused
            )
            return Seen(item=item, expect={"subset": [{"ok": {}}]}, failure=failure)
        return sums(item)

    seen = fails(LONG)
    assert seen is not None
    found = shrink_program(seen, fails)

    assert seen.way == found.seen.way
    assert all("tool" in step[1] for step in found.seen.item.steps if step[1].get("kind") == "tool_call")


def test_a_config_that_makes_fewer_steps_enough_is_taken() -> None:
    """Six calls that show something by default are two where one result is kept; a config that spares none is not."""
    crash = Failure(kind=FailureKind.CRASH, fault=Fault.ADAPTER, message="it died")

    def fails(item: ProgramItem) -> Seen | None:
        kept = int(item.config.get("keep_results", 5))
        return Seen(item=item, expect={}, failure=crash) if len(item.steps) > kept else None

    def fails_always(item: ProgramItem) -> Seen | None:
        return Seen(item=item, expect={}, failure=crash) if len(item.steps) > 1 else None

    program = ProgramItem(config={}, steps=tuple(["observe", {"s": f"s{place}"}] for place in range(9)))
    results = []
    for attempt in (fails, fails_always):
        seen = attempt(program)
        assert seen is not None
        results.append(shrink_program(seen, attempt, max_seconds=60.0).seen.item)

    assert [2, 2] == [len(item.steps) for item in results]
    assert 1 == results[0].config["keep_results"]
    assert {} == results[1].config
