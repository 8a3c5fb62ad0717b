"""What a session file counts."""

from pathlib import Path
from typing import Any

from tests.literal.tokens.count import Counter
from tests.literal.tokens.measure import read_choices, read_measure
from tests.literal.tokens.parse import NoJsonError, parse

KEYS = (
    "lines",
    "broken",
    "boundaries",
    "attachments",
    "rows",
    "tokens",
    "since_boundary",
    "sidechain_rows",
    "sidechain_tokens",
)
"""The figures of the result. [EST-033]"""


def session(
    source: Path | str | bytes, method: str = "documented", family: str = "any", choices: dict[str, str] | None = None
) -> dict[str, int]:
    """The figures of a session file, from its path or its bytes. Raises LiteralError. Spec: EST-033."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    counter = Counter(read_measure({"method": method, "family": family}, read_choices(choices or {})))
    figures = dict.fromkeys(KEYS, 0)
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()  # [EST-033] what stands behind the last LF, if it is empty
    for line in lines:
        figures["lines"] += 1
        if line.strip(b" \t\r") == b"":
            continue
        try:
            entry = parse(line.decode("utf-8"))
        except (NoJsonError, UnicodeDecodeError):
            entry = None
        if isinstance(entry, dict):
            take_entry(entry, figures, counter)
        else:
            figures["broken"] += 1
    return figures


def take_entry(entry: dict[str, Any], figures: dict[str, int], counter: Counter) -> None:
    """Add one object of the file to the figures. Spec: EST-033."""
    kind = entry.get("type")
    if kind == "system" and entry.get("subtype") == "compact_boundary":
        figures["boundaries"] += 1
        figures["since_boundary"] = 0
    elif kind == "attachment":
        figures["attachments"] += 1
    elif kind in ("user", "assistant"):
        if entry.get("isVisibleInTranscriptOnly") is True and entry.get("isCompactSummary") is not True:
            return  # [EST-033] shown to a person alone
        message = entry.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        tokens = counter.count_row({"role": kind, "content": content}, 0)
        if entry.get("isSidechain") is True:
            figures["sidechain_rows"] += 1
            figures["sidechain_tokens"] += tokens
        else:
            figures["rows"] += 1
            figures["tokens"] += tokens
            figures["since_boundary"] += tokens
