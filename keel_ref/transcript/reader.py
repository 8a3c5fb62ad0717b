"""A session file, read line by line. Spec: TRN-001 to TRN-005."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field

from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import TERMS, Usage, read_usage
from keel_ref.transcript.counting import find_responses, group_responses
from keel_ref.transcript.graph import find_conversation
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import Kind, LogRow, Problem, Reason, SessionLog, sum_usage
from keel_ref.transcript.pairs import find_unmatched
from keel_ref.transcript.segments import Copy
from keel_ref.transcript.session_rows import HEADER
from keel_ref.transcript.slim import KINDS, Cost, is_link, slim_row
from keel_ref.transcript.view import find_view


def read_log(lines: Iterable[bytes | None], *, cost: Cost | None = None) -> SessionLog:
    """What these lines say, with or without their LF; None stands for a line that was too long to be read.

    `cost` is the documented rule for one row, where somebody has a faster one. Never fails. Spec: TRN-001.
    """
    reader = LogReader(cost or _model_cost())
    for line in lines:
        reader.add(line)
    return reader.result()


def _model_cost() -> Cost:
    counter = RowCounter(RoughMeasure())
    return lambda row: counter.count(0, row)


@define
class LogReader:
    """Takes the lines of a session file one after another, and keeps no text of them."""

    cost: Cost
    lines: int = 0
    rows: list[LogRow] = field(factory=list)
    problems: list[Problem] = field(factory=list)
    other_kinds: Counter[str] = field(factory=Counter)
    seen: dict[str, int] = field(factory=dict)
    """Of each uuid a digest of the line on which it stood first."""
    copies: list[Copy] = field(factory=list)
    """Rows that were written again."""
    named_rows: int = 0
    """How many of the rows have a uuid."""
    naive: list[Usage] = field(factory=list)
    last_usage: tuple[object, Usage | None] = (None, None)
    """What the last answer with good usage said, and how that was read."""
    named: Mapping[str, Any] = field(factory=dict)
    """The last row that names its session."""

    def add(self, line: bytes | None) -> None:
        """Take in one line. Spec: TRN-002."""
        self.lines += 1
        found = Reason.LONG_LINE if line is None else read_line(line)
        if found is None:
            return
        if isinstance(found, Reason):
            self._report(found)
            return
        kind = found.get("type")
        known: Kind | None = KINDS.get(kind) if isinstance(kind, str) else None
        if known is None and is_link(found):
            known = Kind.OTHER  # [TRN-003] rows may hang on it
        if known is None:
            self._pass_over(kind)
        else:
            self._add_row(known, found, line or b"")

    def result(self) -> SessionLog:
        """What the lines so far say. Spec: TRN-010, TRN-022, TRN-030."""
        groups = group_responses(self.rows)
        conversation = find_conversation(self.rows, groups, self.copies)
        view = find_view(self.rows, conversation.order, conversation.segments)
        problems = [*self.problems, *conversation.problems, *find_unmatched(self.rows, view.order)]
        return SessionLog(
            lines=self.lines,
            rows=tuple(self.rows),
            problems=tuple(sorted(problems, key=lambda one: (one.line, one.reason, one.detail))),
            other_kinds=tuple(sorted(self.other_kinds.items())),
            conversation=conversation.order,
            view=view.order,
            kept=view.kept,
            responses=find_responses(self.rows, groups, conversation.order),
            naive=sum_usage(self.naive),
            header=tuple((key, str(self.named[key])) for key in HEADER if self.named.get(key) is not None),
        )

    def _pass_over(self, kind: object) -> None:
        if isinstance(kind, str):
            self.other_kinds[kind] += 1  # [TRN-003] bookkeeping, and whatever newer clients write
        else:
            self._report(Reason.NO_KIND)

    def _add_row(self, kind: Kind, row: Mapping[str, Any], line: bytes) -> None:
        usage = self._usage(row) if kind is Kind.ASSISTANT else None
        uuid = row.get("uuid")
        if isinstance(uuid, str) and uuid:
            digest = zlib.crc32(line.rstrip())
            first = self.seen.setdefault(uuid, digest)
            if len(self.seen) == self.named_rows:  # it stood above
                same = first == digest
                parent = row.get("parentUuid")
                self.copies.append(Copy(uuid, parent if isinstance(parent, str) else None, len(self.rows)))
                self._report(Reason.DUPLICATE_UUID if same else Reason.CHANGED_DUPLICATE, uuid)
                return  # [TRN-004] the first one stands
            self.named_rows += 1
        else:
            self._report(Reason.NO_UUID)
        if row.get("sessionId") is not None:
            self.named = row
        self.rows.append(slim_row(self.lines, kind, row, self.cost, usage))

    def _usage(self, row: Mapping[str, Any]) -> Usage | None:
        """What the row says was used; the rows of one response mostly say it in the same words."""
        message = row.get("message")
        held = message.get("usage") if isinstance(message, dict) else None
        usage = self.last_usage[1]
        if held != self.last_usage[0] or _holds_truth(held):
            usage = read_usage(held)
            if usage is not None and not usage.has_bad_terms:
                self.last_usage = held, usage
        if usage is not None:
            self.naive.append(usage)
        if usage.has_bad_terms if usage is not None else held is not None:
            self._report(Reason.BAD_USAGE)
        return usage

    def _report(self, reason: Reason, detail: str = "") -> None:
        self.problems.append(Problem(line=self.lines, reason=reason, detail=detail))


def _holds_truth(usage: object) -> bool:
    """Whether a term is true or false, which equal 1 and 0 and are no numbers."""
    return isinstance(usage, dict) and any(isinstance(usage.get(term), bool) for term in TERMS)
