"""What is measured for the table of the README. Each module has `measurements()`; `benches/table.py` runs them all."""

from collections.abc import Callable
from timeit import Timer

from attrs import frozen

ROUND_SECONDS = 0.001
"""A round of one side takes at least this long, so that the clock's grain does not show, and not much longer, so that
some rounds pass between two other processes."""
ROUNDS = 100
"""The best of so many is taken: what disturbs a run only ever makes it slower."""
LARGEST_NUMBER = 1_000_000
"""Calls in a round at most."""

Run = Timer | Callable[[], object]
"""What is timed; a `Timer` where the call of a function would weigh too much."""


@frozen(kw_only=True)
class Measurement:
    """One row of the table."""

    name: str
    """What is done, and to what."""
    subject: str
    """The function of ours."""
    peer: str
    """What it is compared with."""
    ratio: float | None
    """How many times as fast as the peer: the peer's time over ours. None where the peer cannot be had here."""
    bytes: int
    """Size of the input."""
    note: str = ""
    """What a reader has to know to judge the figure."""


def ratio_of(subject: Run, peer: Run, rounds: int = ROUNDS) -> float:
    """How many times as fast as the peer: the best time of each, from rounds that take turns.

    Both are measured in one process and one after the other, so what the machine does besides hits both alike.
    """
    sides = [one if isinstance(one, Timer) else Timer(one) for one in (subject, peer)]
    numbers = [_number_for(side) for side in sides]
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for at, (side, number) in enumerate(zip(sides, numbers, strict=True)):
            best[at] = min(best[at], side.timeit(number) / number)
    return best[1] / best[0]


def _number_for(side: Timer) -> int:
    """Calls that fill a round; the first calls also warm the side up."""
    number = 1
    while (seconds := side.timeit(number)) < ROUND_SECONDS and number < LARGEST_NUMBER:
        number = min(LARGEST_NUMBER, max(2 * number, int(number * ROUND_SECONDS / max(seconds, 1e-9))))
    return number
