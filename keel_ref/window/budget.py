"""How many tokens a user allows a turn, read out of a prompt. Spec: WIN-040, WIN-041."""

from __future__ import annotations

import re
from typing import Final

from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import JS_WHITE_SPACE

_SPACE: Final = f"[{re.escape(JS_WHITE_SPACE)}]"
_AMOUNT: Final = rf"([0-9]+)(?:\.([0-9]+))?{_SPACE}*([kKmMbB])"
_WORD: Final = "[A-Za-z0-9_]"
_START: Final = re.compile(rf"\+{_AMOUNT}(?!{_WORD})")
_END: Final = re.compile(rf"\+{_AMOUNT}")
_PHRASE: Final = re.compile(
    rf"(?<!{_WORD})(?:use|spend){_SPACE}+{_AMOUNT}{_SPACE}*tokens?(?!{_WORD})", re.IGNORECASE | re.ASCII
)
_STOPS: Final = (".", "!", "?")
_PLACES: Final = {"k": 3, "m": 6, "b": 9}
"""Powers of ten of the units."""


def budget_in(text: str, constants: Constants = DEFAULT) -> int | None:
    """The budget that a prompt states, in tokens; None where it states none that can be used. Spec: WIN-040."""
    trimmed = text.strip(JS_WHITE_SPACE)
    found = _START.match(trimmed) or _at_end(trimmed) or _PHRASE.search(trimmed)  # [WIN-040] the first form decides
    if found is None:
        return None
    whole, fraction, unit = found.groups(default="")
    return _tokens(whole, fraction, _PLACES[unit.lower()], constants)


def _at_end(trimmed: str) -> re.Match[str] | None:
    """The form `+500k` as the last word of a prompt, perhaps with one stop behind it."""
    ended = trimmed[:-1].rstrip(JS_WHITE_SPACE) if trimmed.endswith(_STOPS) else trimmed
    place = ended.rfind("+")
    if place < 0 or (place > 0 and ended[place - 1] not in JS_WHITE_SPACE):  # [WIN-040] a word of its own
        return None
    return _END.fullmatch(ended, place)


def _tokens(whole: str, fraction: str, places: int, constants: Constants) -> int | None:
    """Whole tokens, rounded down; None for 0 and for what is too large. Spec: WIN-041."""
    digits = (whole + fraction[:places].ljust(places, "0")).lstrip("0")  # [WIN-041] what is behind is no whole token
    if not digits or len(digits) > len(str(constants.number_cap)):
        return None
    tokens = int(digits)
    return tokens if tokens <= constants.number_cap else None  # [WIN-041]
