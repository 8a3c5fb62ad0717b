"""The inline content of one block, cut into pieces: literal text, marks that may be emphasis, and ends of runs."""

import bisect
import re
import unicodedata

import attrs

from tests.literal.memory.markdown.emphasis import Delimiter, resolve_emphasis
from tests.literal.memory.markdown.html import AUTOLINK, find_inline_html
from tests.literal.memory.markdown.reference import PUNCTUATION, find_inline_target, find_label, name_of_label

PLAIN = re.compile(r"[^\n`\[\]\\!<&*_]+")
"""Characters that can be no token."""

BACK_TICKS = re.compile(r"`+")
"""A string of back-ticks."""


@attrs.define(eq=False)
class Piece:
    """A piece of inline content."""

    text: str
    """Literal text."""
    is_token: bool = False
    """Whether it is another token than text, so that it ends a run."""
    delimiter: Delimiter | None = None
    """What a run of emphasis marks may become; its characters that are left are literal text."""


@attrs.define(eq=False)
class Bracket:
    """An opening bracket that may begin the text of a link or image."""

    piece_index: int
    """Where its piece stands."""
    text_start: int
    """Index of the bracket itself in the content."""
    delimiters_before: int
    """How many delimiters stood on the stack before it."""
    is_image: bool
    """Whether an exclamation mark precedes it."""
    is_active: bool = True
    """Whether it may begin a link; no link holds another."""
    has_bracket_behind: bool = False
    """Whether another bracket was opened behind it."""


def is_space(character: str) -> bool:
    """Whether it is a Unicode whitespace character of CommonMark; so is the end of the content."""
    return character == "" or character in "\t\n\f\r" or unicodedata.category(character) == "Zs"


def is_punctuation(character: str) -> bool:
    """Whether it is a Unicode punctuation character of CommonMark."""
    return character != "" and unicodedata.category(character)[0] in "PS"


