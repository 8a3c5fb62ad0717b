"""A recording out of the lines of a session file. Spec: EST-033, CTX-105."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import define, evolve, field

from keel_ref.audit.measure import Meter
from keel_ref.audit.recording import Boundary, Kind, Problem, Recording, Response, Step
from keel_ref.choices import Choices
from keel_ref.messages.rows import Role, as_list, as_object, has_mark, is_boundary, role_of
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import Usage, read_usage
from keel_ref.transcript.rewinds import Link, find_abandoned
from keel_ref.transcript.session_rows import Row, read_rows

RESTORED: Final = frozenset({"file", "file_reference"})
"""Kinds of attachments by which a compaction puts a file back. Spec: CMP-118."""


@define
class _Draft:
    """What is kept of a row until the conversation is known."""

    step: Step
    link: Link
    response: tuple[object, object] | None = None
    """Message and request id of an answer; None: the row is none."""
    usage: Usage | None = None


@define
class _Gatherer:
    meter: Meter
    drafts: list[_Draft] = field(factory=list)
    uncounted: Counter[str] = field(factory=Counter)

    def keep(self, index: int, row: Row, line: Mapping[str, Any]) -> Row:
        """Measure a row and let its content go."""
        role = role_of(row)
        pieces = tuple(self.meter.pieces(index, row, line.get("toolUseResult")))
        is_own = role is Role.USER and line.get("isMeta") is not True and not has_mark(row, "summary")
        is_prompt = is_own and bool(pieces) and all(piece.kind is Kind.USER for piece in pieces)
        is_error = has_mark(row, "error")
        step = Step(
            line=0,  # known when all are read
            pieces=pieces,
            boundary=_boundary(row) if is_boundary(row) else None,
            is_api_error=is_error,
            is_prompt=is_prompt,
            is_summary=has_mark(row, "summary"),
            is_kept=has_mark(row, "kept"),
        )
        draft = _Draft(
            step, Link(uuid=_text(row.get("uuid")), parent=_text(line.get("parentUuid")), is_prompt=is_prompt)
        )
        if role is Role.ASSISTANT and not is_error:
            draft.response = (row.get("id"), line.get("requestId"))
            draft.usage = read_usage(row.get("usage"))
        self.drafts.append(draft)
        return {"role": row.get("role")}

    def attach(self, attachment: Mapping[str, Any]) -> Row | None:
        """The row of an attachment that is no file, where it is known how it was shown; else it is only counted."""
        kind = _text(attachment.get("type")) or "unknown"
        texts = list(_attached_texts(kind, attachment))
        if not texts:
            self.uncounted[kind] += 1
            return None
        return {"role": "attachment", "attachment": kind, "content": [{"type": "text", "text": one} for one in texts]}


def gather(lines: Iterable[bytes], name: str, *, choices: Choices | None = None) -> Recording:
    """The recording that the lines of a session file make. Nothing in them makes it fail. Spec: EST-033."""
    gatherer = _Gatherer(Meter(RoughMeasure(choices or Choices())))
    found = read_rows(lines, keep=gatherer.keep, render=gatherer.attach)
    for draft, line in zip(gatherer.drafts, found.lines, strict=True):
        draft.step = evolve(draft.step, line=line)
    left = find_abandoned([draft.link for draft in gatherer.drafts])
    drafts = [draft for place, draft in enumerate(gatherer.drafts) if place not in left]
    steps, responses = _with_responses(drafts)
    problems = [Problem(line=line, reason="broken") for line in found.broken]
    amounts = (("repeated", found.repeated), ("side-chain", found.sidechain_rows), ("abandoned", len(left)))
    problems += [Problem(line=None, reason=reason) for reason, amount in amounts for _ in range(amount)]
    return Recording(
        name=name,
        model=found.model,
        steps=steps,
        responses=responses,
        problems=tuple(problems),
        uncounted=dict(sorted(gatherer.uncounted.items())),
        has_restored_rows=any(
            piece.kind is Kind.ATTACHMENT and piece.tool in RESTORED for step in steps for piece in step.pieces
        ),
    )


def _with_responses(drafts: Iterable[_Draft]) -> tuple[tuple[Step, ...], tuple[Response, ...]]:
    """The steps, each answer with the number of its response; a response counts once, over all its rows.

    An id that comes back behind another prompt, or behind a boundary, is another response. Spec: EST-017, EST-028.
    """
    steps: list[Step] = []
    responses: list[Response] = []
    open_now: dict[tuple[object, object], int] = {}
    for index, draft in enumerate(drafts):
        step = draft.step
        if step.is_prompt or step.boundary is not None:
            open_now = {}
        if draft.response is None:
            steps.append(step)
            continue
        key, usage = draft.response, draft.usage or Usage()
        number = open_now.get(key, len(responses)) if key[0] is not None else len(responses)
        if number == len(responses):
            responses.append(Response(line=step.line, start=index, sent=0, output=0, is_void=step.is_kept))
            open_now[key] = number
        had = responses[number]
        sent, output = max(had.sent, usage.input_total), max(had.output, usage.output_tokens)
        responses[number] = evolve(had, sent=sent, output=output)
        steps.append(evolve(step, response=number))
    return tuple(steps), tuple(responses)


def _boundary(row: Row) -> Boundary:
    before = row.get("tokens_before")
    is_known = isinstance(before, int) and not isinstance(before, bool)
    return Boundary(trigger=_text(row.get("trigger")), tokens_before=before if is_known else None)


def _attached_texts(kind: str, attachment: Mapping[str, Any]) -> Iterator[str]:
    """The texts that are known to be shown. Spec: CTX-104."""
    content = attachment.get("content")
    match kind:
        case "instructions":
            for file in as_list(attachment.get("files")) or ():
                text = (as_object(file) or {}).get("content")
                if isinstance(text, str):
                    yield text
        case "nested_memory":
            text = (as_object(content) or {"content": content}).get("content")
            if isinstance(text, str):
                yield text
        case _ if isinstance(content, str) and content:
            yield content
        case _:
            return


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
