"""A recording out of the lines of a session file. Spec: TRN-001, CTX-105."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from keel_ref.audit.measure import Meter
from keel_ref.audit.recording import Boundary, Kind, Piece, Problem, Recording, Response, Step
from keel_ref.choices import Choices
from keel_ref.errors import NotSerialisableError
from keel_ref.messages.rows import as_list, as_object
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import Usage
from keel_ref.transcript.counting import group_responses
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import LogRow, Reason, SessionLog
from keel_ref.transcript.pairs import find_unmatched
from keel_ref.transcript.reader import LogReader
from keel_ref.transcript.session_rows import Row, attachment_of
from keel_ref.transcript.view import find_view

RESTORED: Final = frozenset({"file", "file_reference"})
"""Kinds of attachments by which a compaction puts a file back. Spec: CMP-118."""
SIDE_CHAIN: Final = "side-chain"
"""Why rows of sub-agents are left out."""
BY_GRAPH: Final = frozenset({Reason.UNREACHABLE, Reason.ORPHAN_RESULT, Reason.MISSING_RESULT})
"""What is said of rows only because nothing leads to them."""
KEPT_FACTOR: Final = 8
"""Rows that all boundaries together may have kept, by the rows there are; what is beyond is taken as not kept."""
NOT_SERIALISABLE: Final = "not-serialisable"
SYNTHETIC: Final = "<synthetic>"
"""Model of the rows that the client writes by itself in the place of an answer, which measured nothing. EST-019."""


@define
class _Pieces:
    """Measures the rows of a file as they come, and keeps no text."""

    meter: Meter
    of_line: dict[int, tuple[Piece, ...]] = field(factory=dict)
    """By the line, counted from 1."""
    uncounted: dict[int, str] = field(factory=dict)
    """Lines with attachments of which it is not known how they were shown, with their kinds."""
    problems: list[Problem] = field(factory=list)

    def add(self, number: int, line: bytes) -> None:
        """Measure what stands on a line; what is no row of a conversation is passed over."""
        found = read_line(line)
        if not isinstance(found, Mapping):
            return
        row = self._row(number, found)
        if row is None:
            return
        try:
            self.of_line[number] = tuple(self.meter.pieces(number, row, found.get("toolUseResult")))
        except NotSerialisableError:
            self.problems.append(Problem(line=number, reason=NOT_SERIALISABLE))

    def _row(self, number: int, found: Mapping[str, Any]) -> Row | None:
        """The row in the words of MSG-001."""
        kind = _text(found.get("type"))
        if kind in {"user", "assistant"}:
            content = (as_object(found.get("message")) or {}).get("content")
            marks = {"summary": True} if found.get("isCompactSummary") is True else {}
            return {"role": kind, "content": content, **marks}
        if kind != "attachment":
            return None
        held = as_object(found.get("attachment")) or {}
        made = attachment_of(held)
        if made is not None:
            return made
        name = _text(held.get("type")) or "unknown"
        texts = list(_attached_texts(name, held))
        if texts:
            return {"role": kind, "attachment": name, "content": [{"type": "text", "text": one} for one in texts]}
        self.uncounted[number] = name
        return None


def gather(lines: Iterable[bytes | None], name: str, *, choices: Choices | None = None) -> Recording:
    """The recording that the lines of a session file make; None stands for a line that was too long to be read.

    Nothing in them makes it fail. Spec: TRN-001, TRN-010, TRN-030.
    """
    reader, pieces = LogReader(_nothing), _Pieces(Meter(RoughMeasure(choices or Choices())))
    for number, line in enumerate(lines, start=1):
        reader.add(line)
        if line is not None:
            pieces.add(number, line)
    log = _with_order(reader.result())
    steps, places = _steps(log, pieces.of_line)
    responses = _responses(log, places)
    for number, response in enumerate(responses):
        for place in response.rows:
            steps[places[place]] = evolve(steps[places[place]], response=number)
    used = [pieces.uncounted[log.rows[place].line] for place in places if log.rows[place].line in pieces.uncounted]
    return Recording(
        name=name,
        model=log.model,
        steps=tuple(steps),
        responses=tuple(response.response for response in responses),
        problems=tuple(sorted([*_problems(log), *pieces.problems], key=lambda one: (one.line, one.reason))),
        uncounted=dict(sorted(Counter(used).items())),
        has_restored_rows=any(
            piece.kind is Kind.ATTACHMENT and piece.tool in RESTORED for step in steps for piece in step.pieces
        ),
    )


def _with_order(log: SessionLog) -> SessionLog:
    """The log, or where not one row names a parent the same in the order of its file: there is no graph to follow."""
    if any(row.parent is not None for row in log.rows):
        return log
    order = tuple(place for place, row in enumerate(log.rows) if row.agent is None)
    problems = [problem for problem in log.problems if problem.reason not in BY_GRAPH]
    view = find_view(log.rows, order)
    return evolve(log, conversation=order, view=view.order, problems=(*problems, *find_unmatched(log.rows, view.order)))


def _nothing(_: object) -> int:
    """The pieces are measured by themselves."""
    return 0


def _steps(log: SessionLog, of_line: Mapping[int, tuple[Piece, ...]]) -> tuple[list[Step], dict[int, int]]:
    """The conversation, with what a boundary kept once more behind its summary; and where each row stands in it."""
    rows = [(place, log.rows[place]) for place in log.conversation]
    names = {row.uuid: index for index, (_, row) in enumerate(rows) if row.uuid is not None}
    behind: dict[int, tuple[int, int]] = {}
    room = KEPT_FACTOR * len(rows)
    for index, (_, row) in enumerate(rows):
        kept = None if row.boundary is None else _kept(row, names, index)
        if row.boundary is not None and kept is not None and kept[1] - kept[0] <= room:
            room -= kept[1] - kept[0]
            anchor = names.get(row.boundary.anchor or "", index)
            behind[max(anchor, index)] = kept
    steps: list[Step] = []
    places: dict[int, int] = {}
    for index, (place, row) in enumerate(rows):
        places[place] = len(steps)
        steps.append(_step(row, of_line.get(row.line, ())))
        head, end = behind.get(index, (0, 0))
        for _, one in rows[head:end]:
            steps.append(Step(line=one.line, pieces=_shown(one, of_line), is_kept=True))
    return steps, places


def _kept(row: LogRow, names: Mapping[str, int], start: int) -> tuple[int, int] | None:
    """First and behind the last of the rows that a boundary kept; None where they cannot be found. Spec: TRN-022."""
    about = row.boundary
    if about is None or about.head is None or about.tail is None:
        return None
    head, tail = names.get(about.head), names.get(about.tail)
    if head is None or tail is None or not head <= tail < start:
        return None
    return head, tail + 1


def _step(row: LogRow, pieces: tuple[Piece, ...]) -> Step:
    about = row.boundary
    return Step(
        line=row.line,
        pieces=() if row.is_for_the_screen else pieces,
        boundary=None if about is None else Boundary(trigger=about.trigger, tokens_before=about.pre_tokens),
        is_api_error=row.is_error,
        is_prompt=row.is_prompt and bool(pieces),
        is_summary=row.is_summary,
    )


def _shown(row: LogRow, of_line: Mapping[int, tuple[Piece, ...]]) -> tuple[Piece, ...]:
    return () if row.is_for_the_screen else of_line.get(row.line, ())


@define
class _Counted:
    """A response, and which rows of the log are it."""

    response: Response
    rows: Sequence[int]


def _responses(log: SessionLog, places: Mapping[int, int]) -> list[_Counted]:
    """The answers of the conversation, each once, in its order; those without a usage too. Spec: TRN-030."""
    usages = {response.rows: response.usage for response in log.responses}
    found: list[_Counted] = []
    for group in group_responses(log.rows):
        own = sorted(
            (place for place in group if place in places and _is_answer(log.rows[place])), key=places.__getitem__
        )
        if not own:
            continue
        usage = usages.get(group) or Usage()
        response = Response(
            line=log.rows[own[0]].line, start=places[own[0]], sent=usage.input_total, output=usage.output_tokens
        )
        found.append(_Counted(response, own))
    return sorted(found, key=lambda one: one.response.start)


def _is_answer(row: LogRow) -> bool:
    return not row.is_error and row.model != SYNTHETIC  # [EST-019]


def _problems(log: SessionLog) -> Iterator[Problem]:
    for problem in log.problems:
        yield Problem(line=problem.line, reason=str(problem.reason))
    for row in log.rows:
        if row.agent is not None:
            yield Problem(line=row.line, reason=SIDE_CHAIN)


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
