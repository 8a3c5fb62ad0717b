"""The text of a summary as it stands in the new list. Spec: CMP-153."""

from __future__ import annotations

from typing import Final

from keel_ref.text import trim_white_space

DRAFT: Final = ("<analysis>", "</analysis>")
"""Between these the model drafts; nobody else has to read it."""
SUMMARY: Final = ("<summary>", "</summary>")
"""Between these the summary stands."""


def summary_text(answer: str) -> str:
    """What remains of an answer without its drafts and without the tags of the summary; blank if nothing does."""
    text = _without_drafts(answer)
    opening, closing = SUMMARY
    first = text.find(opening)
    last = text.rfind(closing)
    if first < 0 or last < first:
        return trim_white_space(text)  # [CMP-153] half a pair is text
    inner = text[first + len(opening) : last]
    parts = (text[:first], inner, text[last + len(closing) :])  # [CMP-153] what stands around it is not lost
    return "\n\n".join(part for part in map(trim_white_space, parts) if part)


def _without_drafts(text: str) -> str:
    opening, closing = DRAFT
    kept: list[str] = []
    rest = text
    while True:  # each turn shortens the rest
        before, found, behind = rest.partition(opening)
        draft, ends, after = behind.partition(closing)
        if not (found and ends):
            return "".join(kept) + rest  # [CMP-153] a draft without an end stays
        assert len(draft) <= len(behind)
        kept.append(before)
        rest = after
