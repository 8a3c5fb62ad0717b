"""Reports of sessions that never were, for pages."""

from typing import Any

AUTO = 167_000
HOSTILE = "</script><img src=x onerror=alert(1)>\u2028\u202eevil\x1b[31m\ud800'\"&<!--"
"""A name that would end an element, run a script, turn the text, and is not UTF-8."""


def session_report(count: int, *, name: str = "example.jsonl", tool: str = "Read") -> dict[str, Any]:
    """A session of so many responses that compacts whenever it reaches the threshold."""
    responses: list[dict[str, Any]] = []
    compactions: list[dict[str, Any]] = []
    context = 20_000
    for n in range(1, count + 1):
        grown = 3_000 + 37 * (n % 11)
        responses.append(
            {
                "n": n,
                "line": 3 * n,
                "at": f"2026-12-01T00:{n // 60 % 60:02}:{n % 60:02}.000Z",
                "context": context,
                "input": 10,
                "cache_read": context - 2_010,
                "cache_write": 2_000,
                "output": 400 + n,
                "entered": {"own_words": 120, "tool_results": {tool: grown - 720}, "attachments": {}, "memory": 0},
                "state": "normal",
            }
        )
        context += grown
        if context >= AUTO:
            compactions.append(
                {
                    "line": 3 * n + 2,
                    "after_response": n,
                    "trigger": "auto",
                    "pre_tokens": context,
                    "post_tokens": 31_000,
                    "layer": "full",
                }
            )
            context = 31_000
    return {
        "schema": "keel-session/1",
        "file": name,
        "model": "claude-sonnet-4-5",
        "window": 200_000,
        "thresholds": {"warning": 147_000, "error": 147_000, "auto": AUTO, "blocking": 177_000},
        "responses": responses,
        "compactions": compactions,
        "drops": [{"before_response": 12, "tokens": 900, "layer": "unknown", "why": "the record does not say"}],
        "cache": {"drops": []},
        "repeats": [],
        "thrash": [],
        "problems": [],
        "forecast": {"warning": 12, "auto": 18, "blocking": 21},
    }
