"""The table of measurements in the README, and how its ratios come about."""

from timeit import Timer

import pytest

from benches import table
from benches.measure import Measurement, ratio_of


class Clock:
    """Time that passes only when somebody says so."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.seconds = 0.0

    def call_that_takes(self, *seconds: float) -> Timer:
        """A call that takes these times one after the other, and the last for ever."""
        left = list(seconds)

        def call() -> None:
            self.seconds += left.pop(0) if len(left) > 1 else left[0]

        return Timer(call, timer=lambda: self.seconds)


def test_a_ratio_says_how_many_times_as_fast_ours_is() -> None:
    """The time of the peer over ours."""
    clock = Clock()

    assert pytest.approx(3) == ratio_of(clock.call_that_takes(0.01), clock.call_that_takes(0.03))


def test_a_ratio_stands_on_the_best_time_of_each_side() -> None:
    """What disturbs a run makes it slower, never faster."""
    clock = Clock()
    disturbed = clock.call_that_takes(0.5, 0.5, 0.02, 0.5)

    assert pytest.approx(2) == ratio_of(disturbed, clock.call_that_takes(0.04))


def test_a_ratio_of_short_calls_times_many_of_them() -> None:
    """A round lasts long enough for the grain of any clock."""
    clock = Clock()

    assert pytest.approx(0.5) == ratio_of(clock.call_that_takes(2e-6), clock.call_that_takes(1e-6), rounds=2)


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(0.0372, "0.037"), (0.999, "1"), (1.04, "1"), (9.96, "10"), (56.48, "56"), (6551.1, "6,600"), (35895.0, "36,000")],
)
def test_a_figure_has_two_digits_that_count(ratio: float, expected: str) -> None:
    """The rest would be noise."""

    assert expected == table.figure(ratio)


def test_what_cannot_be_measured_is_named() -> None:
    """With the reason, instead of being left out."""
    one = Measurement(name="n", subject="s()", peer="p", ratio=None, bytes=1, note="its vocabulary is not here")

    assert "| n | `s()` | p | not measured | its vocabulary is not here |" == list(table.rows([one]))[-1]


@pytest.mark.parametrize("end", ["<!-- /bench -->", "<!-- bench -->"])
def test_the_table_takes_its_place_and_no_more(end: str) -> None:
    """What stands before and behind stays; what stood there goes, and a backslash is a backslash."""
    text = f"before\n<!-- bench -->\nold\n{end}\nbehind\n"

    assert f"before\n<!-- bench -->\nnew \\1\n{end}\nbehind\n" == table.with_table(text, "new \\1\n")


def test_writing_twice_changes_nothing() -> None:
    """The place is found again."""
    text = "a\n<!-- bench -->\n<!-- /bench -->\nb\n"
    once = table.with_table(text, "t\n")

    assert once == table.with_table(once, "t\n")
