"""A reader of JSON by the grammar of RFC 8259, and by nothing else."""

import re
from typing import Any

MOST_LEVELS = 200
"""Objects and arrays inside one another. [EST-004] [EST-033]"""

SPACE = " \t\n\r"
"""White space of the grammar. [EST-004]"""

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
"""A number of the grammar."""

WORDS = {"true": True, "false": False, "null": None}
"""The three names."""

ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
"""The escapes of one letter."""

HIGH = range(0xD800, 0xDC00)
"""First halves of pairs."""

LOW = range(0xDC00, 0xE000)
"""Second halves of pairs."""


class NoJsonError(Exception):
    """A text that is no JSON."""


class Reader:
    """Reads one text from its first to its last character; calls itself once for a level."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> Any:
        """The value that the whole text is. Raises NoJsonError."""
        value = self.read_value(1)
        if self.peek() != "":
            raise NoJsonError  # [EST-004] several values in a row are no JSON
        return value

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while self._text[self._at : self._at + 1] and self._text[self._at] in SPACE:
            self._at += 1
        return self._text[self._at : self._at + 1]

    def take(self, wanted: str) -> None:
        """One character that must come next, white space aside."""
        if self.peek() != wanted:
            raise NoJsonError
        self._at += 1

    def read_value(self, level: int) -> Any:
        """Any value; an object or array stands on this level."""
        first = self.peek()
        if first in {"{", "["} and level > MOST_LEVELS:
            raise NoJsonError  # [EST-004]
        match first:
            case "{":
                return self.read_object(level)
            case "[":
                return self.read_array(level)
            case '"':
                return self.read_string()
            case _:
                return self.read_word_or_number()

    def read_object(self, level: int) -> dict[str, Any]:
        """An object; a key that stands twice has its last value. Spec: EST-033."""
        found: dict[str, Any] = {}
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return found
        while True:
            if self.peek() != '"':
                raise NoJsonError
            key = self.read_string()
            self.take(":")
            found[key] = self.read_value(level + 1)  # [EST-033]
            if self.peek() == "}":
                self.take("}")
                return found
            self.take(",")

    def read_array(self, level: int) -> list[Any]:
        """An array."""
        found: list[Any] = []
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return found
        while True:
            found.append(self.read_value(level + 1))
            if self.peek() == "]":
                self.take("]")
                return found
            self.take(",")

    def read_word_or_number(self) -> Any:
        """`true`, `false`, `null` or a number."""
        for word, value in WORDS.items():
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return value
        number = NUMBER.match(self._text, self._at)
        if number is None:
            raise NoJsonError
        self._at = number.end()
        return float(number[0]) if number[1] or number[2] else read_whole(number[0])

    def read_string(self) -> str:
        """A string; two escaped halves of a pair are one character."""
        self.take('"')
        out: list[str] = []
        while True:
            character = self._text[self._at : self._at + 1]
            self._at += 1
            if character == '"':
                return "".join(out)
            if character < " ":  # also at the end of the text
                raise NoJsonError  # [EST-004] a control character inside a string
            if character == "\\":
                character = self.read_escape()
                if out and ord(out[-1]) in HIGH and ord(character) in LOW:
                    character = chr(0x10000 + (ord(out.pop()) - 0xD800) * 0x400 + ord(character) - 0xDC00)
            out.append(character)

    def read_escape(self) -> str:
        """What stands behind a backslash."""
        letter = self._text[self._at : self._at + 1]
        self._at += 1
        if letter in ESCAPES:
            return ESCAPES[letter]
        digits = self._text[self._at : self._at + 4]
        self._at += 4
        if letter != "u" or not re.fullmatch("[0-9a-fA-F]{4}", digits):
            raise NoJsonError
        return chr(int(digits, 16))


def read_whole(digits: str) -> int:
    """A whole number of any size, digits in pieces, since `int` refuses more than 4,300 of them."""
    number = 0
    for start in range(0, len(digits.lstrip("-")), 1000):
        piece = digits.lstrip("-")[start : start + 1000]
        number = number * 10 ** len(piece) + int(piece)
    return -number if digits.startswith("-") else number


def parse(text: str) -> Any:
    """The value of a text. Raises NoJsonError. Spec: EST-004, EST-033."""
    return Reader(text).read()


def is_json_whole(text: str) -> bool:
    """Whether a text as a whole is a JSON object or array. Spec: EST-004."""
    try:
        return isinstance(parse(text), dict | list)
    except NoJsonError:
        return False
