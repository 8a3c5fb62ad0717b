"""Budgets of prompts, and turns that go on until they are spent."""

from time import perf_counter

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.window.auto_continue import Progress, Verdict, decide, decide_all, remaining_budget
from keel_ref.window.budget import budget_in

LONG = 1_000_000
PATIENCE_SECONDS = 2


@clause("WIN-040", "WIN-041")
@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("+500k fix it", 500_000),
        ("fix it +1.5m.", 1_500_000),
        ("please use 2M tokens", 2_000_000),
        ("+0k use 2M tokens", None),
        ("add +500 lines", None),
    ],
)
def test_a_prompt_states_a_budget(text: str, budget: int | None) -> None:
    """At its start, at its end, or in words."""

    assert budget == budget_in(text)


@clause("WIN-040")
@pytest.mark.parametrize("piece", ["+1k ", "use ", "use 1 ", " ", "+", "9", "use 1k ", "0."])
def test_a_long_prompt_is_read_at_once(piece: str) -> None:
    """A megabyte of what nearly is a budget takes no time that anybody would notice."""
    text = "x" + piece * (LONG // len(piece)) + "x"
    start = perf_counter()
    budget_in(text)

    assert perf_counter() - start < PATIENCE_SECONDS


@clause("WIN-042")
def test_whoever_may_not_go_on_does_not() -> None:
    """The gate, the sub-agent, the budget, in this order."""

    assert Verdict.GATE_OFF is decide(1, Progress(), budget=None, is_gate_on=False, is_sub_agent=True).verdict
    assert Verdict.SUB_AGENT is decide(1, Progress(), budget=None, is_gate_on=True, is_sub_agent=True).verdict
    assert Verdict.NO_BUDGET is decide(1, Progress(), budget=0, is_gate_on=True).verdict


@clause("WIN-043", "WIN-045")
def test_a_turn_goes_on_to_nine_tenths() -> None:
    """It is told how far it is, and its end is told as one."""
    decisions = decide_all((600, 899, 900), budget=1_000, is_gate_on=True)

    assert [60, 90, 90] == [one.percent for one in decisions]
    assert [True, True, False] == [one.is_continued for one in decisions]
    assert [False, False, True] == [one.is_completion for one in decisions]


@clause("WIN-044")
def test_three_small_steps_are_the_last() -> None:
    """Whatever is left of the budget."""
    decisions = decide_all(range(1, 10), budget=10**6, is_gate_on=True)

    assert [Verdict.BELOW_BUDGET] * 3 + [Verdict.DIMINISHING] == [one.verdict for one in decisions]


@clause("WIN-046")
def test_a_compaction_is_paid_out_of_the_budget_of_the_server() -> None:
    """With the size of the last context, to nothing at most."""

    assert (300, 0) == (remaining_budget(1_000, 700), remaining_budget(100, 700))
