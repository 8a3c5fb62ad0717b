"""The squares, one after another as the clauses say it."""

from fractions import Fraction
from typing import Any


def draw(categories: list[dict[str, Any]], window: int) -> tuple[dict[str, Any], list[int]]:
    """The grid, and how many squares each category has. Spec: CTX-120, CTX-121, CTX-122, CTX-123, CTX-124."""
    columns = 10 if window < 1_000_000 else 20  # [CTX-120]
    total = 10 * columns
    everything = sum(one["tokens"] for one in categories if not one["deferred"])  # [CTX-121]
    squares = [0] * len(categories)
    if everything == 0:
        return {"columns": columns, "rows": []}, squares  # [CTX-124]
    remainders = [Fraction(0)] * len(categories)
    for number, one in enumerate(categories):
        if one["deferred"] or one["tokens"] == 0:
            continue
        exact = Fraction(total * one["tokens"], everything)
        squares[number] = exact.numerator // exact.denominator
        remainders[number] = exact - squares[number]
        if squares[number] == 0:
            squares[number] = 1  # [CTX-121] what is there is seen
    while sum(squares) < total:  # [CTX-122] missing ones
        largest = max(remainders)
        first = remainders.index(largest)
        squares[first] += 1
        remainders[first] = Fraction(-1)
    while sum(squares) > total:  # [CTX-122] too many
        squares[squares.index(max(squares))] -= 1
    row: list[int] = []
    rows: list[list[int]] = []
    for number, count in enumerate(squares):
        for _ in range(count):
            row.append(number)  # [CTX-123]
            if len(row) == columns:
                rows.append(row)
                row = []
    return {"columns": columns, "rows": rows}, squares
