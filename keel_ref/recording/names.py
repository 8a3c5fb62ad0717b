"""Names in the place of names: the same for the same, others for others, of the same size. Rule N4 of recordings.md."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from attrs import define, field

from keel_ref.recording.fillers import filler_of
from keel_ref.recording.vocabulary import EXTENSIONS, KEYS, PATH_NAMES, TOOLS

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)
_UUIDS: Final = 10**12
_SEPARATORS: Final = re.compile(r"([/\\])")
_ALPHABETS: Final = (
    {"x": "qxz", "X": "QXZ"},
    {"x": "bcdfgjkqvxz", "X": "BCDFGJKQVXZ"},
    {"x": "abcdefghijklmnopqrstuvwxyz", "X": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
)
"""Letters of new names; the next ones are taken when no name of their form is left. The first two make no words."""
_OTHER_LETTERS: Final = {
    "0": (ord("0"), ord("9")),
    "é": (0xF8, 0x24F),
    "α": (0x3B1, 0x3C9),
    "я": (0x410, 0x44F),
    "あ": (0x3041, 0x3096),
    "ア": (0x30A1, 0x30FA),
    "字": (0x4E00, 0x9FFF),
    "가": (0xAC00, 0xD7A3),
    "ก": (0xE01, 0xE2E),
    "😀": (0x1F600, 0x1F64F),
    "𠀀": (0x20000, 0x2A6D6),
}
"""First and last letter of new names in the place of other characters."""


@define
class Names:
    """Gives names, each once. The first name of a form gets the first new name of that form."""

    salt: str = ""
    """Moves the first new name; without one equal files give equal copies."""
    given: dict[str, str] = field(factory=dict)
    taken: set[str] = field(factory=lambda: set(PATH_NAMES | KEYS | TOOLS))
    counts: dict[str, int] = field(factory=dict)
    """How many names of each form were given."""

    def name(self, name: str) -> str:
        """The new name; that of a UUID is one."""
        found = self.given.get(name)
        if found is None:
            found = self._uuid() if _UUID.match(name) else self._new(name)
            self.given[name] = found
            self.taken.add(found)
        return found

    def path(self, path: str) -> str:
        """The path with each part renamed, but for those that rules go by; extensions that are known stay."""
        return "".join(part if part in PATH_NAMES else self._part(part) for part in _SEPARATORS.split(path))

    def _part(self, part: str) -> str:
        stem, dot, extension = part.rpartition(".")
        if stem and extension in EXTENSIONS:
            return self.name(stem) + dot + extension
        return self.name(part)

    def _uuid(self) -> str:
        return f"00000000-0000-4000-8000-{self._next('uuid', _UUIDS):012d}"

    def _new(self, name: str) -> str:
        form = "".join(map(filler_of, name))
        for alphabets in _ALPHABETS:
            letters = [_letters(kind, alphabets) for kind in form]
            capacity = 1
            for choices in letters:
                capacity *= len(choices)
            key = f"{alphabets['x'][0]} {form}"
            while self.counts.get(key, 0) < capacity:
                found = _spelled(letters, self._next(key, capacity))
                if found not in self.taken:
                    return found
        return form  # more names than its letters can tell apart

    def _next(self, key: str, capacity: int) -> int:
        number = self.counts.get(key, 0)
        self.counts[key] = number + 1
        start = int.from_bytes(sha256(self.salt.encode("utf-8", "surrogatepass")).digest()) if self.salt else 0
        return (start + number) % capacity


def is_uuid(text: str) -> bool:
    """Whether the text is a UUID in its usual form."""
    return _UUID.match(text) is not None


def _letters(kind: str, alphabets: dict[str, str]) -> str | range:
    """What may stand in the place of a character of that kind: letters, or their code points; itself where it stays."""
    if kind in alphabets:
        return alphabets[kind]
    ends = _OTHER_LETTERS.get(kind)
    return kind if ends is None else range(ends[0], ends[1] + 1)


def _spelled(letters: list[str | range], number: int) -> str:
    """The name of that number: the last place counts first."""
    found: list[str] = []
    for choices in reversed(letters):
        number, place = divmod(number, len(choices))
        letter = choices[place]
        found.append(letter if isinstance(letter, str) else chr(letter))
    return "".join(reversed(found))
