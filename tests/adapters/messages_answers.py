"""What a server on this machine answers where messages are created: the forms of the real interface."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.adapters.counting_server import Answer, CountingServer, say

SUMMARY = """<analysis>
thinking it over
</analysis>
<summary>
1. Request: mend the parser
8. Current work: the test of the parser
9. Next step: run it again
</summary>"""
"""A summary as it is asked for."""


def message(
    *blocks: dict[str, Any] | str, name: str = "msg_1", stop: str = "end_turn", used: int = 100, out: int = 5
) -> Answer:
    """An answer of the model; a text stands for a block of text. `used` are the tokens of the input."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    usage = {
        "input_tokens": used,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": out,
    }
    body = {"id": name, "type": "message", "role": "assistant", "model": "a-model", "content": content}
    return say(200, {**body, "stop_reason": stop, "stop_sequence": None, "usage": usage})


def call(
    tool: str, given: dict[str, Any], *, name: str = "toolu_1", response: str = "msg_1", used: int = 100
) -> Answer:
    """An answer that calls a tool."""
    block = {"type": "tool_use", "id": name, "name": tool, "input": given}
    return message(block, name=response, stop="tool_use", used=used)


def error(status: int, kind: str, text: str, **headers: str) -> Answer:
    """A refusal in the form of the provider."""
    return say(status, {"type": "error", "error": {"type": kind, "message": text}}, **headers)


def too_long(sent: int = 211_539, limit: int = 200_000) -> Answer:
    """The refusal of a prompt that does not fit."""
    return error(400, "invalid_request_error", f"prompt is too long: {sent} tokens > {limit} maximum")


def slow_down() -> Answer:
    """The refusal of one who asks too often."""
    return error(429, "rate_limit_error", "too many requests", retry_after="0")


def no_answer(server: CountingServer) -> Answer:
    """Keeps the client waiting until the test is over."""

    def answer(request: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        server.patience.wait()
        request.close_connection = True

    return answer


def is_summary_call(body: dict[str, Any]) -> bool:
    """Whether a request asks for a summary."""
    last = body["messages"][-1]["content"][-1]
    return "<summary>" in str(last.get("text", ""))
