"""Is what came back a summary, and does it say how to go on? Spec: CMP-093, CMP-095."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from keel_ref.compaction.summary_text import summary_text
from keel_ref.compaction.trace import Why
from keel_ref.messages.rows import as_list, as_object, type_of
from keel_ref.text import is_blank

PARTS: Final = (
    "request",
    "concepts",
    "files and code",
    "errors",
    "problem solving",
    "user messages",
    "pending tasks",
    "current work",
    "next step",
)
"""What a summary is asked to hold. Spec: CMP-095."""
NEEDED_PARTS: Final = ("current work", "next step")
"""Without these nobody can go on; they are reported when they are missing."""
LINE_MARKS: Final = re.compile(r"^[\s#*\-_>0-9.)(]*", re.ASCII)
"""What may stand in front of the name of a part: marks of a list or heading, and numbers."""


@frozen(kw_only=True)
class SummaryVerdict:
    """What an answer to the demand for a summary is worth."""

    text: str
    """Its text, as it came; empty where there is none."""
    why: Why | None
    """Why it is no summary; None where it is one."""
    missing_parts: tuple[str, ...] = ()
    """Of the parts without which nobody can go on, those that are not there."""


def judge_summary(content: object, *, is_error: bool = False) -> SummaryVerdict:
    """What an answer is worth. `content` is a string or a list of blocks. Spec: CMP-093, CMP-095."""
    text = _text(content)
    if is_error:
        return SummaryVerdict(text=text, why=Why.SUMMARY_ERROR)  # [CMP-093] the text of an error is no summary
    if is_blank(summary_text(text)):
        return SummaryVerdict(text=text, why=Why.SUMMARY_EMPTY)  # [CMP-093] thinking or a call alone is no text
    return SummaryVerdict(text=text, why=None, missing_parts=missing_parts(summary_text(text)))


def missing_parts(text: str) -> tuple[str, ...]:
    """Which of the needed parts no line begins with. Spec: CMP-095."""
    begins = [LINE_MARKS.sub("", line).lower() for line in text.split("\n")]
    return tuple(part for part in NEEDED_PARTS if not any(line.startswith(part) for line in begins))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = as_list(content) or ()
    texts = [(as_object(block) or {}).get("text") for block in blocks if type_of(block) == "text"]
    return "".join(text for text in texts if isinstance(text, str))
