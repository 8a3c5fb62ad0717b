"""Text that comes as bytes, chunk by chunk; what is no UTF-8 in it is replaced, and counted."""

from __future__ import annotations

import codecs
from typing import Final

from attrs import define, field

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_WRITTEN: Final = REPLACEMENT.encode()
_NEVER_WHOLE: Final = 1 - len(_WRITTEN)
"""So much of a chunk's end can belong to a character that stands there in full with what follows."""


@define
class Utf8Pieces:
    """Takes chunks cut anywhere; gives their text, cut between characters. Spec: EST-001."""

    replaced: int = field(default=0, init=False)
    """Parts that are no UTF-8, each of which became one U+FFFD; one that was written so is none."""
    _decoder: codecs.IncrementalDecoder = field(
        factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"), init=False
    )
    _end: bytes = field(default=b"", init=False)

    def add(self, chunk: bytes, *, is_last: bool = False) -> str:
        """The text of the next chunk, as far as it is known."""
        text = self._decoder.decode(chunk, final=is_last)
        known = self._end + chunk
        self.replaced += text.count(REPLACEMENT) - known.count(_WRITTEN)
        self._end = known[_NEVER_WHOLE:]
        return text


def not_utf8_remark(replaced: int) -> str:
    """What to say of a text with such parts."""
    return f"{replaced:,} part{' of it is' if replaced == 1 else 's of it are'} no UTF-8"
