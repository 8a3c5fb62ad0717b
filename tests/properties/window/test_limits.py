"""The limits of any session: how they lie to one another, and what moves them."""

from typing import Any

from attrs import asdict
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, WarningBase
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, Constants
from keel_ref.strategies.windows import amounts, constants, number_texts, percentage_texts, sessions, switch_texts
from keel_ref.window import Limits, ValueReason, window_limits
from keel_ref.window.variables import Variable

THRESHOLDS = ("effective", "warning", "error", "auto", "blocking")


def thresholds(limits: Limits) -> tuple[int, ...]:
    """The five amounts that are counted from the window."""
    return tuple(getattr(limits, name) for name in THRESHOLDS)


def amounts_of(limits: Limits) -> dict[str, Any]:
    """Everything but what is said about it."""
    return {name: value for name, value in asdict(limits).items() if name != "reports"}


def without(session: dict[str, Any], variable: Variable) -> dict[str, Any]:
    """The session in which the variable is not set."""
    return {**session, "env": {name: text for name, text in session["env"].items() if name != variable}}


def with_text(session: dict[str, Any], variable: Variable, text: str) -> dict[str, Any]:
    """The session in which the variable has that text."""
    return {**session, "env": {**session["env"], str(variable): text}}


@clause("WIN-011", "WIN-012")
@given(sessions())
def test_the_reserve_is_the_smaller_one(session: dict[str, Any]) -> None:
    """At most the cap, at most the maximum output, one of the two; the rest is effective, never below 0."""
    limits, cap = window_limits(**session), session["constants"].reserve_cap_tokens

    assert min(cap, limits.max_output) == limits.reserve
    assert max(0, limits.compact_window - limits.reserve) == limits.effective


@clause("WIN-013", "WIN-015", "WIN-016", "WIN-017")
@given(sessions())
def test_the_thresholds_are_in_order(session: dict[str, Any]) -> None:
    """While it is on: 0 ≤ warning = error ≤ auto ≤ blocking ≤ effective ≤ compact window ≤ window."""
    limits = window_limits(**session)

    assert limits.warning == limits.error
    assert 0 <= limits.auto <= limits.blocking <= limits.effective <= limits.compact_window <= limits.window
    assert not limits.is_enabled or limits.warning <= limits.auto


@clause("WIN-015", "WIN-018")
@given(sessions())
def test_off_the_base_is_what_was_chosen(session: dict[str, Any]) -> None:
    """Off, under `switch` it is the effective window; under `auto`, and on, the auto threshold."""
    limits = window_limits(**session)
    is_by_effective = not limits.is_enabled and session["choices"].warning_base is WarningBase.SWITCH
    base = limits.effective if is_by_effective else limits.auto

    assert max(0, base - session["constants"].warning_buffer_tokens) == limits.warning


@clause("WIN-010", "WIN-014")
@given(sessions(), number_texts(), percentage_texts())
def test_no_override_raises_anything(session: dict[str, Any], window: str, percentage: str) -> None:
    """Neither the compact window nor the percentage, whatever they are set to."""
    plain = without(without(session, Variable.AUTO_COMPACT_WINDOW), Variable.PERCENTAGE)
    changed = with_text(with_text(plain, Variable.AUTO_COMPACT_WINDOW, window), Variable.PERCENTAGE, percentage)
    before, after = window_limits(**plain), window_limits(**changed)

    assert all(low <= high for low, high in zip(thresholds(after), thresholds(before), strict=True))
    assert before.window == after.window


@clause("WIN-001", "WIN-012")
@given(sessions(), amounts(), amounts())
def test_everything_grows_with_the_window(session: dict[str, Any], one: int, other: int) -> None:
    """No threshold falls when a model has more room."""
    small, large = (window_limits(**{**session, "window": size}) for size in sorted((one, other)))

    assert all(low <= high for low, high in zip(thresholds(small), thresholds(large), strict=True))


@clause("WIN-007", "WIN-011")
@given(sessions(), amounts(), amounts())
def test_nothing_grows_with_the_maximum_output(session: dict[str, Any], one: int, other: int) -> None:
    """No threshold rises with it, and from the cap on none changes."""
    small, large = (window_limits(**{**session, "max_output": size}) for size in sorted((one, other)))
    capped = window_limits(**{**session, "max_output": session["constants"].reserve_cap_tokens})

    assert all(high <= low for low, high in zip(thresholds(small), thresholds(large), strict=True))
    assert large.reserve < session["constants"].reserve_cap_tokens or thresholds(capped) == thresholds(large)


@clause("WIN-031", "WIN-032")
@given(sessions(), st.sampled_from([Variable.AUTO_COMPACT_WINDOW, Variable.PERCENTAGE]), percentage_texts())
def test_what_is_ignored_is_as_if_it_were_not_set(session: dict[str, Any], variable: Variable, text: str) -> None:
    """And says so; any text at all gives limits."""
    given_, unset = window_limits(**with_text(session, variable, text)), window_limits(**without(session, variable))
    ignored = {ValueReason.NO_NUMBER, ValueReason.OUT_OF_RANGE}
    said = {one.reason for one in given_.reports if one.name == variable}

    assert not (said & ignored) or amounts_of(unset) == amounts_of(given_)
    assert bool(said) is bool(text)


@clause("WIN-030", "WIN-018")
@given(sessions(), switch_texts())
def test_a_switch_is_on_or_leaves_everything(session: dict[str, Any], text: str) -> None:
    """Either compaction is off because of it, or nothing is different without it."""
    limits = window_limits(**with_text(session, Variable.DISABLE_COMPACT, text))
    unset = window_limits(**without(session, Variable.DISABLE_COMPACT))

    assert not (limits.is_manual_enabled is False and limits.is_enabled)
    assert limits.is_manual_enabled is False or amounts_of(unset) == amounts_of(limits)


@clause("WIN-004")
@given(sessions())
def test_without_the_large_window_there_is_none(session: dict[str, Any]) -> None:
    """Whatever asks for it, but for an internal user."""
    limits = window_limits(**with_text(without(session, Variable.USER_TYPE), Variable.DISABLE_1M_CONTEXT, "1"))

    assert limits.window <= session["constants"].default_window_tokens


@clause("WIN-017", "WIN-033")
@given(sessions())
def test_what_was_raised_to_nothing_is_told(session: dict[str, Any]) -> None:
    """A limit that is said to be clamped is 0, and no name is told so twice."""
    limits = window_limits(**session)
    clamped = [one.name for one in limits.reports if one.reason is ValueReason.CLAMPED]

    assert {0} >= {getattr(limits, name) for name in clamped if name != "auto"}
    assert sorted(set(clamped)) == sorted(clamped)


@clause("WIN-033")
@given(sessions())
def test_the_same_input_gives_the_same_limits(session: dict[str, Any]) -> None:
    """And is not changed."""
    env, settings = dict(session["env"]), dict(session["settings"])

    assert window_limits(**session) == window_limits(**session)
    assert (env, settings) == (session["env"], session["settings"])


@clause("WIN-013", "WIN-016")
@given(constants(), amounts())
def test_small_and_large_constants_are_alike(values: Constants, window: int) -> None:
    """Where nothing is below 0, the distances between the thresholds are those of the constants."""
    room = values.reserve_cap_tokens + values.auto_buffer_tokens + values.warning_buffer_tokens
    limits = window_limits(window=min(window + room, DEFAULT.number_cap), constants=values, choices=Choices())

    assert values.auto_buffer_tokens == limits.effective - limits.auto
    assert values.blocking_buffer_tokens == limits.effective - limits.blocking
    assert values.warning_buffer_tokens == limits.auto - limits.warning
