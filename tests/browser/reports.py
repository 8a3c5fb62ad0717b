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
                    "predicted_tokens": context,
                    "post_tokens": 31_000,
                    "layer": "full",
                    "layer_why": "a summary took the place of all rows",
                    "dropped": {"rows": 2 * n, "prompts": 4, "tool_results": n, "tokens": 9_000},
                    "kept": {"rows": 0, "tokens": 0, "summary_tokens": 700},
                    "restored": [{"path": name, "how": "inlined"}],
                    "why": f"{context:,} tokens had reached the threshold of {AUTO:,}",
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
        "drops": [
            {"before_response": 12, "line": 36, "tokens": None, "layer": "result_budget", "why": name},
            {"before_response": 13, "line": 39, "tokens": 900, "layer": "unknown", "why": "the record does not say"},
        ],
        "answer": f"compacted {len(compactions)} times; now at 30 % of auto-compact; about 12 turns left",
        "window_source": "model",
        "differences": [
            {
                "before_response": 9,
                "line": 27,
                "expected": "send",
                "recorded": "compact",
                "clause": "CMP-071",
                "why": name,
            }
        ],
        "errors": [{"line": 4, "after_response": None, "said": name}],
        "cache": {
            "drops": [
                {"response": 3, "line": 9, "expected": 9_000, "read": 10, "lost": 8_990, "cause": "model", "why": name}
            ],
            "lost": 8_990,
        },
        "repeats": [
            {
                "kind": "tool_result",
                "name": tool,
                "path": name,
                "tokens": 70,
                "times": 3,
                "wasted": 140,
                "lines": [3, 6],
            }
        ],
        "thrash": [],
        "findings": [{"rule": "S4", "line": None, "text": name}, {"rule": "S8", "line": 9, "text": "lost"}],
        "entered": {
            "own_words": 120 * count,
            "tool_results": {tool: sum(one["entered"]["tool_results"][tool] for one in responses)},
            "attachments": {},
            "memory": 0,
            "unattributed": -5,
        },
        "naive": {
            "rows": 3 * count,
            "responses": count,
            "input": {"naive": 300, "right": 100, "percent": 300},
            "output": {"naive": 0, "right": 0, "percent": None},
        },
        "problems": [{"line": 8, "reason": "broken-line", "detail": name}],
        "forecast": forecast(),
    }


def forecast() -> dict[str, Any]:
    """What comes next at a context of 150,000 tokens."""
    reached = {"tokens": 0, "responses": 0, "turns": 0}
    left = {
        "warning": reached,
        "auto": {"tokens": 17_000, "responses": 6, "turns": None},
        "blocking": {"tokens": 27_000, "responses": 9, "turns": 2},
    }
    never = {**left, "auto": {"tokens": None, "responses": None, "turns": None}}
    off = {"setting": "DISABLE_AUTO_COMPACT=1", "warning": 160_000, "auto": AUTO, "blocking": 177_000}
    return {
        "used": 150_000,
        "per_response": 3_000,
        "responses_measured": 20,
        "turns_measured": 5,
        "next": "send",
        "state": "warning",
        "left": left,
        "what_if": [{**off, "auto_enabled": False, "left": never}],
    }
