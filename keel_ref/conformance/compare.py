"""Where two JSON values first differ, in three degrees of strictness. A number is never equal to a truth value."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from attrs import frozen


class Absent(Enum):
    """The place of a value that is not there."""

    NOTHING = "nothing"


NOTHING: Final = Absent.NOTHING


class Mode(Enum):
    """How strictly values are compared."""

    EXACT = "exact"
    """Every key and every item."""
    SUBSET = "subset"
    """Every key that is expected, others are free; lists item by item, as many as expected."""
    UNORDERED = "unordered"
    """As `SUBSET`, but lists match in any order."""


@frozen(kw_only=True)
class Difference:
    """The first place where what came differs from what was expected."""

    path: str
    """The place, e.g. `files[1].p`; empty for the value itself."""
    expected: Any
    """What was expected there, or `NOTHING`."""
    got: Any
    """What came, or `NOTHING`."""

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}expected {show_value(self.expected)}, got {show_value(self.got)}"


MAX_KEPT_CHARACTERS: Final = 64 * 1024
"""Characters of an answer, as JSON, beyond which only its beginning is kept; many wrong answers are held at once."""
_BEGINNING_CHARACTERS: Final = MAX_KEPT_CHARACTERS // 4
"""How much is kept then; so little that it is not cut again, whatever JSON escapes in it."""
MAX_WORDS_CHARACTERS: Final = 1_000
"""Characters of somebody else's words that are kept."""

_UNFIT = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_KEY_CHARACTERS = 200
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def join_path(path: str, step: str | int) -> str:
    """The place one step further in."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if len(step) > _KEY_CHARACTERS or not _PLAIN_KEY.fullmatch(step):
        return f"{path}[{json.dumps(cut_text(step, _KEY_CHARACTERS))}]"
    return f"{path}.{step}" if path else step


def show_value(value: object, cap_characters: int = 200) -> str:
    """A value as one line that a person can read."""
    if value is NOTHING:
        return "nothing"
    return cut_text(plain_text(json.dumps(value, ensure_ascii=False)), cap_characters)


def cut_text(text: str, cap_characters: int = MAX_WORDS_CHARACTERS) -> str:
    """A text, or its beginning where it is too long."""
    return text if len(text) <= cap_characters else f"{text[: cap_characters - 1]}…"


def keep_value(value: Any) -> Any:
    """A value as it is kept for the reports: as it came, or where it is too large the beginning of its JSON."""
    if value is NOTHING:
        return value
    text = json.dumps(value)
    return value if len(text) <= MAX_KEPT_CHARACTERS else cut_text(text, _BEGINNING_CHARACTERS)


def plain_text(text: str) -> str:
    """A text of somebody else's, fit for a terminal: what moves a cursor or breaks a line is shown as an escape."""
    return _UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def first_difference(expected: object, got: object, mode: Mode, path: str = "") -> Difference | None:
    """The first difference in reading order; none if what came is as good as what was expected."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return _first_in_objects(expected, got, mode, path)
    if _is_list(expected) and _is_list(got):
        if mode is Mode.UNORDERED:
            return _first_unmatched(expected, got, path)
        return _first_in_lists(expected, got, mode, path)
    if type(expected) is type(got) and expected == got:
        return None
    return Difference(path=path, expected=expected, got=got)


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _first_in_objects(expected: Mapping[str, Any], got: Mapping[str, Any], mode: Mode, path: str) -> Difference | None:
    for key, value in expected.items():
        place = join_path(path, key)
        if key not in got:
            return Difference(path=place, expected=value, got=NOTHING)
        found = first_difference(value, got[key], mode, place)
        if found:
            return found
    extra = sorted(key for key in got if key not in expected) if mode is Mode.EXACT else []
    if extra:
        return Difference(path=join_path(path, extra[0]), expected=NOTHING, got=got[extra[0]])
    return None


def _first_in_lists(expected: Any, got: Any, mode: Mode, path: str) -> Difference | None:
    for index in range(max(len(expected), len(got))):
        place = join_path(path, index)
        if index >= len(got):
            return Difference(path=place, expected=expected[index], got=NOTHING)
        if index >= len(expected):
            return Difference(path=place, expected=NOTHING, got=got[index])
        found = first_difference(expected[index], got[index], mode, place)
        if found:
            return found
    return None


def _first_unmatched(expected: Any, got: Any, path: str) -> Difference | None:
    """The first expected item without a partner of its own, else the first item that came and is nobody's partner."""
    partner = _pair_off(expected, got)
    for index, item in enumerate(expected):
        if index not in partner:
            return Difference(path=join_path(path, index), expected=item, got=NOTHING)
    spare = sorted(set(range(len(got))) - set(partner.values()))
    if spare:
        return Difference(path=join_path(path, spare[0]), expected=NOTHING, got=got[spare[0]])
    return None


def _pair_off(expected: Sequence[object], got: Sequence[object]) -> Mapping[int, int]:
    """As many pairs as can be, each item in one: an item that fits two partners never robs one that fits only one."""
    fits = [
        [there for there, found in enumerate(got) if first_difference(item, found, Mode.UNORDERED) is None]
        for item in expected
    ]
    partner_of: dict[int, int] = {}
    for start in range(len(fits)):
        came_from: dict[int, int] = {}
        waiting, free = [start], -1
        while waiting and free < 0:
            here = waiting.pop(0)
            for there in fits[here]:
                if there in came_from:
                    continue
                came_from[there] = here
                if there not in partner_of:
                    free = there
                    break
                waiting.append(partner_of[there])
        while free >= 0:  # hand the places on along the way we came
            here = came_from[free]
            previous = next((there for there, owner in partner_of.items() if owner == here), -1)
            partner_of[free] = here
            free = previous if here != start else -1
    return {here: there for there, here in partner_of.items()}


_STEP_OF_PLACE: Final = re.compile(r"\[(?P<index>\d+)\]|\.?(?P<key>[^.\[\]]+)")


def find_place(result: Any, key: str) -> Any:
    """The value under a key of a result, or at a place of a trace, such as `[3].ok.used`; `NOTHING` where none is."""
    if isinstance(result, Mapping):
        return result.get(key, NOTHING)
    for step in _STEP_OF_PLACE.finditer(key):
        if step["index"] is not None:
            index = int(step["index"])
            result = result[index] if _is_list(result) and index < len(result) else NOTHING
        else:
            result = result.get(step["key"], NOTHING) if isinstance(result, Mapping) else NOTHING
    return result


def show_place(result: Any, key: str) -> str:
    """The same place as a person reads it."""
    return join_path("", key) if isinstance(result, Mapping) else key
