"""A copy of a recorded session without its words, of the same sizes: rules N1 to N6 of spec/guides/recordings.md.

Each line is looked at by itself, and rewritten in place: what is no string or number stays byte for byte.
Spec: EST-033.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field

from keel_ref.compaction.results import CLEARED_TEXT
from keel_ref.recording.fillers import filled_raw, read_raw, rewrite_raw
from keel_ref.recording.names import Names, is_uuid
from keel_ref.recording.vocabulary import ID_KEYS, KEYS, NUMBER_KEYS, PATH_KEYS, TOOLS, WORD_KEYS, WORDS
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.tokens.serialise import Unserialisable, serialised
from keel_ref.tokens.transcript import BLANKS, parse_line
from keel_ref.transcript.timestamps import read_timestamp
from keel_ref.window.table import find_row

_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"|(-?\d[\d.eE+-]*)|([{}\[\],:])', re.DOTALL | re.ASCII)
"""A string, a number, or a sign; between them stand blanks, true, false and null."""
_VERSION: Final = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,3}\Z", re.ASCII)
_MODEL: Final = re.compile(r"[a-z0-9.-]{1,60}(?:\[1m\])?\Z", re.ASCII)
_LONG_NUMBER: Final = re.compile(r"\d{9}", re.ASCII)
_NOT_BLANK: Final = re.compile(rb"[^ \t\r\n]")
SYNTHETIC: Final = "<synthetic>"
"""The model of rows that no model wrote."""
MCP: Final = "mcp__"


@define
class Anonymizer:
    """Rewrites the lines of one session, and of what belongs to it: names are the same throughout."""

    names: Names = field(factory=Names)

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Each line, with its end if it has one."""
        return map(self.line, lines)

    def line(self, line: bytes) -> bytes:
        """The line in filler; one that is no JSON object is none afterwards either. Spec: EST-033."""
        end = b"\n" if line.endswith(b"\n") else b""
        body = line.removesuffix(b"\n")
        if not body.strip(BLANKS):
            return line
        if parse_line(body) is None:
            return _NOT_BLANK.sub(b"x", body) + end  # N1
        return self.document(body.decode("utf-8")).encode("utf-8") + end

    def document(self, text: str, *, keeps_numbers: bool = False) -> str:
        """The text of one value of JSON, rewritten in place. Of a truth file, the numbers say when and how often."""
        return _TOKEN.sub(_Rewriter(self.names, keeps_numbers).token, text)


@define
class _Place:
    """An object or list that is open."""

    key: str
    """The key under which its values stand; in a list, that of the list."""
    is_object: bool
    wants_key: bool = False


@define
class _Rewriter:
    names: Names
    keeps_numbers: bool
    open_now: list[_Place] = field(factory=lambda: [_Place(key="", is_object=False)])

    def token(self, found: re.Match[str]) -> str:
        raw, number, sign = found.groups()
        place = self.open_now[-1]
        if sign is not None:
            self._sign(sign, place)
            return found[0]
        if number is not None:
            return number if self.keeps_numbers or place.key in NUMBER_KEYS else _number(number)
        if place.wants_key:
            place.key = read_raw(raw)
            return f'"{self._key(raw, place.key)}"'
        return f'"{self._value(raw, place.key)}"'

    def _sign(self, sign: str, place: _Place) -> None:
        match sign:
            case "{":
                self.open_now.append(_Place(key=place.key, is_object=True, wants_key=True))
            case "[":
                self.open_now.append(_Place(key=place.key, is_object=False))
            case "}" | "]":
                self.open_now.pop()
            case _:
                place.wants_key = place.is_object and sign == ","

    def _key(self, raw: str, key: str) -> str:
        return raw if key in KEYS else rewrite_raw(raw, self.names.path(key))  # N5

    def _value(self, raw: str, key: str) -> str:
        text = read_raw(raw)
        if _stays(text, key):
            return raw
        if key in ID_KEYS or is_uuid(text):
            return rewrite_raw(raw, self.names.name(text))
        if key in PATH_KEYS:
            return rewrite_raw(raw, self.names.path(text))
        if key == "name":
            return rewrite_raw(raw, self._tool(text))
        if key == "model":
            return rewrite_raw(raw, self.names.name(text))
        return filled_raw(raw)  # N2

    def _tool(self, name: str) -> str:
        if name.startswith(MCP):
            return MCP + "__".join(map(self.names.name, name.removeprefix(MCP).split("__")))
        return self.names.name(name)


def _stays(text: str, key: str) -> bool:
    """Whether a value is one of the record's own words. N5, N6."""
    if key in WORD_KEYS:
        return text in WORDS
    match key:
        case "name":
            return text in TOOLS
        case "how":
            return text in WORDS
        case "timestamp":
            return read_timestamp(text) is not None
        case "version":
            return _VERSION.match(text) is not None
        case "model":
            is_plain = _MODEL.match(text) is not None and _LONG_NUMBER.search(text) is None
            return text == SYNTHETIC or (is_plain and bool(find_row(text)[0]))
        case _:
            return text == CLEARED_TEXT or not text


def _number(raw: str) -> str:
    """A number that is somebody's own: its digits but 0 are 1, where that costs as much as before. N6."""
    changed = re.sub(r"[2-9]", "1", raw) if "e" not in raw.lower() else raw
    try:
        is_same = len(serialised(parse_json(raw))) == len(serialised(parse_json(changed)))
    except (NotJson, Unserialisable):
        return raw
    return changed if is_same else raw
