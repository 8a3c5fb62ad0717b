"""Authors' comments, taken off where they stand as blocks. Spec: MEM-102, MEM-103, MEM-105."""

from __future__ import annotations

import re

from keel_ref.memory.markdown import html_blocks, size_blocks
from keel_ref.memory.meter import Meter, SpentError
from keel_ref.text import is_blank

OPENING = re.compile(r" {0,3}<!--")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINE_END = re.compile(r"\r\n?")
MAX_PASSES = 100


def strip_comments(text: str, meter: Meter | None = None) -> str:
    """The text without its block comments; with LF line ends if any was there. Spec: MEM-102.

    Raises `SpentError` for a text that takes too many passes, or more work than the meter, if one is given, allows.
    """
    if "<!--" not in text:
        return text
    meter = meter or Meter.endless()
    plain = LINE_END.sub("\n", text)
    for _ in range(MAX_PASSES):
        meter.spend(size_blocks(plain))
        stripped = _strip_once(plain)
        if stripped == plain:
            return text
        text = plain = stripped  # [MEM-103] what a removal uncovers is looked at again; [MEM-105] LF from here on
        if "<!--" not in plain:
            return text
    raise SpentError


def _strip_once(text: str) -> str:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[str] = []
    done = 0
    for first, behind in html_blocks(text):
        start, end = starts[first], min(starts[behind], len(text))
        block = text[start:end]
        if not OPENING.match(block):
            continue  # [MEM-103] other HTML blocks keep their comments
        last, closing, tail = block.rpartition("-->")  # a search behind the last one would find nothing, in square time
        rest = COMMENT.sub("", last + closing) + tail
        if rest == block:
            continue  # [MEM-103] not terminated
        if is_blank(rest):  # [MEM-102] the block goes, and every line end directly behind it
            rest = ""
            while end < len(text) and text[end] == "\n":
                end += 1
        pieces += [text[done:start], rest]
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
