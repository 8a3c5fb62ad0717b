"""Where any use stands: fields that only go one way, and a gauge that never shows nonsense."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.strategies.windows import amounts, sessions
from keel_ref.window import WindowState, state_of, window_limits

USES = st.integers(0, 2_000) | amounts()
ANYTHING: st.SearchStrategy[Any] = (
    USES | st.integers(-5, 0) | st.floats() | st.text(max_size=3) | st.booleans() | st.none() | st.just([])
)


def flags(state: WindowState) -> tuple[bool, ...]:
    """The four that are true or false."""
    return state.is_above_warning, state.is_above_error, state.is_above_auto, state.is_at_blocking


@clause("WIN-021", "WIN-023")
@given(sessions(), ANYTHING)
def test_the_percentage_left_is_a_percentage(session: dict[str, Any], used: Any) -> None:
    """Between 0 and 100, whatever is handed over."""

    assert 0 <= state_of(window_limits(**session), used).percent_left <= 100


@clause("WIN-020", "WIN-021")
@given(sessions(), USES, USES)
def test_more_use_never_looks_like_less(session: dict[str, Any], one: int, other: int) -> None:
    """When the use rises, no flag falls and what is left does not rise."""
    limits = window_limits(**session)
    less, more = (state_of(limits, used) for used in sorted((one, other)))

    assert more.percent_left <= less.percent_left
    assert all(late or not early for early, late in zip(flags(less), flags(more), strict=True))


@clause("WIN-018", "WIN-020")
@given(sessions(), USES)
def test_off_nothing_is_due(session: dict[str, Any], used: int) -> None:
    """And on, it is due from the threshold on."""
    limits = window_limits(**session)

    assert (limits.is_enabled and used >= limits.auto) is state_of(limits, used).is_above_auto


@clause("WIN-022")
@given(sessions(), USES, USES, USES)
def test_what_is_freed_never_makes_it_due(session: dict[str, Any], used: int, one: int, other: int) -> None:
    """The more is freed, the less is set."""
    limits = window_limits(**session)
    less, more = (state_of(limits, used, freed=freed) for freed in sorted((one, other)))

    assert all(early or not late for early, late in zip(flags(less), flags(more), strict=True))
    assert less.percent_left <= more.percent_left


@clause("WIN-017")
@given(sessions(), USES)
def test_a_window_without_room_is_always_full(session: dict[str, Any], used: int) -> None:
    """Every flag is set and nothing is left, also of a use of 0."""
    limits = window_limits(**{**session, "window": 1, "model": None, "betas": (), "env": {}})
    state = state_of(limits, used)

    assert 0 == limits.effective
    assert (0, (True, True, limits.is_enabled, True)) == (state.percent_left, flags(state))


@clause("WIN-024")
@given(sessions(), USES)
def test_shares_are_larger_of_smaller_bases(session: dict[str, Any], used: int) -> None:
    """Of the effective window at least what it is of the window, rounded half up."""
    state = state_of(window_limits(**session), used)
    of_window, of_effective = (state.used_per_mille(base) for base in (state.limits.window, state.limits.effective))

    assert of_window is not None
    assert of_effective is None or of_window <= of_effective
    assert abs(of_window * state.limits.window - used * 1_000) * 2 <= state.limits.window
