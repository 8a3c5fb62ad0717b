"""A report as one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson


def as_line(report: Mapping[str, Any]) -> str:
    """The object and an LF. What no terminal should be sent is written as an escape."""
    try:
        text = orjson.dumps(report).decode()
    except TypeError:  # a lone surrogate
        return f"{json.dumps(report)}\n".translate(_ESCAPES)
    return f"{text}\n" if text.isascii() and "\x7f" not in text else f"{json.dumps(report)}\n".translate(_ESCAPES)


_ESCAPES = {0x7F: "\\u007f"}
"""The one character of ASCII that JSON leaves as it is and a terminal obeys."""
