"""What one text costs, by either method."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.parse import is_json_whole
from tests.literal.tokens.rows import INVALID

WEIGHTS = Path(__file__).parents[3] / "spec" / "weights.json"
"""The published tables. [EST-030]"""

CHOICES = {
    "tokens.unit": ("utf16", "utf8"),
    "tokens.json_results": ("4", "2"),
    "tokens.fragments": ("count", "skip"),
    "tokens.message_pad": ("four-thirds", "none"),
}
"""The values of each choice of these areas, the default first."""

METHODS = ("documented", "bound")
"""The two methods."""

ANY = "any"
"""The family that every table file has. [EST-030]"""

MEDIA_TOKENS = 2000
"""What an image or document costs by the documented rule. [EST-011]"""

LINE_FEED = 10
"""What stands before the first byte of a text, uncounted. [EST-031]"""


@attrs.frozen
class Measure:
    """How texts are measured in one call."""

    method: str
    """`documented` or `bound`."""
    family: str
    """The family of tokenizers; the method `bound` alone looks at it."""
    choices: dict[str, str]
    """A value for each choice."""

    def text(self, text: str) -> int:
        """Tokens of a text at ratio 4, or its bound. Spec: EST-001, EST-031."""
        if self.method == "bound":
            return bound(text, self.family)
        return (self.size(text) + 2) // 4  # [EST-001] [EST-002] half up

    def json_text(self, text: str) -> int:
        """Tokens of the text of a JSON file. Spec: EST-003."""
        if self.method == "bound":
            return bound(text, self.family)  # [EST-031] what a text is made of is seen, not told
        return (self.size(text) + 1) // 2  # [EST-003]

    def result_text(self, text: str) -> int:
        """Tokens of a text that stands directly in a result. Spec: EST-004."""
        if self.choices["tokens.json_results"] == "2" and is_json_whole(text):
            return self.json_text(text)  # [EST-004]
        return self.text(text)

    def size(self, text: str) -> int:
        """The size in the unit that was chosen. Spec: EST-001, EST-025."""
        if self.choices["tokens.unit"] == "utf8":
            return len(text.encode("utf-8", "surrogatepass"))  # [EST-025] a lone half is three bytes
        return sum(2 if character > "\uffff" else 1 for character in text)

    @property
    def media(self) -> int:
        """Tokens of a media block. Spec: EST-011, EST-032."""
        return constant(self.family, "image") if self.method == "bound" else MEDIA_TOKENS

    def framing(self, name: str) -> int:
        """What the list, a row or a block adds by itself. Spec: EST-032."""
        return constant(self.family, name) if self.method == "bound" else 0


@cache
def read_weights() -> dict[str, Any]:
    """The tables of all families."""
    tables: dict[str, Any] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return tables


def constant(family: str, name: str) -> int:
    """A constant of a family, in tokens. Spec: EST-032."""
    return int(read_weights()["families"][family][name])


def classify(byte: int) -> int:
    """The class of a byte. Spec: EST-031."""
    if byte >= 0x80:
        return 6 if byte <= 0xBF else 7
    character = chr(byte)
    if character in "aeiou":
        return 0
    if "a" <= character <= "z":
        return 1
    if "A" <= character <= "Z":
        return 2
    if "0" <= character <= "9":
        return 3
    if character == " ":
        return 4
    if character < " " or byte == 0x7F:
        return 5
    return 8 if character in "_-'." else 9


def bound(text: str, family: str) -> int:
    """Tokens of a text by the weights of its bytes and their neighbours. Spec: EST-031."""
    tables = read_weights()
    table = tables["families"][family]
    total: int = 0
    before = LINE_FEED
    for byte in text.encode("utf-8", "surrogatepass"):
        total += table["bytes"][byte] + table["pairs"][10 * classify(before) + classify(byte)]
        before = byte
    return -(-total // int(tables["unit"]))  # [EST-031] up, once


def read_choices(choices: dict[str, str]) -> dict[str, str]:
    """A value for each choice of these areas. Raises LiteralError."""
    chosen = {name: choices.get(name, values[0]) for name, values in CHOICES.items()}
    for name, value in chosen.items():
        if value not in CHOICES[name]:
            raise LiteralError("unknown_choice", f"{name} {value}")
    return chosen


def read_measure(args: dict[str, Any], choices: dict[str, str]) -> Measure:
    """The measure that the arguments `method` and `family` ask for. Raises LiteralError. Spec: EST-001, EST-030."""
    method = args.get("method", METHODS[0])
    family = args.get("family", ANY)
    if method not in METHODS:
        raise LiteralError(INVALID, "method")  # [EST-001]
    if not isinstance(family, str) or (family != ANY and family not in read_weights()["families"]):
        raise LiteralError(INVALID, "family")  # [EST-001]
    return Measure(method, family, choices)
