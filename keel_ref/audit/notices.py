"""Whether a result is a part, and whether it says so. Spec: CMP-024, CMP-054, MSG-021."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from keel_ref.audit.recording import Cut
from keel_ref.compaction.results import CLEARED_TEXT
from keel_ref.constants import DEFAULT
from keel_ref.messages.rows import as_list, as_object
from keel_ref.text import size_utf16

EDGE_UNITS: Final = 4_000
"""A notice is looked for in so much of the beginning and of the end of a result."""
TOLD: Final = re.compile(
    r"<persisted-output>|\[keel-ref: the beginning of a result|truncat|omitted|too large|too long|not shown|"
    r"(?:more|remaining|further) (?:lines?|characters|bytes|results|matches|files|rows|tokens|entries|output)|"
    r"(?:lines?|characters|chars|bytes|tokens)\W+(?:were |was |are )?(?:cut|hidden|elided|skipped|removed|left out)|"
    r"(?:showing|only|shows?)\W+(?:the )?(?:first|last|lines?|top|beginning|\d)|\bpartial\b|saved to|exceed|"
    r"\[\s*(?:\.\.\.|\u2026)|(?:\.\.\.|\u2026)\s*\]|results? (?:are|were|was) limited|first \d[\d,]* (?:of|lines|char)|"
    r"offset (?:and|or) limit|\blimit\W{1,3}\d",
    re.IGNORECASE,
)
"""Words by which agents say that a text is a part."""
PLACED: Final = re.compile(
    r"(?:^|[\s:`'\"(=<\[])(?:/|~/|\.{1,2}/|[A-Za-z]:[\\/])[^\s'\"`<>]+|https?://|\boffset\b|\blimit\b|\bpage\b|"
    r"\bcursor\b|\bstart_?line\b|\bhead_limit\b|\bview_range\b|saved to|\[the result goes on in the file\]",
    re.IGNORECASE,
)
"""What may tell where the rest is: a path, an address, or an argument by which to go on."""
LEAST_MISSING: Final = 1_000
"""Units that must be missing before the record is taken to show a cut: a client may trim blanks and colours."""
SHOWN_PERCENT: Final = 90
"""Of the whole; what shows more is none."""
ROUND_LIMITS: Final = frozenset({DEFAULT.shell_cap_units, DEFAULT.result_cap_units, DEFAULT.preview_cap_units})
"""Sizes at which the documented limits cut; no whole text is likely to have just that size."""


def cut_of(text: str, record: object, call: Mapping[str, Any]) -> tuple[Cut, int | None]:
    """What is known of the text of a result, and how large the whole was; None where the record does not say.

    `record` is what the client kept of the result beside the text that it sent, `call` the input of the call.
    """
    if text == CLEARED_TEXT:
        return Cut.CLEARED, None
    whole = whole_units(record)
    size = size_utf16(text)
    missing = whole is not None and whole - size >= LEAST_MISSING and size * 100 < whole * SHOWN_PERCENT
    is_part = missing or size in ROUND_LIMITS or _is_page(record, call)
    edges = text if len(text) <= 2 * EDGE_UNITS else f"{text[:EDGE_UNITS]}\n{text[-EDGE_UNITS:]}"
    if is_part and TOLD.search(edges) is None:
        return Cut.SILENT, whole
    if is_part or text.startswith("<persisted-output>"):
        return (Cut.NO_PLACE if PLACED.search(edges) is None else Cut.TOLD), whole
    return Cut.NONE, whole


def whole_units(record: object) -> int | None:
    """Size of all that the tool gave, in UTF-16 units, where the client kept it under a name that is known."""
    found = as_object(record)
    if found is None:
        return size_utf16(record) if isinstance(record, str) else None
    saved = found.get("persistedOutputSize")
    if isinstance(saved, int) and not isinstance(saved, bool):
        return saved
    if "oldString" in found or "originalFile" in found or "structuredPatch" in found:
        return None  # an edit keeps the whole file, of which the result never was to show all
    file = as_object(found.get("file")) or {}
    texts = [found.get("stdout"), found.get("stderr"), file.get("content"), found.get("content"), found.get("result")]
    sizes = [size_utf16(text) for text in texts if isinstance(text, str)]
    return sum(sizes) if sizes else None


def is_stub(record: object) -> bool:
    """Whether the client says only that a file is as the model knows it."""
    return (as_object(record) or {}).get("type") == "file_unchanged"


def text_of(content: object) -> tuple[str, bool]:
    """The text of a result, and whether that is all it holds. Spec: CMP-020."""
    if isinstance(content, str):
        return content, True
    blocks = [as_object(one) or {} for one in as_list(content) or ()]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    known = [text for text in texts if isinstance(text, str)]
    return "".join(known), as_list(content) is not None and len(known) == len(blocks)


def _is_page(record: object, call: Mapping[str, Any]) -> bool:
    """Whether a read gave fewer lines than there are, without being asked for a part. Spec: MSG-021."""
    file = as_object((as_object(record) or {}).get("file")) or {}
    shown, whole = file.get("numLines"), file.get("totalLines")
    if not isinstance(shown, int) or not isinstance(whole, int) or shown >= whole:
        return False
    return call.get("limit") is None and call.get("offset") is None