class InlineReader:
    """Reads the inline content of one block."""

    def __init__(self, text: str, names: set[str]) -> None:
        self.text = text.strip(" \t\n")
        """The content; the space at its ends is no part of it."""
        self.names = names
        """Names of the link reference definitions of the whole text."""
        self.index = 0
        """What has been read."""
        self.pieces: list[Piece] = []
        """What was found so far."""
        self.brackets: list[Bracket] = []
        """Opening brackets without a partner so far."""
        self.delimiters: list[Delimiter] = []
        """Emphasis marks without a partner so far."""
        self._missing_ends: set[str] = set()
        self._back_ticks: dict[int, list[int]] = {}
        for found in BACK_TICKS.finditer(self.text):
            self._back_ticks.setdefault(len(found.group()), []).append(found.start())

    def read(self) -> list[Piece]:
        """All pieces, in order."""
        while self.index < len(self.text):
            self._read_one()
        resolve_emphasis(self.delimiters, 0)
        return self.pieces

    def _read_one(self) -> None:
        match self.text[self.index]:
            case "\n":
                self._read_line_end()
            case "\\":
                self._read_backslash()
            case "`":
                self._read_code()
            case "*" | "_":
                self._read_delimiters()
            case "[":
                self._open_bracket(is_image=False)
            case "!" if self.text[self.index + 1 : self.index + 2] == "[":
                self._open_bracket(is_image=True)
            case "]":
                self._close_bracket()
            case "<":
                self._read_angle()
            case _:
                plain = PLAIN.match(self.text, self.index)
                self._add_text(plain.group() if plain else self.text[self.index])

    def _add_text(self, text: str) -> None:
        self.pieces.append(Piece(text))
        self.index += len(text)

    def _add_token(self, end: int) -> None:
        self.pieces.append(Piece("", is_token=True))
        self.index = end

    def _read_line_end(self) -> None:
        """A soft line break is white space of the run, a hard one ends it. [MEM-073]."""
        is_hard = False
        if self.pieces and not self.pieces[-1].is_token and self.pieces[-1].delimiter is None:
            last = self.pieces[-1]
            is_hard = last.text.endswith("  ")
            last.text = last.text.rstrip(" ")
        self.index += 1
        self.pieces.append(Piece("", is_token=True) if is_hard else Piece("\n"))
        while self.text[self.index : self.index + 1] == " ":
            self.index += 1

    def _read_backslash(self) -> None:
        """An escaped character is a token of its own, and so is a line end behind a backslash. [MEM-077]."""
        behind = self.text[self.index + 1 : self.index + 2]
        if behind == "\n":
            self._add_token(self.index + 2)
            while self.text[self.index : self.index + 1] == " ":
                self.index += 1
        elif behind and behind in PUNCTUATION:
            self._add_token(self.index + 2)
        else:
            self._add_text("\\")

    def _read_code(self) -> None:
        found = BACK_TICKS.match(self.text, self.index)
        assert found
        ticks = found.group()
        starts = self._back_ticks.get(len(ticks), [])
        place = bisect.bisect_left(starts, found.end())
        if place < len(starts):
            self._add_token(starts[place] + len(ticks))
        else:
            self._add_text(ticks)

    def _read_angle(self) -> None:
        autolink = AUTOLINK.match(self.text, self.index)
        end = autolink.end() if autolink else find_inline_html(self.text, self.index, self._missing_ends)
        if end is None:
            self._add_text("<")
        else:
            self._add_token(end)

    def _read_delimiters(self) -> None:
        character = self.text[self.index]
        end = self.index
        while self.text[end : end + 1] == character:
            end += 1
        before = self.text[self.index - 1] if self.index else ""
        behind = self.text[end : end + 1]
        is_left_flanking = not is_space(behind) and (
            not is_punctuation(behind) or is_space(before) or is_punctuation(before)
        )
        is_right_flanking = not is_space(before) and (
            not is_punctuation(before) or is_space(behind) or is_punctuation(behind)
        )
        if character == "_":
            can_open = is_left_flanking and (not is_right_flanking or is_punctuation(before))
            can_close = is_right_flanking and (not is_left_flanking or is_punctuation(behind))
        else:
            can_open, can_close = is_left_flanking, is_right_flanking
        count = end - self.index
        delimiter = Delimiter(character, count, count, can_open=can_open, can_close=can_close)
        self.delimiters.append(delimiter)
        self.pieces.append(Piece("", delimiter=delimiter))
        self.index = end

    def _open_bracket(self, *, is_image: bool) -> None:
        text = "![" if is_image else "["
        if self.brackets:
            self.brackets[-1].has_bracket_behind = True
        start = self.index + len(text) - 1
        self.brackets.append(Bracket(len(self.pieces), start, len(self.delimiters), is_image))
        self._add_text(text)

    def _close_bracket(self) -> None:
        if not self.brackets:
            self._add_text("]")
            return
        bracket = self.brackets.pop()
        end = self._find_end_of_link(bracket) if bracket.is_active else None
        if end is None:
            self._add_text("]")
            return
        resolve_emphasis(self.delimiters, bracket.delimiters_before)
        self.pieces[bracket.piece_index] = Piece("", is_token=True)
        if bracket.is_image:
            del self.pieces[bracket.piece_index + 1 :]  # the alternative text holds no mentions [MEM-079]
        else:
            for outer in self.brackets:
                outer.is_active = outer.is_active and outer.is_image
        self._add_token(end)

    def _find_end_of_link(self, bracket: Bracket) -> int | None:
        """Where a link or image ends whose text ends with the bracket at the index; none if it is no link."""
        behind = self.index + 1
        end_of_target = find_inline_target(self.text, behind)
        if end_of_target is not None:
            return end_of_target
        end_of_label = find_label(self.text, behind)
        if end_of_label - behind > len("[]"):
            label = self.text[behind:end_of_label]
        elif bracket.has_bracket_behind:
            return None
        else:
            label = self.text[bracket.text_start : behind]
        return end_of_label if name_of_label(label) in self.names else None
