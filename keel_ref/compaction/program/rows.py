"""The rows that a program appends. Spec: CMP-180."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from keel_ref.compaction.program.arguments import read_name, read_optional_whole, read_text, read_whole
from keel_ref.compaction.program.costs import UNITS, filler
from keel_ref.compaction.settings import Row
from keel_ref.errors import InvalidArgumentError

KINDS: Final = ("user", "assistant", "tool_call", "tool_result", "image", "progress", "system")
LEAST_CALL_TOKENS: Final = 8
"""Tokens of the smallest call: its name and the frame of its input count too. Spec: EST-007."""
LONGEST_TOOL: Final = 24
"""Characters of the longest name of a tool that a call of this size can have."""


def build_row(number: int, args: Mapping[str, Any]) -> Row:
    """The row of a step `append`. Raises `InvalidArgumentError`."""
    kind = args.get("kind")
    if kind not in KINDS:
        raise InvalidArgumentError("kind", f"{kind!r} is none of {', '.join(KINDS)}")
    base: dict[str, Any] = {"number": number}
    at = read_optional_whole(args, "at")
    if at is not None:
        base["at"] = at
    if kind == "image":
        return {**base, "role": "user", "content": [{"type": "image"}]}
    tokens = read_whole(args, "tokens", default=0)
    if kind in {"progress", "system"}:
        return {**base, "role": kind, "text": filler(tokens), "cost": 0}
    base["cost"] = tokens
    match kind:
        case "user":
            return {**base, "role": "user", "text": filler(tokens)}
        case "tool_result":
            block = {"type": "tool_result", "tool_use_id": _pair(args), "content": filler(tokens)}
            return {**base, "role": "user", "content": [block]}
        case "tool_call":
            return {**base, **_response(args), "content": [_call(args, tokens)]}
        case _:
            return {**base, **_response(args), "text": filler(tokens)}


def _response(args: Mapping[str, Any]) -> dict[str, Any]:
    """What an assistant row says of its response."""
    found: dict[str, Any] = {"role": "assistant"}
    if args.get("response") is not None:
        found["id"] = read_text(args, "response")
    usage = read_optional_whole(args, "usage")
    if usage is not None:
        found["usage"] = {"input_tokens": usage}
    return found


def _call(args: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    tool = read_name(args, "tool", default="Read", longest=LONGEST_TOOL)
    if tokens < LEAST_CALL_TOKENS:
        raise InvalidArgumentError("tokens", f"a call costs at least {LEAST_CALL_TOKENS}, not {tokens}")
    frame = len(tool) + len('{"x":""}')
    return {
        "type": "tool_use",
        "id": _pair(args),
        "name": tool,
        "input": {"x": "~" * (tokens * UNITS - frame)},  # [EST-007] name and input are one text
    }


def _pair(args: Mapping[str, Any]) -> str:
    return f"pair-{read_whole(args, 'pair')}"
