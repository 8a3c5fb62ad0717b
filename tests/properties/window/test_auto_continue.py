"""Turns that go on by themselves end, and prompts state what they state."""

from itertools import accumulate

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.constants import Constants
from keel_ref.strategies.text import any_text
from keel_ref.strategies.windows import constants
from keel_ref.window.auto_continue import Progress, Verdict, decide, decide_all, remaining_budget
from keel_ref.window.budget import budget_in

STEPS = st.lists(st.integers(0, 2_000), max_size=30)
UNITS = st.sampled_from([("k", 1_000), ("M", 1_000_000), ("b", 1_000_000_000)])


@clause("WIN-044")
@given(st.lists(st.integers(0, 499), max_size=12), st.integers(1, 10**9), constants())
def test_small_steps_end_a_turn(steps: list[int], budget: int, values: Constants) -> None:
    """With increments below the limit a turn goes on at most three times."""
    small = [step % values.diminishing_tokens for step in steps]
    decisions = decide_all(accumulate(small), budget=budget, is_gate_on=True, constants=values)

    assert sum(one.is_continued for one in decisions) <= values.diminishing_continuations


@clause("WIN-043", "WIN-045")
@given(STEPS, st.integers(1, 40_000), constants())
def test_no_turn_goes_on_at_nine_tenths(steps: list[int], budget: int, values: Constants) -> None:
    """Each continuation was below, each other end has its reason, and only the last decision is one."""
    totals = list(accumulate(steps))
    decisions = decide_all(totals, budget=budget, is_gate_on=True, constants=values)

    assert all(total * 10 < budget * 9 for total, one in zip(totals, decisions, strict=False) if one.is_continued)
    assert all(one.is_continued for one in decisions[:-1])
    assert len(decisions) == len(totals) or not decisions[-1].is_continued


@clause("WIN-045")
@given(STEPS, st.integers(1, 40_000))
def test_progress_says_what_happened(steps: list[int], budget: int) -> None:
    """The number of continuations, the last total and the last step are those of the decisions."""
    totals = list(accumulate(steps))
    decisions = decide_all(totals, budget=budget, is_gate_on=True)
    count = sum(one.is_continued for one in decisions)
    progress = decisions[-1].progress if decisions else Progress()

    assert count == progress.continuations
    assert ([0, *totals][count], [0, *steps][count]) == (progress.last_total, progress.last_increment)
    assert not decisions or decisions[-1].is_continued or decisions[-1].is_completion is (count > 0)


@clause("WIN-042")
@given(st.integers(0, 10**6), st.none() | st.integers(0, 10**6), st.booleans(), st.integers(0, 9))
def test_whoever_may_not_go_on_does_not(total: int, budget: int | None, is_gate_on: bool, count: int) -> None:
    """A sub-agent, a closed gate and no budget give a plain stop, and change nothing that is remembered."""
    progress = Progress(continuations=count)
    decision = decide(total, progress, budget=budget, is_gate_on=is_gate_on, is_sub_agent=is_gate_on and bool(budget))

    assert decision.verdict in {Verdict.GATE_OFF, Verdict.SUB_AGENT, Verdict.NO_BUDGET}
    assert decision == evolve(decision, percent=None, is_completion=False, progress=progress)


@clause("WIN-040", "WIN-041")
@given(
    st.integers(1, 9_000), st.integers(0, 999), UNITS, st.sampled_from(["+{} go", "go +{}", "go, use {} tokens now"])
)
def test_a_budget_is_what_was_written(whole: int, thousandths: int, unit: tuple[str, int], form: str) -> None:
    """Exactly, in every form and unit."""
    letter, factor = unit
    text = form.format(f"{whole}.{thousandths:03}{letter}")

    assert (whole * 1_000 + thousandths) * factor // 1_000 == budget_in(text)


@clause("WIN-040", "WIN-041")
@given(any_text())
def test_any_prompt_is_read(text: str) -> None:
    """It states a budget of at least 1, or none."""
    budget = budget_in(text)

    assert budget is None or budget >= 1


@clause("WIN-046")
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_budget_of_the_server_never_falls_below_nothing(remaining: int, context: int) -> None:
    """And never rises."""

    assert 0 <= remaining_budget(remaining, context) <= remaining
