"""What each response read from the provider's cache, and each loss of it with its cause. Rule S8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from keel_ref.session.layers import CLEAR_COMMAND
from keel_ref.session.timeline import Step
from keel_ref.transcript.log import Kind, LogRow

LEAST_TOKENS: Final = 1_024
"""A smaller loss is none: providers keep nothing smaller."""
SHORT_MS: Final = 5 * 60 * 1_000
"""An entry of the usual kind lives so long behind its last use."""
LONG_MS: Final = 60 * 60 * 1_000
"""An entry of the long kind lives so long."""
TOOL_ATTACHMENTS: Final = frozenset(
    {"deferred_tools_delta", "deferred_tools_record", "mcp_instructions_delta", "agent_listing_delta"}
)
"""Attachments that say that the list of tools is another."""


class CacheCause(StrEnum):
    """Why a prefix was not read from the cache any more."""

    COMPACTION = "compaction"
    CLEAR = "clear"
    MODEL = "model"
    TTL_1H = "ttl-1h"
    TTL_5M = "ttl-5m"
    TOOLS = "tools"
    CONTENT = "content"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class CacheDrop:
    """A response that read less than the one before had left in the cache."""

    response: int
    line: int
    expected_tokens: int
    """What the response before read and wrote."""
    read_tokens: int
    cause: CacheCause
    why: str

    @property
    def lost_tokens(self) -> int:
        """What had to be read anew."""
        return self.expected_tokens - self.read_tokens


def find_cache_drops(steps: Sequence[Step], rows: Sequence[LogRow]) -> tuple[CacheDrop, ...]:
    """Every loss, in the order of the conversation."""
    return tuple(_find(steps, rows))


def _find(steps: Sequence[Step], rows: Sequence[LogRow]) -> Iterator[CacheDrop]:
    last: Step | None = None
    for step in steps:
        if step.response is None:
            return
        if last is not None and last.response is not None:
            usage, before = step.response.usage, last.response.usage
            held = before.cache_read_input_tokens + before.cache_creation_input_tokens
            if held - usage.cache_read_input_tokens >= LEAST_TOKENS:
                cause, why = _cause(last, step, rows)
                yield CacheDrop(
                    response=step.number,
                    line=rows[step.response.rows[0]].line,
                    expected_tokens=held,
                    read_tokens=usage.cache_read_input_tokens,
                    cause=cause,
                    why=why,
                )
        last = step


def _cause(last: Step, step: Step, rows: Sequence[LogRow]) -> tuple[CacheCause, str]:
    """The first cause that the record shows, the surest first."""
    assert last.response is not None, "the caller looks at responses alone"
    assert step.response is not None, "the caller looks at responses alone"
    between = [rows[place] for place in step.before]
    if step.cuts:
        return CacheCause.COMPACTION, "a compaction replaced what had been cached"
    if any(CLEAR_COMMAND in block.head for row in between for block in row.blocks):
        return CacheCause.CLEAR, "the conversation was cleared"
    if last.response.model != step.response.model:
        return CacheCause.MODEL, f"{last.response.model} had written it, {step.response.model} cannot read it"
    began, ended = rows[step.response.rows[0]].at_ms, rows[last.response.rows[0]].at_ms
    passed = began - ended if began is not None and ended is not None else 0
    if passed >= LONG_MS:
        return CacheCause.TTL_1H, f"{passed // 60_000:,} minutes had passed, and an entry lives for an hour at most"
    if passed >= SHORT_MS:
        return CacheCause.TTL_5M, f"{passed // 60_000:,} minutes had passed, and the usual entry lives for five"
    if any(row.kind is Kind.ATTACHMENT and row.subtype in TOOL_ATTACHMENTS for row in between):
        return CacheCause.TOOLS, "the list of tools changed"
    if step.response.usage.input_total < last.response.usage.input_total:
        return CacheCause.CONTENT, "the context became smaller, so it no longer began with the same text"
    return CacheCause.UNKNOWN, "the record shows no cause; the system prompt and the tools are not in it"
