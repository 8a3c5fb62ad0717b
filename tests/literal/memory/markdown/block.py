"""The tree of blocks that a text is cut into."""

from enum import Enum

import attrs


class Kind(Enum):
    """The kinds of blocks."""

    DOCUMENT = "document"
    QUOTE = "block quote"
    LIST = "list"
    ITEM = "list item"
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    BREAK = "thematic break"
    FENCED = "fenced code"
    INDENTED = "indented code"
    HTML = "HTML block"


TAKES_LINES = frozenset({Kind.PARAGRAPH, Kind.FENCED, Kind.INDENTED, Kind.HTML})
"""Leaves to which further lines are added."""


@attrs.define(kw_only=True)
class ListMarker:
    """What the marker of a list item says."""

    ordered: bool
    """Whether the marker is a number."""
    sign: str
    """The bullet, or the character behind the number."""
    indent: int
    """Columns before the marker."""
    padding: int = 0
    """Columns from the marker to the text of the item."""


@attrs.define(eq=False)
class Block:
    """One block, open for further lines until it is closed."""

    kind: Kind
    """What it is."""
    parent: "Block | None"
    """The block that holds it; none for the document."""
    first_line: int
    """Index of its first line in the text."""
    last_line: int
    """Index of the last line that was added to it."""
    children: "list[Block]" = attrs.field(factory=list)
    """The blocks in it, in order."""
    is_open: bool = True
    """Whether it may still grow."""
    lines: list[str] = attrs.field(factory=list)
    """The text of a leaf, line by line, without what its containers take."""
    marker: ListMarker | None = None
    """Only of lists and items."""
    fence: str = ""
    """Only of fenced code: the opening fence."""
    fence_indent: int = 0
    """Only of fenced code: columns before the fence."""
    html_type: int = 0
    """Only of HTML blocks: the number of the start condition, from 1 to 7."""

    @property
    def last_child(self) -> "Block | None":
        """The block that was added last, if any."""
        return self.children[-1] if self.children else None


def can_hold(parent: Kind, child: Kind) -> bool:
    """Whether a block of one kind may stand directly in another."""
    if parent is Kind.LIST:
        return child is Kind.ITEM
    if parent in {Kind.DOCUMENT, Kind.QUOTE, Kind.ITEM}:
        return child is not Kind.ITEM
    return False
