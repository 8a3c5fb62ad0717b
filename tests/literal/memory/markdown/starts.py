"""How the blocks begin: one function for each kind, tried in the order of the table at the end."""

import re
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from tests.literal.memory.markdown.block import Block, Kind, ListMarker
from tests.literal.memory.markdown.html import find_block_type
from tests.literal.memory.markdown.line import Line, is_space_or_tab
from tests.literal.memory.markdown.reference import take_definitions

if TYPE_CHECKING:
    from tests.literal.memory.markdown.parser import BlockParser

ATX = re.compile(r"#{1,6}(?:[ \t]+|$)")
"""The opening of a heading of the first form."""

SETEXT = re.compile(r"(?:=+|-+)[ \t]*$")
"""The underline of a heading of the second form."""

FENCE = re.compile(r"`{3,}(?=[^`]*$)|~{3,}")
"""The opening of fenced code."""

THEMATIC_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
"""A thematic break."""

MARKER = re.compile(r"([*+-])|([0-9]{1,9})([.)])")
"""A bullet, or a number with its sign."""

MAX_SPACE_BEHIND_MARKER = 4
"""Columns behind the marker of an item above which its text begins with indented code."""


class Start(Enum):
    """What the attempt to begin a block gave."""

    NONE = "nothing begins"
    CONTAINER = "a block that holds blocks"
    LEAF = "a block that holds none"


def start_quote(parser: "BlockParser", line: Line, container: Block) -> Start:
    """A block quote."""
    del container
    if line.is_indented or not line.rest.startswith(">"):
        return Start.NONE
    line.skip_space()
    skip_quote_sign(line)
    parser.add(Kind.QUOTE, line)
    return Start.CONTAINER


def skip_quote_sign(line: Line) -> None:
    """Go behind the sign of a block quote and one blank, or one column of a tab, behind it."""
    line.skip_characters(1)
    if is_space_or_tab(line.at(line.offset)):
        line.skip_columns(1)


def start_atx_heading(parser: "BlockParser", line: Line, container: Block) -> Start:
    """A heading that begins with number signs."""
    del container
    found = None if line.is_indented else ATX.match(line.rest)
    if not found:
        return Start.NONE
    text = line.rest[found.end() :]
    heading = parser.add(Kind.HEADING, line)
    text = re.sub(r"^[ \t]*#+[ \t]*$", "", text)
    heading.lines.append(re.sub(r"[ \t]+#+[ \t]*$", "", text))
    line.skip_characters(len(line.text))
    return Start.LEAF


def start_fenced_code(parser: "BlockParser", line: Line, container: Block) -> Start:
    """Fenced code; the info string becomes its first line."""
    del container
    found = None if line.is_indented else FENCE.match(line.rest)
    if not found:
        return Start.NONE
    code = parser.add(Kind.FENCED, line)
    code.fence = found.group()
    code.fence_indent = line.indent
    line.skip_space()
    line.skip_characters(len(code.fence))
    return Start.LEAF


def start_html(parser: "BlockParser", line: Line, container: Block) -> Start:
    """An HTML block."""
    if line.is_indented or not line.rest.startswith("<"):
        return Start.NONE
    continues_paragraph = container.kind is Kind.PARAGRAPH or parser.may_continue_lazily(line)
    html_type = find_block_type(line.rest, continues_paragraph=continues_paragraph)
    if html_type == 0:
        return Start.NONE
    parser.add(Kind.HTML, line).html_type = html_type
    return Start.LEAF


def start_setext_heading(parser: "BlockParser", line: Line, container: Block) -> Start:
    """The underline that makes a paragraph a heading, unless it holds nothing but definitions."""
    if line.is_indented or container.kind is not Kind.PARAGRAPH or not SETEXT.match(line.rest):
        return Start.NONE
    parser.close_unmatched()
    text = take_definitions("\n".join(container.lines) + "\n", parser.document.names)
    if not text:
        return Start.NONE
    container.kind = Kind.HEADING
    container.lines = text.removesuffix("\n").split("\n")
    container.last_line = line.number
    line.skip_characters(len(line.text))
    return Start.LEAF


def start_thematic_break(parser: "BlockParser", line: Line, container: Block) -> Start:
    """A thematic break."""
    del container
    if line.is_indented or not THEMATIC_BREAK.match(line.rest):
        return Start.NONE
    parser.add(Kind.BREAK, line)
    line.skip_characters(len(line.text))
    return Start.LEAF


def start_item(parser: "BlockParser", line: Line, container: Block) -> Start:
    """A list item, and the list around it if it goes on with no list."""
    marker = None if line.is_indented else take_marker(line, container)
    if marker is None:
        return Start.NONE
    parser.close_unmatched()
    before = parser.tip.marker if parser.tip.kind is Kind.LIST else None
    if before is None or (before.ordered, before.sign) != (marker.ordered, marker.sign):
        parser.add(Kind.LIST, line).marker = marker
    parser.add(Kind.ITEM, line).marker = marker
    return Start.CONTAINER


def take_marker(line: Line, container: Block) -> ListMarker | None:
    """Read the marker of an item and the space behind it."""
    found = MARKER.match(line.rest)
    if not found:
        return None
    behind = line.rest[found.end() :]
    if behind and not is_space_or_tab(behind[0]):
        return None
    if container.kind is Kind.PARAGRAPH and ((found[2] and int(found[2]) != 1) or not behind.strip(" \t")):
        return None  # such an item cannot interrupt a paragraph
    marker = ListMarker(ordered=bool(found[2]), sign=found[1] or found[3], indent=line.indent)
    line.skip_space()
    line.skip_characters(found.end())
    columns = line.indent
    if line.is_blank or not 1 <= columns <= MAX_SPACE_BEHIND_MARKER:
        marker.padding = found.end() + 1
        line.skip_columns(min(columns, 1))
    else:
        marker.padding = found.end() + columns
        line.skip_columns(columns)
    return marker


def start_indented_code(parser: "BlockParser", line: Line, container: Block) -> Start:
    """Indented code; it cannot interrupt a paragraph."""
    del container
    if not line.is_indented or line.is_blank or parser.tip.kind is Kind.PARAGRAPH:
        return Start.NONE
    line.skip_columns(4)
    parser.add(Kind.INDENTED, line)
    return Start.LEAF


STARTS: tuple[Callable[["BlockParser", Line, Block], Start], ...] = (
    start_quote,
    start_atx_heading,
    start_fenced_code,
    start_html,
    start_setext_heading,
    start_thematic_break,
    start_item,
    start_indented_code,
)
"""What is tried at the start of a line, in this order."""
