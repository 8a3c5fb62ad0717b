"""What is told of a recorded session, beside the turn machine that made it."""

from __future__ import annotations

from typing import Any

from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.compaction.program.run import start_program
from tests.unit.session.sessions import Writer

CONFIG = {"window": 200_000, "max_output": 32_000}
GATES = {"session_memory": False, "sm_compact": False, "message_sum": False}
SIZES = (1_000, 100_000, 166_989, 166_990, 168_000, 176_990, 180_000)
"""Contexts below, at and above the thresholds of 167,000 and 177,000, ten tokens of which come with the next prompt."""


@define
class Client:
    """Lets the turn machine decide, and writes what the released client would write of it."""

    writer: Writer = field(factory=Writer)
    acts: list[str] = field(factory=list)
    """What the machine did before each response, and behind the last."""
    failed: list[int] = field(factory=list)
    """Responses before which an attempt failed."""
    is_over: bool = False

    def play(self, moves: list[tuple[int, bool, bool]]) -> None:
        """One turn a move: the context of its answer, whether a summary would succeed, whether one is asked for."""
        program = start_program(CONFIG, gates=GATES)
        for number, (size, succeeds, is_asked) in enumerate(moves, 1):
            if is_asked and number > 1:
                used = program(["observe", {}])["ok"]["used"]
                if program(["compact", {"summary_tokens": 100}])["ok"]["done"]:
                    self.writer.compact(used, trigger="manual")
            self.writer.say("~" * 40)
            used = program(["append", {"kind": "user", "tokens": 10}])["ok"]["used"]
            done = program(["pass", {"summary": [{"tokens": 100}] if succeeds else []}])["ok"]
            if not self._passed(done, used, number):
                return
            program(["append", {"kind": "assistant", "response": f"r{number}", "usage": size}])
            self.writer.answer(size)

    def _passed(self, done: dict[str, Any], used: int, number: int) -> bool:
        is_compacted = done["compact"] == "compacted"
        if is_compacted:
            self.writer.compact(used)
        is_failed = not is_compacted and done["calls"] > 0
        if is_failed:
            self.failed.append(number)
        if done["end"] == "sent":
            self.acts.append("compact" if is_compacted or is_failed else "send")
            return True
        self.is_over = True
        self.writer.fail("no request was sent")
        self.acts.append("compact" if is_failed else "refuse" if done["end"] == "blocked" else "stop")
        return False


@given(st.lists(st.tuples(st.sampled_from(SIZES), st.booleans(), st.sampled_from((False, False, True))), max_size=12))
def test_the_machine_is_recognised(moves: list[tuple[int, bool, bool]]) -> None:
    """Every act as the machine did it; a difference only where an attempt failed, which leaves nothing in the file."""
    client = Client()
    client.play(moves)
    report = client.writer.report(window=200_000)
    acts = [one["expected"] for one in report["responses"]]
    acts += [report["forecast"]["next"]] if client.is_over else []

    assert client.failed == [one["before_response"] for one in report["differences"]]
    assert client.acts == acts


@given(st.lists(st.tuples(st.sampled_from(SIZES), st.booleans(), st.sampled_from((False, False, True))), max_size=12))
def test_every_size_is_predicted(moves: list[tuple[int, bool, bool]]) -> None:
    """Each boundary was written with what the machine counted."""
    client = Client()
    client.play(moves)
    compactions = client.writer.report()["compactions"]

    assert [one["pre_tokens"] for one in compactions] == [one["predicted_tokens"] for one in compactions]
