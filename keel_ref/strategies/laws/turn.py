"""Laws that hold for every sequence of events. Spec: compaction.md, Invariants."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field

from keel_ref.choices import RefillGuard
from keel_ref.compaction.due import OWN_SOURCES
from keel_ref.compaction.effects import AskSummary, End, EndTurn, SendRequest
from keel_ref.compaction.events import Appended, Cleared, CompactAsked, Event, PassBegun, RequestRefused, Resumed
from keel_ref.compaction.state import ForSaves, State, Step
from keel_ref.compaction.trace import Layer, Why
from keel_ref.messages import prepare_messages
from keel_ref.messages.rounds import api_rounds
from keel_ref.messages.rows import Role, as_list, content_of, is_boundary, is_media, role_of, type_of

DONE = {Why.COMPACTED, Why.COMPACTED_BY_NOTES}
"""A compaction succeeded."""
COUNTED_FAILURES = {Why.FAILED, Why.INFLATED}
"""A compaction failed in a way that counts whatever was chosen."""
MOST_CALLS = 8
MOST_FAILURES = 3


@define
class Course:
    """What happened to one session so far, as far as the laws remember it."""

    failures: int = 0
    """Automatic attempts in a row that failed, counted by the laws themselves."""
    calls: int = 0
    """Calls of the attempt under way."""
    last_rows: str | None = None
    """What the last try of the attempt under way sent, as JSON."""
    last_rounds: int = 0
    """Rounds of it."""
    sent: Sequence[Any] | None = None
    """The last request in which nothing acted, where only rows were appended since."""
    _is_manual: bool = field(default=False, init=False)
    _is_enabled: bool = field(default=True, init=False)
    """Whether a compaction was possible when the attempt under way began; later changes hold for the next one."""

    def breaches(self, before: State, event: Event, done: Step) -> list[str]:
        """What is wrong about one step; nothing as a rule."""
        return [*self._list(before, done), *self._attempts(before, event, done), *self._requests(before, event, done)]

    def _list(self, before: State, done: Step) -> Iterator[str]:
        """The log only grows, and a compaction adds exactly one boundary with its summary behind it."""
        whys = {said.why for said in done.trace if said.layer is Layer.COMPACT}
        new = sum(map(is_boundary, done.state.log)) - sum(map(is_boundary, before.log))
        if whys & DONE:
            yield from _success(before, done)
        if new > len(whys & DONE) or (whys & DONE and new != 1):
            yield f"{new} new boundaries"
        if whys & {*COUNTED_FAILURES, Why.ABORTED, Why.HOOK_BLOCKED} and done.state.log != before.log:
            yield "a failure changed the log"
        if whys & {*COUNTED_FAILURES, Why.ABORTED} and done.state.read_state != before.read_state:
            yield "a failure changed the read-state"

    def _attempts(self, before: State, event: Event, done: Step) -> Iterator[str]:
        """No automatic attempt behind three failures, eight calls at most, no two tries alike, nothing shown twice."""
        if isinstance(event, CompactAsked | PassBegun | RequestRefused) and before.waiting is None:
            self._is_manual = isinstance(event, CompactAsked)
            self.calls, self.last_rows = 0, None
        if before.waiting is None or isinstance(before.waiting, ForSaves):  # a pass that saves has not begun one yet
            self._is_enabled = before.settings.limits.is_manual_enabled
        for asked in (one for one in done.effects if isinstance(one, AskSummary)):
            yield from self._call(asked)
            if isinstance(event, PassBegun) and event.source in OWN_SOURCES:
                yield "a compaction inside a compaction"
        whys = {said.why for said in done.trace if said.layer is Layer.COMPACT}
        if whys & DONE or isinstance(event, Cleared | Resumed):
            self.failures, self.calls, self.last_rows = 0, 0, None
        if not self._is_manual and whys & COUNTED_FAILURES:
            self.failures += 1
        if whys & {*COUNTED_FAILURES, Why.ABORTED, Why.HOOK_BLOCKED}:
            self.calls, self.last_rows = 0, None
        if self.failures > done.state.breaker.in_row:
            yield "a failure was not counted"

    def _call(self, asked: AskSummary) -> Iterator[str]:
        self.calls += 1
        if self.calls > MOST_CALLS:
            yield f"call {self.calls} of one attempt"
        if self.calls == 1 and not self._is_manual and self.failures >= MOST_FAILURES:
            yield "an attempt though the breaker is open"
        text, rounds = json.dumps(asked.rows), len(api_rounds(asked.rows))
        if str(asked.tools) == "all" and text == self.last_rows:
            yield "a try that sends what the last one sent"
        if str(asked.tools) == "all" and self.last_rows is not None and rounds >= self.last_rounds + 1:
            yield "a try with more rounds than the last one"
        self.last_rows, self.last_rounds = text, rounds
        if any(is_media(block) for row in asked.rows for block in as_list(content_of(row)) or ()):
            yield "media reach the summariser"
        if self.calls == 1 and not self._is_enabled:
            yield "a compaction though all are switched off"

    def _requests(self, before: State, event: Event, done: Step) -> Iterator[str]:
        """What is sent has whole pairs, begins as before where nothing acted, and is not above the limit."""
        ends = [one for one in done.effects if isinstance(one, SendRequest | EndTurn)]
        if len(ends) > 1:
            yield "a pass that ends twice"
        for end in ends:
            if isinstance(end, EndTurn):
                self.sent = None
                if end.end is End.REFILL and before.settings.choices.refill_guard is RefillGuard.OFF:
                    yield "a guard that is off stops the session"
                continue
            yield from _pairs(end.rows)
            if not end.acted and self.sent is not None and list(end.rows[: len(self.sent)]) != list(self.sent):
                yield "the prefix of the last request is gone though nothing acted"
            self.sent = None if end.acted else end.rows
        if not isinstance(event, Appended | PassBegun) and done.state != before:
            self.sent = None


def _success(before: State, done: Step) -> Iterator[str]:
    """What a compaction that succeeded leaves behind."""
    view = done.state.view
    if not is_boundary(view[0]) or view[1].get("summary") is not True:
        yield "the view does not begin with boundary and summary"
    if done.state.breaker.in_row != 0:
        yield "a success left failures behind"
    if not done.state.is_warning_suppressed:
        yield "a success did not suppress the warning"
    files = [row for row in view if str(row.get("attachment", "")).startswith("file")]
    if len(files) > done.state.settings.constants.restore_cap_files:
        yield f"{len(files)} files were put back"
    if any(row.get("path") in before.plan_files | before.memory_files for row in files):
        yield "a plan or memory file was put back"


def _pairs(rows: Sequence[Any]) -> Iterator[str]:
    """Each result behind its call, each call with its result, once the request is prepared."""
    calls: list[str] = []
    for message in prepare_messages(rows).messages:
        blocks = message["content"]
        results = [block["tool_use_id"] for block in blocks if type_of(block) == "tool_result"]
        if sorted(results) != sorted(calls):
            yield f"calls {calls} are answered by {results}"
        is_answer = role_of(message) is Role.ASSISTANT
        calls = [block["id"] for block in blocks if type_of(block) == "tool_use"] if is_answer else []
