"""The same text that entered again while it was still there. Rule S9."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from keel_ref.session.timeline import Step
from keel_ref.transcript.log import Block, Kind, LogRow

LEAST_TOKENS: Final = 50
"""Smaller texts are the same by chance: `ok`, an empty listing."""
MAX_LINES: Final = 20
"""So many lines are named."""


@define
class _Seen:
    name: str
    path: str | None
    tokens: int
    lines: list[int] = field(factory=list)
    times: int = 0


@frozen(kw_only=True)
class Repeat:
    """One text that entered several times between two compactions."""

    kind: str
    """`attachment`, `memory`, `tool_result` or `client`."""
    name: str
    """The tool, or the type of the attachment."""
    path: str | None
    tokens: int
    """Of one copy."""
    times: int
    wasted_tokens: int
    """Of all copies but the first."""
    lines: tuple[int, ...]
    """Where they stand; of many, the first ones."""


def find_repeats(steps: Sequence[Step], rows: Sequence[LogRow]) -> tuple[Repeat, ...]:
    """The costliest first, then by line."""
    found = _found(steps, rows)
    return tuple(sorted(found, key=lambda one: (-one.wasted_tokens, one.lines)))


def _found(steps: Sequence[Step], rows: Sequence[LogRow]) -> Iterator[Repeat]:
    seen: dict[tuple[str, int, int], _Seen] = {}
    calls: dict[str, tuple[str, str | None]] = {}
    for step in steps:
        for place in step.before:
            row = rows[place]
            if row.boundary is not None:
                yield from _repeats(seen)
                seen = {}
            _enter(row, seen, calls)
        for place in step.response.rows if step.response is not None else ():
            for block in rows[place].blocks:
                if block.kind == "tool_use" and block.id is not None:
                    calls[block.id] = (block.name or "unknown tool", block.path)
    yield from _repeats(seen)


def _enter(row: LogRow, seen: dict[tuple[str, int, int], _Seen], calls: dict[str, tuple[str, str | None]]) -> None:
    for block in row.blocks:
        if block.tokens < LEAST_TOKENS or not block.digest:
            continue
        found = _kind_of(row, block, calls)
        if found is None:
            continue
        kind, name, path = found
        key = (kind, block.digest, block.units)
        one = seen.get(key)
        if one is None:
            one = seen[key] = _Seen(name=name, path=path, tokens=block.tokens)
        one.times += 1
        if len(one.lines) < MAX_LINES:
            one.lines.append(row.line)


def _kind_of(row: LogRow, block: Block, calls: dict[str, tuple[str, str | None]]) -> tuple[str, str, str | None] | None:
    """What somebody other than a person and the model put in; None for the rest."""
    if row.kind is Kind.ATTACHMENT:
        name = row.subtype or "unknown"
        return "memory" if name in {"instructions", "nested_memory"} else "attachment", name, block.path
    if row.kind is not Kind.USER or row.is_for_the_screen or row.is_summary:
        return None
    if block.kind == "tool_result":
        return ("tool_result", *calls.get(block.id or "", ("unknown tool", None)))
    return ("client", "words of the client", None) if row.is_meta else None


def _repeats(seen: dict[tuple[str, int, int], _Seen]) -> Iterator[Repeat]:
    for (kind, _, _), one in seen.items():
        if one.times > 1:
            yield Repeat(
                kind=kind,
                name=one.name,
                path=one.path,
                tokens=one.tokens,
                times=one.times,
                wasted_tokens=one.tokens * (one.times - 1),
                lines=tuple(one.lines),
            )
