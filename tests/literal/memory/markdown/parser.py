"""Cutting a text into blocks, line by line."""

import re

import attrs

from tests.literal.memory.markdown.block import TAKES_LINES, Block, Kind, can_hold
from tests.literal.memory.markdown.html import BLOCK_ENDS
from tests.literal.memory.markdown.line import Line, is_space_or_tab
from tests.literal.memory.markdown.reference import take_definitions
from tests.literal.memory.markdown.starts import STARTS, Start, skip_quote_sign

LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for CommonMark."""

ENDS_BEFORE_BLANK_LINE = 6
"""HTML blocks of this type and the next end before a blank line."""


@attrs.define(eq=False)
class Document:
    """A text that was cut into blocks."""

    root: Block
    """The block that holds all others."""
    names: set[str]
    """Names of the link reference definitions in it."""


class Goes(Exception):
    """The line was taken by the block that it ends."""


class BlockParser:
    """The blocks of the lines so far."""

    def __init__(self) -> None:
        root = Block(Kind.DOCUMENT, None, 0, 0)
        self.document = Document(root, set())
        """What has been read so far."""
        self.tip = root
        """The innermost block that is open."""
        self._old_tip = root
        self._last_matched = root

    def read(self, text: str) -> Document:
        """All blocks of a text."""
        lines = LINE_END.split(text)
        if lines[-1] == "":
            lines.pop()
        for number, line in enumerate(lines):
            self._read_line(Line(line, number))
        while self.tip.parent is not None:
            self.close(self.tip)
        return self.document

    def add(self, kind: Kind, line: Line) -> Block:
        """Close what the line does not go on with, and begin a block in the innermost open block that can hold it."""
        self.close_unmatched()
        while not can_hold(self.tip.kind, kind):
            self.close(self.tip)
        block = Block(kind, self.tip, line.number, line.number)
        self.tip.children.append(block)
        self.tip = block
        return block

    def close_unmatched(self) -> None:
        """Close the blocks that the line does not go on with."""
        while self._old_tip is not self._last_matched:
            parent = self._old_tip.parent
            assert parent is not None
            self.close(self._old_tip)
            self._old_tip = parent

    def close(self, block: Block) -> None:
        """Close one block; the definitions at the start of a paragraph are taken out of it."""
        block.is_open = False
        assert block.parent is not None
        self.tip = block.parent
        if block.kind is Kind.PARAGRAPH:
            text = take_definitions("\n".join(block.lines), self.document.names)
            block.lines = text.split("\n")
            if not text.strip(" \t\n"):
                block.parent.children.remove(block)

    def may_continue_lazily(self, line: Line) -> bool:
        """Whether the line could go on with a paragraph whose containers it does not go on with."""
        return self._old_tip is not self._last_matched and not line.is_blank and self.tip.kind is Kind.PARAGRAPH

    def _read_line(self, line: Line) -> None:
        self._old_tip = self.tip
        try:
            container = self._match_open_blocks(line)
        except Goes:
            return
        self._last_matched = container
        container = self._start_blocks(line, container)
        if self.may_continue_lazily(line):
            self._add_line(line)
            return
        self.close_unmatched()
        if container.kind in TAKES_LINES:
            self._add_line(line)
            ending = BLOCK_ENDS.get(container.html_type)
            if ending and ending.search(container.lines[-1]):
                self.close(container)
        elif line.offset < len(line.text) and not line.is_blank:
            line.skip_space()
            self.add(Kind.PARAGRAPH, line)
            self._add_line(line)

    def _match_open_blocks(self, line: Line) -> Block:
        """The innermost open block that the line goes on with."""
        container = self.document.root
        while (child := container.last_child) is not None and child.is_open:
            if not self._goes_on(child, line):
                break
            container = child
        return container

    def _goes_on(self, block: Block, line: Line) -> bool:
        match block.kind:
            case Kind.QUOTE:
                return _goes_on_with_quote(line)
            case Kind.ITEM:
                return _goes_on_with_item(block, line)
            case Kind.FENCED:
                self._goes_on_with_fenced_code(block, line)
                return True
            case Kind.INDENTED:
                return _goes_on_with_indented_code(line)
            case Kind.HTML:
                return not (line.is_blank and block.html_type >= ENDS_BEFORE_BLANK_LINE)
            case Kind.PARAGRAPH:
                return not line.is_blank
            case Kind.HEADING | Kind.BREAK:
                return False
            case Kind.LIST | Kind.DOCUMENT:
                return True

    def _goes_on_with_fenced_code(self, block: Block, line: Line) -> None:
        found = None if line.is_indented else re.match(r"(`{3,}|~{3,})[ \t]*$", line.rest)
        if found and found[1][0] == block.fence[0] and len(found[1]) >= len(block.fence):
            block.last_line = line.number
            self.close(block)
            raise Goes
        for _ in range(block.fence_indent):
            if is_space_or_tab(line.at(line.offset)):
                line.skip_columns(1)

    def _start_blocks(self, line: Line, container: Block) -> Block:
        """Begin the blocks that begin on this line; the innermost one."""
        while container.kind is Kind.PARAGRAPH or container.kind not in TAKES_LINES:
            for start in STARTS:
                begun = start(self, line, container)
                if begun is not Start.NONE:
                    break
            else:
                line.skip_space()
                return container
            container = self.tip
            if begun is Start.LEAF:
                return container
        return container

    def _add_line(self, line: Line) -> None:
        self.tip.lines.append(line.take_rest())
        block: Block | None = self.tip
        while block is not None:
            block.last_line = line.number
            block = block.parent


def _goes_on_with_quote(line: Line) -> bool:
    if line.is_indented or not line.rest.startswith(">"):
        return False
    line.skip_space()
    skip_quote_sign(line)
    return True


def _goes_on_with_item(block: Block, line: Line) -> bool:
    assert block.marker is not None
    if line.is_blank:
        line.skip_space()
        return bool(block.children)  # an item that begins with a blank line does not go on behind a second one
    columns = block.marker.indent + block.marker.padding
    if line.indent < columns:
        return False
    line.skip_columns(columns)
    return True


def _goes_on_with_indented_code(line: Line) -> bool:
    if line.is_indented:
        line.skip_columns(4)
    elif line.is_blank:
        line.skip_space()
    else:
        return False
    return True
