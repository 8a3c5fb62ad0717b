"""The limits of common sessions, in numbers, and their relations in the constants."""

import pytest
from attrs import evolve

import keel_ref
from keel_ref.choices import Choices, NumberForm, WarningBase
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.window import Limits, ValueReason, ValueReport, state_of, window_limits, window_state
from keel_ref.window.numbers import Decimal, read_percentage, read_whole


def ladder(limits: Limits) -> tuple[int, int, int, int, int]:
    """Effective, warning, error, auto, blocking."""
    return limits.effective, limits.warning, limits.error, limits.auto, limits.blocking


@clause("WIN-011", "WIN-012", "WIN-013", "WIN-015", "WIN-016", "WIN-017")
@pytest.mark.parametrize(
    ("window", "output", "expected"),
    [
        (200_000, 32_000, (180_000, 147_000, 147_000, 167_000, 177_000)),
        (200_000, 8_000, (192_000, 159_000, 159_000, 179_000, 189_000)),
        (200_000, 8_192, (191_808, 158_808, 158_808, 178_808, 188_808)),
        (200_000, 4_096, (195_904, 162_904, 162_904, 182_904, 192_904)),
        (1_000_000, 64_000, (980_000, 947_000, 947_000, 967_000, 977_000)),
        (50_000, 20_000, (30_000, 0, 0, 17_000, 27_000)),
        (32_000, 20_000, (12_000, 0, 0, 0, 9_000)),
    ],
)
def test_the_derived_table(window: int, output: int, expected: tuple[int, ...]) -> None:
    """Every line of it."""

    assert expected == ladder(window_limits(window=window, max_output=output))


@clause("WIN-010", "WIN-014")
def test_both_overrides() -> None:
    """The reserve comes off between them."""
    env = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "350000", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "35"}

    assert 115_500 == window_limits(window=1_000_000, max_output=32_000, env=env).auto


@clause("WIN-015", "WIN-018")
@pytest.mark.parametrize(("base", "warning"), [(WarningBase.SWITCH, 160_000), (WarningBase.AUTO, 147_000)])
def test_the_base_of_the_warning_is_a_choice(base: WarningBase, warning: int) -> None:
    """Only with automatic compaction off."""
    settings = {"autoCompactEnabled": False}
    limits = window_limits(window=200_000, settings=settings, choices=Choices(warning_base=base))

    assert (False, True, warning) == (limits.is_enabled, limits.is_manual_enabled, limits.warning)


@clause("WIN-001", "WIN-007", "WIN-033")
def test_what_is_assumed_is_told() -> None:
    """In the order of the clauses."""
    limits = window_limits("nobody-knows")
    told = (ValueReport(ValueReason.ASSUMED, "window"), ValueReport(ValueReason.ASSUMED, "max_output"))

    assert (200_000, 20_000, told) == (limits.window, limits.max_output, limits.reports)
    assert {"reason": "assumed", "name": "window"} == told[0].as_object()


@clause("WIN-020", "WIN-022", "WIN-023", "WIN-024")
def test_a_state_by_its_public_name() -> None:
    """The package's own entrance gives what the parts give."""
    state = keel_ref.window_state("claude-3-5-haiku-20241022", 178_808, env={}, settings={})
    limits = keel_ref.window_limits("claude-3-5-haiku-20241022")

    assert state_of(limits, 178_808) == state == window_state("claude-3-5-haiku-20241022", 178_808)
    assert (True, False, 0) == (state.is_above_auto, state.is_at_blocking, state.percent_left)
    assert (894, None) == (state.used_per_mille(200_000), state.used_per_mille(0))
    assert state_of(limits, 178_808, freed=1).is_above_auto is False


@clause("WIN-021", "WIN-023")
@pytest.mark.parametrize(
    ("used", "percent"), [(0, 100), (100_000, 40), (167_000, 0), (10**30, 0), (5e4, 70), (0.5, 100), (-1, 100)]
)
def test_the_gauge(used: object, percent: int) -> None:
    """Whole numbers count however they are stored; what is none counts as 0."""

    assert percent == state_of(window_limits(window=200_000, max_output=32_000), used).percent_left


@clause("WIN-031", "WIN-032")
def test_numbers_are_read_to_the_cap() -> None:
    """A very long text is no number, a long number is out of range, and no power is taken that cannot be held."""
    prefix = NumberForm.PREFIX

    assert (None, (ValueReason.NO_NUMBER,)) == read_whole("1" * 100_000, prefix)
    assert (None, (ValueReason.OUT_OF_RANGE,)) == read_whole("1" * 100, prefix)
    assert (None, (ValueReason.OUT_OF_RANGE,)) == read_percentage("1e" + "9" * 90, prefix)
    number, _ = read_percentage("1e-" + "9" * 90, prefix)
    assert number is not None
    assert 0 == number.share_of(DEFAULT.number_cap)
    assert 7 == Decimal(1, 2).share_of(7)


@clause("WIN-030")
def test_a_text_that_is_no_switch_is_told() -> None:
    """`y` looks like a yes and is none."""
    limits = window_limits(env={"DISABLE_COMPACT": "y"}, window=200_000, max_output=1)

    assert limits.is_enabled
    assert (ValueReport(ValueReason.NO_SWITCH, "DISABLE_COMPACT"),) == limits.reports


@clause("WIN-013")
def test_the_relations_of_the_constants_are_held() -> None:
    """In small as in large; a set that breaks one cannot be made."""

    assert (800, 660, 660, 720, 760) == ladder(window_limits(constants=TINY))
    with pytest.raises(AssertionError, match="both flags"):
        evolve(DEFAULT, error_buffer_tokens=1)
    with pytest.raises(AssertionError, match="has its chance"):
        evolve(DEFAULT, blocking_buffer_tokens=13_001)


def test_the_public_names_are_there() -> None:
    """As the design names them."""

    assert keel_ref.Limits is Limits
    assert {"Limits", "WindowState", "window_limits", "window_state"} <= set(keel_ref.__all__)
