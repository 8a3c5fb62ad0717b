"""Writes a session file row by row, and keeps the truth of it beside. Spec: TRN-003, TRN-010, TRN-022, TRN-030."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.session_truth import NO_TERMS, KnownResponse, KnownSession, Terms, WrittenLine
from keel_ref.tokens.usage import TERMS
from keel_ref.transcript.log import Reason
from keel_ref.transcript.timestamps import write_timestamp

START_MS = 1_764_500_000_000
SESSION = "ee21de58-ce93-4070-b703-a36b203a2d3a"


@define
class Thread:
    """One conversation as it grows: the main one, or that of a sub-agent."""

    agent: str | None = None
    """None: the main thread."""
    order: list[str] = field(factory=list)
    tip: str | None = None
    """The row on which the next one hangs."""


@define
class Answer:
    """One response that was written."""

    thread: Thread
    model: str
    rows: list[str] = field(factory=list)
    terms: Terms = NO_TERMS


@define
class SessionWriter:
    """The file so far, and what is true of it."""

    draw: Draw
    main: Thread = field(factory=Thread)
    lines: list[WrittenLine] = field(factory=list)
    rows: dict[str, dict[str, Any]] = field(factory=dict)
    """By uuid what was written first."""
    groups: dict[str, str] = field(factory=dict)
    """By uuid the group of the line."""
    sides: list[Thread] = field(factory=list)
    answers: list[Answer] = field(factory=list)
    other_kinds: Counter[str] = field(factory=Counter)
    view: list[str] = field(factory=list)
    kept: set[str] = field(factory=set)
    views: list[tuple[list[str], set[str]]] = field(factory=list)
    """What the view was before each boundary."""
    has_segments: bool = False
    """Whether some boundary kept rows."""
    group: str | None = None
    """What lines that are written now must keep their order with."""
    at_ms: int = START_MS
    serial: int = 0

    def name(self, kind: str) -> str:
        """A name that nothing had before."""
        self.serial += 1
        return f"{kind}{self.serial:04}"

    def write(self, thread: Thread, row: Mapping[str, Any], parent: str | None, terms: Terms | None = None) -> str:
        """One row of the graph; it gets its uuid, and is in no order yet."""
        uuid = str(row.get("uuid") or self.name(str(row["type"])[:2]))
        self.at_ms += self.draw.integer(0, 90_000)
        whole: dict[str, Any] = {"parentUuid": parent, "isSidechain": thread.agent is not None, **row}
        whole |= {"uuid": uuid, "timestamp": write_timestamp(self.at_ms), "sessionId": SESSION, "version": "2.1.88"}
        if thread.agent:
            whole["agentId"] = thread.agent
        self.rows[uuid] = whole
        # rows that say nothing stand behind the same row in the order of the file
        beside = None if self._is_said(uuid) or parent is None else self.groups.get(parent)
        self.groups[uuid] = self.group or beside or uuid
        self.lines.append(WrittenLine(as_line(whole), uuid, self.groups[uuid], (), terms))
        return uuid

    def place(self, thread: Thread, uuids: Sequence[str]) -> None:
        """Put rows behind all others of their thread."""
        thread.order += uuids
        if thread is self.main:
            self.view += uuids

    def link(self, thread: Thread, row: Mapping[str, Any], terms: Terms | None = None) -> str:
        """One row that hangs on the last, and on which the next will hang."""
        thread.tip = self.write(thread, row, thread.tip, terms)
        self.place(thread, [thread.tip])
        return thread.tip

    def pass_by(self, row: Mapping[str, Any]) -> None:
        """A row that is in no graph."""
        self.other_kinds[str(row["type"])] += 1
        self.lines.append(WrittenLine(as_line(row)))

    def repeat(self, lines: Sequence[WrittenLine]) -> None:
        """Write rows again as they stand."""
        self.lines += [evolve(line, reports=(Reason.DUPLICATE_UUID,)) for line in lines]

    def abandon(self, prompt: str) -> None:
        """Go back to before a prompt of the main thread."""
        while prompt not in self.view or prompt in self.kept:
            self.view, self.kept = self.views.pop()
        del self.view[self.view.index(prompt) :]
        del self.main.order[self.main.order.index(prompt) :]
        self.main.tip = self.rows[prompt]["parentUuid"]

    def result(self) -> KnownSession:
        """The file with its truth."""
        chosen = frozenset(self.main.order)
        responses = (
            KnownResponse(
                rows=frozenset(one.rows),
                terms=one.terms,
                model=one.model,
                in_conversation=not chosen.isdisjoint(one.rows),
            )
            for one in self.answers
        )
        said = [uuid for uuid in self.main.order if self._is_said(uuid)]
        return KnownSession(
            lines=tuple(self._reported(line, chosen) for line in self.lines),
            conversation=tuple(self.main.order),
            view=tuple(self.view),
            kept=frozenset(self.kept),
            responses=tuple(responses),
            boundaries=frozenset(_told(uuid, row) for uuid, row in self.rows.items() if is_boundary(row)),
            side_chains=frozenset((side.agent or "", tuple(side.order)) for side in self.sides),
            other_kinds=tuple(sorted(self.other_kinds.items())),
            tip=said[-1] if said else None,
        )

    def is_at_end(self, thread: Thread) -> bool:
        """Whether what hangs on the last row also stands behind all others, though it says nothing."""
        said = [uuid for uuid in thread.order if self._is_said(uuid)]
        return thread.tip not in said or thread.tip == said[-1]

    def _is_said(self, uuid: str) -> bool:
        return self.rows[uuid]["type"] in {"user", "assistant"} or is_boundary(self.rows[uuid])

    def _reported(self, line: WrittenLine, chosen: frozenset[str]) -> WrittenLine:
        """With a word about the branch that begins there and was left, if one does."""
        if line.uuid is None or line.reports or line.uuid in chosen:
            return line
        row = self.rows[line.uuid]
        is_root = not row["isSidechain"] and (row["parentUuid"] or row.get("logicalParentUuid")) in chosen
        return evolve(line, reports=(Reason.ABANDONED_BRANCH,)) if is_root else line


def as_line(row: Mapping[str, Any]) -> bytes:
    """The row as a line of the file."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def usage_of(terms: Terms) -> dict[str, int]:
    """The terms as a row spells them."""
    return dict(zip(TERMS, terms, strict=True))


def is_boundary(row: Mapping[str, Any]) -> bool:
    """Whether a compaction began anew there."""
    return row.get("subtype") == "compact_boundary"


def _told(uuid: str, row: Mapping[str, Any]) -> tuple[str, str | None, int | None]:
    about = row.get("compactMetadata") or row.get("compact_metadata") or {}
    return uuid, about.get("trigger"), about.get("preTokens", about.get("pre_tokens"))
