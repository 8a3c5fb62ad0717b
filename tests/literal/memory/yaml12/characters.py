"""Characters, indentation, space and comments of YAML. What reads takes an index and gives the index behind."""

NO = -1
"""The production does not match here."""

INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
"""[22] c-indicator"""

FLOW_INDICATORS = frozenset(",[]{}")
"""[23] c-flow-indicator"""

WORD = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-")
"""[38] ns-word-char"""

URI = WORD | frozenset("#;/?:@&=+$,_.!~*'()[]")
"""[39] ns-uri-char, without the escape by a per cent sign"""

TAG = URI - FLOW_INDICATORS - frozenset("!")
"""[40] ns-tag-char, without the escape by a per cent sign"""


class YamlError(Exception):
    """The block is no YAML, or breaks a bound. Spec: MEM-043, MEM-046."""


def is_printable(character: str) -> bool:
    """[1] c-printable."""
    return (
        character in "\t\n\r\x85"
        or " " <= character <= "~"
        or "\xa0" <= character <= "\ud7ff"
        or "\ue000" <= character <= "\ufffd"
        or character >= "\U00010000"
    )


def is_nonbreak(character: str) -> bool:
    """[27] nb-char."""
    return character not in {"", "\n", "\ufeff"} and is_printable(character)


def is_json(character: str) -> bool:
    """[2] nb-json, without the line end."""
    return character == "\t" or character >= " "


def is_nonspace(character: str) -> bool:
    """[34] ns-char."""
    return is_nonbreak(character) and character not in {" ", "\t"}


class Source:
    """A document of YAML, line ends already made LF."""

    def __init__(self, text: str) -> None:
        self.text = text
        """The document."""

    def at(self, index: int) -> str:
        """The character at an index; empty behind the end."""
        return self.text[index] if 0 <= index < len(self.text) else ""

    def is_line_start(self, index: int) -> bool:
        """Whether a line starts here."""
        return index == 0 or self.at(index - 1) == "\n"

    def skip_white(self, index: int) -> int:
        """Behind all blanks and tabs; there may be none."""
        while self.at(index) in {" ", "\t"}:
            index += 1
        return index

    def count_spaces(self, index: int) -> int:
        """How many blanks stand here."""
        end = index
        while self.at(end) == " ":
            end += 1
        return end - index

    def indent(self, index: int, n: int) -> int:
        """[63] s-indent(n)."""
        return index + max(n, 0) if self.count_spaces(index) >= n else NO

    def separate_in_line(self, index: int) -> int:
        """[66] s-separate-in-line."""
        end = self.skip_white(index)
        return end if end > index or self.is_line_start(index) else NO

    def flow_line_prefix(self, index: int, n: int) -> int:
        """[69] s-flow-line-prefix(n)."""
        end = self.indent(index, n)
        return NO if end == NO else self.skip_white(end)

    def empty_line(self, index: int, n: int, *, is_flow: bool) -> int:
        """[70] l-empty(n,c)."""
        spaces = self.count_spaces(index)
        end = index + min(spaces, max(n, 0))
        if is_flow and spaces >= n:
            end = self.skip_white(end)
        return end + 1 if self.at(end) == "\n" else NO

    def flow_folded(self, index: int, n: int) -> tuple[int, str] | None:
        """[74] s-flow-folded(n), with the text that it stands for."""
        end = self.skip_white(index)
        if self.at(end) != "\n":
            return None
        end += 1
        empty_lines = 0
        while (behind := self.empty_line(end, n, is_flow=True)) != NO:
            end = behind
            empty_lines += 1
        end = self.flow_line_prefix(end, n)
        return None if end == NO else (end, "\n" * empty_lines or " ")

    def comment_text(self, index: int) -> int:
        """[75] c-nb-comment-text; it may be missing."""
        if self.at(index) != "#":
            return index
        while is_nonbreak(self.at(index)):
            index += 1
        return index

    def comment_break(self, index: int) -> int:
        """[76] b-comment."""
        if index >= len(self.text):
            return index
        return index + 1 if self.at(index) == "\n" else NO

    def short_comment(self, index: int) -> int:
        """[77] s-b-comment."""
        end = self.separate_in_line(index)
        return self.comment_break(index if end == NO else self.comment_text(end))

    def comment_line(self, index: int) -> int:
        """[78] l-comment."""
        end = self.separate_in_line(index)
        return NO if end == NO else self.comment_break(self.comment_text(end))

    def comments(self, index: int) -> int:
        """[79] s-l-comments."""
        end = self.short_comment(index)
        if end == NO:
            if not self.is_line_start(index):
                return NO
            end = index
        while (behind := self.comment_line(end)) > end:
            end = behind
        return end

    def separate(self, index: int, n: int, *, is_key: bool) -> int:
        """[80] s-separate(n,c)."""
        if not is_key:  # [81] s-separate-lines(n)
            end = self.comments(index)
            if end != NO:
                end = self.flow_line_prefix(end, n)
                if end != NO:
                    return end
        return self.separate_in_line(index)
