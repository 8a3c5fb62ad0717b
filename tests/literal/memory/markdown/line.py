"""One line of a text and how far it has been read, in columns, with tabs of four columns."""

import re

import attrs

SPACE = re.compile(r"[ \t]*")
"""Blanks and tabs."""

TAB_COLUMNS = 4
"""Distance of tab stops."""


def is_space_or_tab(character: str) -> bool:
    """Whether it is a blank or a tab."""
    return character in {" ", "\t"}


@attrs.define
class Line:
    """A line and a position in it."""

    text: str
    """The line without its line end."""
    number: int
    """Index of the line in the text."""
    offset: int = 0
    """Characters that were read."""
    column: int = 0
    """Columns that were read."""
    is_inside_tab: bool = False
    """Whether only a part of the tab at the offset was read."""

    def at(self, offset: int) -> str:
        """The character at an offset; empty behind the end."""
        return self.text[offset] if offset < len(self.text) else ""

    @property
    def next_nonspace(self) -> int:
        """Offset of the next character that is neither blank nor tab."""
        found = SPACE.match(self.text, self.offset)
        assert found
        return found.end()

    @property
    def indent(self) -> int:
        """Columns from here to the next character that is neither blank nor tab."""
        space = self.text[self.offset : self.next_nonspace]
        if "\t" not in space:
            return len(space)
        column = self.column
        for character in space:
            column += TAB_COLUMNS - column % TAB_COLUMNS if character == "\t" else 1
        return column - self.column

    @property
    def is_indented(self) -> bool:
        """Whether it is indented enough for code."""
        return self.indent >= TAB_COLUMNS

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks and tabs is left."""
        return self.at(self.next_nonspace) == ""

    @property
    def rest(self) -> str:
        """What stands from the next character on that is neither blank nor tab."""
        return self.text[self.next_nonspace :]

    def skip_space(self) -> None:
        """Go to the next character that is neither blank nor tab."""
        column = self.column + self.indent
        self.offset = self.next_nonspace
        self.column = column
        self.is_inside_tab = False

    def skip_characters(self, count: int) -> None:
        """Go on by characters."""
        for character in self.text[self.offset : self.offset + count]:
            self.column += TAB_COLUMNS - self.column % TAB_COLUMNS if character == "\t" else 1
            self.offset += 1
            self.is_inside_tab = False

    def skip_columns(self, count: int) -> None:
        """Go on by columns; a tab may be read in part."""
        while count > 0 and self.at(self.offset):
            if self.at(self.offset) != "\t":
                self.offset += 1
                self.column += 1
                self.is_inside_tab = False
                count -= 1
                continue
            columns_to_stop = TAB_COLUMNS - self.column % TAB_COLUMNS
            self.is_inside_tab = columns_to_stop > count
            taken = min(count, columns_to_stop)
            self.column += taken
            count -= taken
            if not self.is_inside_tab:
                self.offset += 1

    def take_rest(self) -> str:
        """The rest of the line; what is left of a tab that was read in part becomes blanks."""
        if not self.is_inside_tab:
            return self.text[self.offset :]
        return " " * (TAB_COLUMNS - self.column % TAB_COLUMNS) + self.text[self.offset + 1 :]
