"""The list with which a session goes on behind a compaction. Spec: CMP-150 to CMP-155."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from attrs import field, frozen

from keel_ref.compaction.attachments import Row
from keel_ref.compaction.summary_text import summary_text
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import BOUNDARY_SUBTYPE, Role, as_list, as_object, is_boundary, role_of, rows_of
from keel_ref.messages.view import view_start

Subject = tuple[str, str | None, tuple[str, ...]]
"""What an attachment is about: its kind, its path, and for an agent its name."""

HOOK: Final = "hook"
"""The kind of what a hook said; each of these stands for itself."""


class Trigger(StrEnum):
    """Who wanted the compaction."""

    AUTO = "auto"
    MANUAL = "manual"


@frozen(kw_only=True)
class BoundaryFacts:
    """What a boundary says of the compaction that left it behind. Spec: CMP-150."""

    trigger: Trigger
    """Who wanted it."""
    tokens_before: int
    """Size of the context before it."""
    discovered_tools: Collection[str] = ()
    """Names of the tools on demand that were found since the boundary before."""
    uuid: str | None = None
    """Name of the boundary row; None for none."""
    at_ms: int | None = None
    """When it is; None where nobody says."""


@frozen(kw_only=True)
class Summary:
    """One summary."""

    text: str
    """As a model wrote it, or the notes."""
    uuid: str | None = None
    """Name of its row; None for none."""


@frozen(kw_only=True)
class NewList:
    """The list behind a compaction."""

    messages: tuple[Any, ...]
    """Boundary, summaries, kept rows, attachments, results of hooks."""
    decisions: tuple[Decision, ...] = field(factory=tuple)


def rebuilt_list(
    messages: Sequence[Any],
    facts: BoundaryFacts,
    summaries: Sequence[Summary],
    *,
    kept_from: int | None = None,
    attachments: Sequence[Row] = (),
    hook_results: Sequence[Any] = (),
    log_path: str | None = None,
) -> NewList:
    """The new list. `messages` is the whole history, of which the rows from `kept_from` on are kept. Spec: CMP-152.

    Raises `InvalidArgumentError` if `messages` is no list, if `kept_from` is no place in it, and if there is no summary
    or one is blank.
    """
    rows = rows_of(messages)
    start = len(rows) if kept_from is None else kept_from
    if not 0 <= start <= len(rows):
        raise InvalidArgumentError("from", f"{start} is no place in a list of {len(rows)} rows")
    if not summaries:
        raise InvalidArgumentError("summary", "is missing; without a summary the history would be lost")
    written = [_summary_row(summary, facts.at_ms, log_path) for summary in summaries]
    replaced = {_subject(row) for row in attachments} - {None}
    tail: list[Any] = []
    decisions: list[Decision] = []
    for index in range(start, len(rows)):
        why = _why_not_kept(rows[index], replaced)
        if why is None:
            tail.append(_kept_row(rows[index]))  # [CMP-154] in order, from the full history
        else:
            decisions.append(Decision(layer=Layer.COMPACT, why=why, row=index))
    boundary = _boundary_row(rows, facts, summaries[-1].uuid, tail)
    # [CMP-152] the order
    return NewList(messages=(boundary, *written, *tail, *attachments, *hook_results), decisions=tuple(decisions))


def _boundary_row(rows: Sequence[Any], facts: BoundaryFacts, anchor: str | None, tail: Sequence[Any]) -> Row:
    found: dict[str, Any] = {"role": str(Role.SYSTEM), "subtype": BOUNDARY_SUBTYPE}
    optional: dict[str, Any] = {"uuid": facts.uuid, "at": facts.at_ms}
    optional["trigger"] = str(facts.trigger)
    optional["tokens_before"] = facts.tokens_before
    optional["last_before"] = next((_uuid(row) for row in reversed(rows) if _is_message(row) and _uuid(row)), None)
    optional["discovered_tools"] = sorted({*facts.discovered_tools, *_discovered_before(rows)})  # [CMP-150]
    if tail:
        optional["kept_segment"] = {"head": _uuid(tail[0]), "anchor": anchor, "tail": _uuid(tail[-1])}  # [CMP-151]
    return {**found, **{key: value for key, value in optional.items() if value is not None}}


def _summary_row(summary: Summary, at_ms: int | None, log_path: str | None) -> Row:
    text = summary_text(summary.text)
    if not text:
        raise InvalidArgumentError("summary", "nothing is left of it without its draft; treat this as a failed attempt")
    where = f" What was said in full stands in {log_path}." if log_path is not None else ""  # P-3
    opening = f"[keel-ref: the talk so far was replaced by this summary; go on from it.{where}]"
    row: dict[str, Any] = {
        "role": str(Role.USER),  # [CMP-153] what is no user row might not be sent
        "summary": True,
        "content": [{"type": "text", "text": opening}, {"type": "text", "text": text}],
    }
    optional = {"uuid": summary.uuid, "at": at_ms}
    return {**row, **{key: value for key, value in optional.items() if value is not None}}


def _why_not_kept(row: object, replaced: Collection[Subject | None]) -> Why | None:
    """Why a row of the tail is not kept; None where it is."""
    if is_boundary(row):
        return Why.BOUNDARY_LEFT_OUT  # [CMP-152] [CMP-154] one boundary, the new one
    return Why.ATTACHMENT_REPLACED if _subject(row) in replaced else None  # [CMP-162]


def _subject(row: object) -> Subject | None:
    """What an attachment is about; None for any other row. Spec: CMP-162."""
    found = as_object(row)
    kind = None if found is None or role_of(row) is not Role.ATTACHMENT else found.get("attachment")
    if found is None or not isinstance(kind, str) or kind == HOOK:
        return None
    path, names = found.get("path"), as_list(found.get("names")) or ()
    return (
        "file" if kind == "file_reference" else kind,  # [CMP-162] a file, in full or by name
        path if isinstance(path, str) else None,
        tuple(map(str, names)) if kind == "agent_state" else (),
    )


def _kept_row(row: object) -> object:
    found = as_object(row)
    return row if found is None else {**found, "kept": True}  # [CMP-154] its usage speaks of a context that is gone


def _discovered_before(rows: Sequence[Any]) -> Iterator[str]:
    """The tools that the last boundary names. Spec: CMP-150."""
    start = view_start(rows)
    before = as_object(rows[start]) if start < len(rows) and is_boundary(rows[start]) else None
    for name in as_list((before or {}).get("discovered_tools")) or ():
        if isinstance(name, str):
            yield name


def _is_message(row: object) -> bool:
    return role_of(row) in {Role.USER, Role.ASSISTANT}


def _uuid(row: object) -> str | None:
    name = (as_object(row) or {}).get("uuid")
    return name if isinstance(name, str) and name else None
