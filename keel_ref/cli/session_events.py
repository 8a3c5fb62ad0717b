"""The events of a session in order, one line of text each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

MOST_EVENTS: Final = 200
"""So many are told; `--json` has all."""
LAYERS: Final = {
    "result_budget": "result budget",
    "snip": "snip",
    "micro": "microcompact",
    "collapse": "collapse",
    "session_memory": "session memory",
    "full": "full compaction",
    "reactive": "reactive compaction",
    "manual": "asked for by hand",
    "clear": "/clear",
    "unknown": "layer unknown",
}


def event_lines(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """In the order of the file, each with its line and its reason."""
    events = sorted(_events(report), key=lambda one: one[0])
    for line, text in events[:MOST_EVENTS]:
        yield f"line {line:>5,}  ", text
    if len(events) > MOST_EVENTS:
        yield "", f"and {len(events) - MOST_EVENTS:,} more; --json has all of them"


def _events(report: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    for one in report["compactions"]:
        yield one["line"], _compaction(one)
    for one in report["drops"]:
        yield one["line"], _drop(one)
    for one in report["differences"]:
        yield (
            one["line"] or 0,
            f"expected {one['expected']}, recorded {one['recorded']} ({one['clause']}): {one['why']}",
        )
    for one in report["errors"]:
        yield one["line"], f"the client reports an error: {one['said']}"
    for one in report["pauses"]:
        hours, minutes = divmod(one["minutes"], 60)
        yield one["line"], f"{hours:,} h {minutes} min passed before response {one['before_response']:,}"
    for one in report["cache"]["drops"]:
        yield (
            one["line"],
            (
                f"response {one['response']:,} read {one['read']:,} of {one['expected']:,} cached tokens "
                f"({one['cause']}): {one['why']}"
            ),
        )


def _compaction(one: Mapping[str, Any]) -> str:
    before, after = one["pre_tokens"], one["post_tokens"]
    where = f"after response {one['after_response']:,}" if one["after_response"] else "before any response"
    sizes = f"{'?' if before is None else f'{before:,}'} → {'?' if after is None else f'{after:,}'} tokens"
    dropped, kept = one["dropped"], one["kept"]
    inside = f"{counted(dropped['prompts'], 'prompt')}, {counted(dropped['tool_results'], 'result')}"
    gone = f"dropped {counted(dropped['rows'], 'row')} ({inside})"
    stayed = f"kept {kept['rows']:,} rows" if kept["rows"] else "kept none"
    summary = f"a summary of about {kept['summary_tokens']:,}" if kept["summary_tokens"] else "no summary in the file"
    back = "".join(f"; back came {file['path']} ({file['how']})" for file in one["restored"])
    predicted = one["predicted_tokens"]
    differs = f"; the rules say {predicted:,}" if before is not None and before != predicted else ""
    return (
        f"compacted {where} ({one['trigger'] or 'trigger unknown'}, {LAYERS[one['layer']]}): {sizes}{differs}; "
        f"{one['why']}; {gone}, {stayed}, {summary}{back or '; what came back is not recorded'}"
    )


def counted(number: int, word: str) -> str:
    """A number of things, one or more."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _drop(one: Mapping[str, Any]) -> str:
    size = "" if one["tokens"] is None else f" {one['tokens']:,} tokens less,"
    return f"before response {one['before_response']:,}:{size} {LAYERS[one['layer']]}: {one['why']}"
