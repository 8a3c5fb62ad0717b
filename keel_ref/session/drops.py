"""Where the context became smaller: compactions with what they dropped and kept, and every other drop. Rules S5, S6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import asdict, frozen

from keel_ref.session.layers import Cause, cause_of_cut, cause_of_drop, find_refused
from keel_ref.session.thresholds import Window
from keel_ref.session.timeline import Cut, Step, first_line
from keel_ref.transcript.log import Kind, LogRow

RESTORED: Final[Mapping[str, str]] = {"file": "inlined", "compact_file_reference": "named", "file_reference": "named"}
"""Attachments that put a file back behind a compaction. Spec: CMP-118."""


@frozen(kw_only=True)
class Compaction:
    """One boundary, and what it did."""

    line: int
    at_ms: int | None
    after_response: int | None
    """The last response before it; None: there is none."""
    trigger: str | None
    pre_tokens: int | None
    """What the record says that the context held before."""
    predicted_tokens: int
    """What the rules say of it. Spec: CMP-154, EST-016."""
    post_tokens: int | None
    """The context of the next response, which the provider measured; None: there was none."""
    cause: Cause
    dropped: Mapping[str, int]
    kept: Mapping[str, int]
    restored: tuple[tuple[str, str], ...]
    """Files that the record says were put back, and how."""
    why: str


@frozen(kw_only=True)
class Drop:
    """Something that is less than it was, or would have been, without a boundary."""

    before_response: int
    line: int
    tokens: int | None
    """None: the record does not say."""
    cause: Cause


def find_compactions(steps: Sequence[Step], rows: Sequence[LogRow], window: Window) -> tuple[Compaction, ...]:
    """Every boundary of the conversation, in its order."""
    return tuple(_compactions(steps, rows, window))


def find_drops(steps: Sequence[Step], rows: Sequence[LogRow]) -> tuple[Drop, ...]:
    """Every response whose context is smaller than the one before, unless a boundary stands between."""
    return tuple(_drops(steps, rows))


def _compactions(steps: Sequence[Step], rows: Sequence[LogRow], window: Window) -> Iterator[Compaction]:
    for step in steps:
        refused = find_refused(step, rows) if step.cuts else frozenset()
        for place, cut in enumerate(step.cuts):
            is_last = place == len(step.cuts) - 1
            after = step.response.usage.input_total if step.response is not None and is_last else None
            row = rows[cut.place]
            yield Compaction(
                line=row.line,
                at_ms=row.at_ms,
                after_response=step.number - 1 or None,
                trigger=cut.boundary.trigger,
                pre_tokens=cut.boundary.pre_tokens,
                predicted_tokens=cut.size_tokens,
                post_tokens=after,
                cause=cause_of_cut(cut, is_refused=cut.place in refused),
                dropped=asdict(cut.held.less(cut.kept)),
                kept=_kept(cut, rows),
                restored=tuple(_restored(cut, rows)),
                why=_why(cut, window),
            )


def _kept(cut: Cut, rows: Sequence[LogRow]) -> Mapping[str, int]:
    return {
        "rows": cut.kept.rows,
        "tokens": cut.kept.tokens,
        "summary_tokens": sum(rows[place].tokens for place in cut.behind if rows[place].is_summary),
    }


def _restored(cut: Cut, rows: Sequence[LogRow]) -> Iterator[tuple[str, str]]:
    """Attachments with files that stand behind a boundary before anybody speaks again."""
    for place in cut.behind:
        row = rows[place]
        how = RESTORED.get(row.subtype or "") if row.kind is Kind.ATTACHMENT else None
        if how is not None:
            yield from ((block.path, how) for block in row.blocks if block.path is not None)
        elif row.kind in {Kind.USER, Kind.ASSISTANT} and not row.is_summary:
            return


def _why(cut: Cut, window: Window) -> str:
    """Why it happened, in a sentence."""
    before, auto = cut.boundary.pre_tokens, window.limits.auto
    size = cut.size_tokens if before is None else before
    match cut.boundary.trigger:
        case "manual":
            return f"somebody asked for it, at {size:,} tokens"
        case "auto" if size >= auto:
            return f"{size:,} tokens had reached the threshold of {auto:,}"
        case "auto":
            return (
                f"it began at {size:,} tokens, below the threshold of {auto:,} that is taken here: another "
                "window, or a setting that lowers the threshold"
            )
        case _:
            return f"the boundary does not say why, at {size:,} tokens"


def _drops(steps: Sequence[Step], rows: Sequence[LogRow]) -> Iterator[Drop]:
    last: Step | None = None
    for step in steps:
        if step.response is None:
            return
        if last is not None and last.response is not None and not step.cuts:
            lost = last.response.usage.input_total - step.response.usage.input_total
            line = first_line(step, rows)
            if lost > 0 and line is not None:
                models = (last.response.model, step.response.model)
                cause = cause_of_drop(step, rows, rows[last.response.rows[-1]].at_ms, models)
                yield Drop(before_response=step.number, line=line, tokens=lost, cause=cause)
        last = step
