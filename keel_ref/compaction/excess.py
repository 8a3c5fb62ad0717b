"""By how much a request was too long, as far as the provider's error says so. Spec: CMP-106."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = r"([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})"
_BLANKS: Final = r"[ \t\r\n]{0,9}"
_NAMED: Final = re.compile(
    rf"(?<![0-9.,]){_NUMBER}{_BLANKS}tokens?{_BLANKS}(?:>|&gt;|\\u003e){_BLANKS}{_NUMBER}(?![0-9,.]?[0-9])",
    re.IGNORECASE | re.ASCII,
)
"""Tokens that were sent, and the limit that they are above; nothing else of an error is a number of tokens."""


def excess_of(error: str) -> int | None:
    """Tokens sent less the limit, as the error names them; None where it names none, or none above 0. Spec: CMP-106."""
    found = _NAMED.search(error)
    if found is None:
        return None
    sent, limit = (int(number.replace(",", "")) for number in found.groups())
    return sent - limit if sent > limit else None  # [CMP-106] the first pair decides
