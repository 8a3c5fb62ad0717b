"""The machine that lets a session arrive row by row and groups it in three ways at once."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from keel_ref import fast
from keel_ref.conformance.marks import clause
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rounds import RoundGrouper, api_rounds
from keel_ref.messages.rows import RowReason
from keel_ref.strategies.conversations import result_of
from keel_ref.strategies.messages import json_rows
from tests.machines.examples import MACHINE_EXAMPLES

CUT_PAIR = {RowReason.ORPHAN_RESULT, RowReason.MISSING_RESULT}


class ArrivingSession(RuleBasedStateMachine):
    """A session of whole responses and odd rows; results come before the next response."""

    def __init__(self) -> None:
        """Start with an empty list."""
        super().__init__()
        self.rows: list[Any] = []
        self.grouper = RoundGrouper()
        self.waiting: list[str] = []
        self.responses = 0
        self.calls = 0
        self.has_odd_rows = False

    def arrive(self, row: Any) -> None:
        """One more row, for the list and for the grouper."""
        self.rows.append(row)
        self.grouper.add(row)

    @rule()
    @precondition(lambda self: not self.waiting)
    def respond(self) -> None:
        """A new response begins."""
        self.responses += 1
        self.speak()

    @rule()
    @precondition(lambda self: self.responses > 0)
    def speak(self) -> None:
        """Another fragment of the response, with a text."""
        self.arrive({"role": "assistant", "id": f"m{self.responses}", "content": [{"type": "text", "text": "so"}]})

    @rule()
    @precondition(lambda self: self.responses > 0)
    def call(self) -> None:
        """Another fragment of the response, with a call."""
        self.calls += 1
        block = {"type": "tool_use", "id": f"c{self.calls}", "name": "f", "input": {}}
        self.arrive({"role": "assistant", "id": f"m{self.responses}", "content": [block]})
        self.waiting.append(f"c{self.calls}")

    @rule(data=st.data())
    @precondition(lambda self: self.waiting)
    def answer(self, data: st.DataObject) -> None:
        """The result of one of the calls that wait, in any order."""
        place = data.draw(st.integers(0, len(self.waiting) - 1))
        self.arrive(result_of(self.waiting.pop(place), "out"))

    @rule(role=st.sampled_from(["user", "attachment", "progress", "system"]))
    @precondition(lambda self: not self.waiting)
    def interrupt(self, role: str) -> None:
        """A row that is neither call nor result."""
        self.arrive({"role": role, "text": "x"})

    @rule(rows=json_rows(1))
    @precondition(lambda self: not self.waiting)
    def disturb(self, rows: list[Any]) -> None:
        """A row of any kind; from now on pairs may be broken by the list itself."""
        self.has_odd_rows = True
        for row in rows:
            self.arrive(row)

    @invariant()
    def rounds_agree(self) -> None:
        """Grouping while rows arrive, grouping at the end, and grouping natively are the same."""
        rounds = self.grouper.rounds()

        assert api_rounds(self.rows) == rounds
        assert rounds == fast.api_rounds(self.rows)

    @invariant()
    def cuts_leave_pairs_whole(self) -> None:
        """Whatever number of newest rounds is kept, no result has lost its call."""
        if self.has_odd_rows:
            return
        for start, _ in self.grouper.rounds():
            kept = prepare_messages(self.rows[start:], pending=self.waiting)

            assert not CUT_PAIR & {one.reason for one in kept.reported}


TestArrivingSession = clause("MSG-010", "MSG-015")(ArrivingSession.TestCase)
TestArrivingSession.settings = settings(max_examples=MACHINE_EXAMPLES)
