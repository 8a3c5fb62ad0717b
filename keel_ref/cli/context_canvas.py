"""Lines with styles, and the grid beside its legend, for terminals of every kind."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from attrs import frozen

from keel_ref.cli.options import is_terminal
from keel_ref.context.categories import COLOURS, Category, Share
from keel_ref.context.usage import UsageReport

Line = tuple[tuple[str, str], ...]
"""Pieces of text, each with its style, which may be empty."""
PLAIN_WIDTH: Final = 100
"""Columns where there is no terminal, so that a file holds the same everywhere."""
GAP: Final = "   "
"""Between the grid and its legend."""
STYLES: Final[Mapping[str, str]] = {
    "cyan": "cyan",
    "blue": "blue",
    "teal": "dark_cyan",
    "pale-teal": "dim dark_cyan",
    "pale-blue": "dim blue",
    "green": "green",
    "orange": "dark_orange",
    "yellow": "yellow",
    "purple": "magenta",
    "grey": "bright_white",
    "free": "bright_black",
    "buffer": "red",
}
"""A style for each colour of a category."""
LETTERS: Final[Mapping[Category, str]] = {
    Category.SYSTEM_PROMPT: "P",
    Category.SYSTEM_TOOLS: "T",
    Category.MCP_TOOLS: "M",
    Category.MCP_TOOLS_DEFERRED: "-",
    Category.SYSTEM_TOOLS_DEFERRED: "-",
    Category.AGENTS: "A",
    Category.MEMORY_FILES: "F",
    Category.SKILLS: "S",
    Category.MESSAGES: "C",
    Category.UNATTRIBUTED: "?",
    Category.FREE: ".",
    Category.BUFFER: "#",
}
"""What stands in a square where there are no colours."""
SQUARES: Final[Mapping[Category, str]] = {
    **dict.fromkeys(Category, "\N{BLACK SQUARE}"),
    Category.MCP_TOOLS_DEFERRED: "-",
    Category.SYSTEM_TOOLS_DEFERRED: "-",
    Category.FREE: "\N{WHITE SQUARE}",
    Category.BUFFER: "\N{WHITE SQUARE CONTAINING BLACK SMALL SQUARE}",
}
"""What stands there where there are."""


def plain(text: str) -> Line:
    """A line without a style."""
    return ((text, ""),)


def told(text: str, style: str) -> Line:
    """A line in one style."""
    return ((text, style),)


@frozen(kw_only=True)
class Canvas:
    """Where lines are drawn."""

    width: int
    """Columns."""
    has_colours: bool
    """Whether styles are shown; without them letters stand for colours."""
    has_squares: bool
    """Whether characters beyond ASCII can be written."""

    @classmethod
    def of_stdout(cls) -> Canvas:
        """Colours on a terminal only, and never against NO_COLOR."""
        has_colours = is_terminal()
        is_screen = sys.stdout is not None and sys.stdout.isatty()
        width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if is_screen else PLAIN_WIDTH
        encoding = ("" if sys.stdout is None else sys.stdout.encoding or "").lower().replace("-", "")
        return cls(width=width, has_colours=has_colours, has_squares=has_colours and encoding == "utf8")

    def drawn(self, lines: Sequence[Line]) -> str:
        """The lines as text that a terminal shows."""
        if not self.has_colours:
            return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)
        from rich.console import Console  # takes longer to import than the rest takes
        from rich.text import Text

        screen = io.StringIO()
        console = Console(file=screen, force_terminal=True, width=self.width, highlight=False)
        for line in lines:
            console.print(Text.assemble(*line), soft_wrap=True)
        return screen.getvalue()

    def grid(self, report: UsageReport) -> list[Line]:
        """The grid and its legend, side by side where there is room, else one below the other."""
        rows = [self._row(report, row) for row in report.grid.rows]
        legend = [self._entry(report, share) for share in report.categories]
        wide = max(_size(row) for row in rows)
        if wide + len(GAP) + max(_size(entry) for entry in legend) > self.width:
            return [*rows, plain(""), *legend, plain("")]
        lines = [
            ((" " * (wide if row is None else 0), ""), *(row or ()), (GAP, ""), *(entry or ()))
            for row, entry in zip_longest(rows, legend)
        ]
        return [*lines, plain("")]

    def _row(self, report: UsageReport, row: Sequence[int]) -> Line:
        return tuple(self._mark(report.categories[place], " ") for place in row)

    def _entry(self, report: UsageReport, share: Share) -> Line:
        tenths = report.per_mille(share.tokens)
        per_cent = "<0.1" if share.tokens and not tenths else f"{tenths // 10}.{tenths % 10}"
        words = f"{share.name:<23}  {share.tokens:>9,}  {per_cent:>5} %"
        return self._mark(share, " "), (words, "dim" if share.is_deferred else "")

    def _mark(self, share: Share, behind: str) -> tuple[str, str]:
        category = Category(share.name)
        marks = SQUARES if self.has_squares else LETTERS
        return marks[category] + behind, STYLES[COLOURS[category]]


def _size(line: Line) -> int:
    """Columns of a line of the grid or its legend, of which every character takes one."""
    return sum(len(text) for text, _ in line)
