"""The course of a context as a picture of characters, one column for one or more responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from keel_ref.units import div_ceil, div_half_up

HEIGHT: Final = 12
"""Rows of the picture."""
LABEL: Final = 7
"""Columns of the amounts at its left."""
NAMES: Final = 16
"""Columns of the names of the lines at its right."""
LEAST_COLUMNS: Final = 10
_EIGHTHS: Final = 8


@frozen(kw_only=True)
class Pens:
    """What is drawn with."""

    blocks: str
    """From an eighth of a square to a whole one."""
    rule: str
    axis: str
    corner: str
    floor: str


UNICODE: Final = Pens(blocks="▁▂▃▄▅▆▇█", rule="┄", axis="│", corner="└", floor="─")
ASCII: Final = Pens(blocks="....####", rule="-", axis="|", corner="+", floor="-")


@frozen(kw_only=True)
class Picture:
    """What is to be drawn."""

    sizes: Sequence[int]
    """Tokens, one amount for each response."""
    rules: Sequence[tuple[str, int]]
    """Thresholds with their names."""
    marks: Sequence[tuple[int, str]]
    """Letters below responses, by their place in `sizes`; of those in one column the first counts."""


def draw(picture: Picture, width: int, pens: Pens) -> Iterator[str]:
    """The lines of the picture, none wider than `width`; nothing for no response."""
    if not picture.sizes:
        return
    room = max(LEAST_COLUMNS, width - LABEL - NAMES - 1)
    per_column = div_ceil(len(picture.sizes), room)
    columns = [max(picture.sizes[at : at + per_column]) for at in range(0, len(picture.sizes), per_column)]
    repeat = max(1, min(3, room // len(columns)))
    top, rules = _scale(max(columns), picture.rules)
    names = _rows_of(rules, top)
    for row in range(HEIGHT - 1, -1, -1):
        label = _short(div_half_up(top * (row + 1), HEIGHT)) if row % 3 == 2 or row == HEIGHT - 1 else ""  # noqa: PLR2004 (every third)
        name = names.get(row, "")
        blank = pens.rule if name else " "
        body = "".join(_cell(size, row, top, pens, blank) * repeat for size in columns)
        yield f"{label:>{LABEL - 1}} {pens.axis}{body}{f' {name}' if name else ''}".rstrip()
    yield f"{'':>{LABEL}}{pens.corner}{pens.floor * (len(columns) * repeat)}"
    marks = _mark_row(picture.marks, per_column, repeat, len(columns))
    if marks:
        yield f"{'':>{LABEL}} {marks}"
    last = f"{len(picture.sizes):,}"
    gap = len(columns) * repeat - 1 - len(last)
    yield f"{'':>{LABEL}} 1{' ' * gap}{last}" if gap > 0 else f"{'':>{LABEL}} 1 to {last}"


def _scale(largest: int, rules: Sequence[tuple[str, int]]) -> tuple[int, Sequence[tuple[str, int]]]:
    """The amount at the top, and the lines that are in the picture: none where all are far above."""
    highest = max((at for _, at in rules), default=0)
    lowest = min((at for _, at in rules), default=0)
    if largest * 4 < lowest:
        return max(1, largest), ()
    return max(1, largest, highest), rules


def _rows_of(rules: Sequence[tuple[str, int]], top: int) -> dict[int, str]:
    """The name that stands in each row; of two in one row both, with a comma."""
    found: dict[int, str] = {}
    for name, at in sorted(rules, key=lambda rule: -rule[1]):
        row = min(HEIGHT - 1, max(0, div_half_up(at * HEIGHT, top) - 1))
        told = f"{name} {_short(at)}"
        found[row] = f"{found[row]}, {told}" if row in found else told
    return {row: name if len(name) < NAMES else _without_amounts(name) for row, name in found.items()}


def _without_amounts(name: str) -> str:
    return ", ".join(part.rpartition(" ")[0] for part in name.split(", "))[: NAMES - 1]


def _cell(size: int, row: int, top: int, pens: Pens, blank: str) -> str:
    eighths = div_half_up(size * HEIGHT * _EIGHTHS, top) - row * _EIGHTHS
    if size and row == 0:
        eighths = max(1, eighths)  # what is there is seen
    return blank if eighths <= 0 else pens.blocks[min(_EIGHTHS, eighths) - 1]


def _mark_row(marks: Sequence[tuple[int, str]], per_column: int, repeat: int, columns: int) -> str:
    cells = [" "] * (columns * repeat)
    for place, letter in marks:
        at = min(place // per_column, columns - 1) * repeat
        if cells[at] == " ":
            cells[at] = letter
    return "".join(cells).rstrip()


def _short(amount: int) -> str:
    """An amount in at most six characters."""
    if amount < 10_000:  # noqa: PLR2004 (five characters with the comma)
        return f"{amount:,}"
    if amount < 1_000_000:  # noqa: PLR2004 (a million)
        return f"{div_half_up(amount, 1_000):,}k"
    tenths = div_half_up(amount, 100_000)
    return f"{tenths // 10:,}.{tenths % 10}M"
