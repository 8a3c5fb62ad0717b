"""Responses as clients record them: a row for each block, calls side by side, results in any order. Spec: TRN-011."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from keel_ref.strategies.session_truth import Terms
from keel_ref.strategies.session_writer import Answer, SessionWriter, Thread, usage_of

MODEL = "claude-sonnet-4-5"
TOOLS = ("Read", "Bash", "Grep", "Edit", "Task")
MOST_CALLS = 4


@define
class _Recording:
    """One response while it is written."""

    writer: SessionWriter
    thread: Thread
    answer: Answer
    ids: dict[str, Any]
    """The message and request ids, where there are any."""
    inputs: tuple[int, int, int]
    output: int
    fragments: list[str] = field(factory=list)
    """Rows of blocks, with what hangs beside them, in order."""
    results: list[str] = field(factory=list)
    """Rows of results, with what stands before and beside them, in order."""
    calls: list[tuple[str, str]] = field(factory=list)
    """Calls without a result so far: row and id."""
    ends: list[str] = field(factory=list)
    """Results on which the next row may hang."""

    def fragment(self, block: dict[str, Any], parent: str | None) -> str:
        """One block in a row of its own; the output grows from row to row."""
        self.output += self.writer.draw.integer(0, 300)
        terms: Terms = (*self.inputs, self.output)
        message = {"role": "assistant", "model": MODEL, "content": [block], "usage": usage_of(terms)}
        row: dict[str, Any] = {"type": "assistant", "message": message}
        if "message" in self.ids:
            message["id"] = self.ids["message"]
        if "request" in self.ids:
            row["requestId"] = self.ids["request"]
        uuid = self.writer.write(self.thread, row, parent, terms)
        self.answer.rows.append(uuid)
        self.answer.terms = terms
        self.fragments += [uuid, *write_beside(self.writer, self.thread, uuid)]
        return uuid

    def reply(self, place: int) -> None:
        """The result of one of the calls that wait for it."""
        draw = self.writer.draw
        call, name = self.calls.pop(place)
        parent = call
        for _ in range(draw.integer(0, 2) if draw.chance(20) else 0):
            parent = self.writer.write(self.thread, {"type": "progress", "data": {"type": "hook"}}, parent)
            self.results.append(parent)
        block = {"type": "tool_result", "tool_use_id": name, "content": f"found {name}", "is_error": draw.chance(10)}
        row = {"type": "user", "message": {"role": "user", "content": [block]}, "toolUseResult": {"stdout": "long"}}
        uuid = self.writer.write(self.thread, row, parent)
        self.ends.append(uuid)
        self.results += [uuid, *write_beside(self.writer, self.thread, uuid)]


def write_answer(writer: SessionWriter, thread: Thread, ids: dict[str, Any], calls: int) -> None:
    """One response with so many calls and all their results. Without ids it is a single row."""
    draw = writer.draw
    answer = Answer(thread, MODEL)
    writer.answers.append(answer)
    inputs = draw.integer(1, 9), draw.integer(0, 5_000), draw.integer(0, 150_000)
    recording = _Recording(writer, thread, answer, ids, inputs, draw.integer(0, 20))
    before, writer.group = writer.group, writer.group or writer.name("g")
    at = thread.tip
    if ids and draw.chance(20):
        at = recording.fragment({"type": "thinking", "thinking": "hm", "signature": "s"}, at)
    if not calls or (ids and draw.chance(30)):
        at = recording.fragment({"type": "text", "text": writer.name("said ")}, at)
    is_interleaved = draw.chance(40)
    for _ in range(calls):
        name = writer.name("toolu_")
        block = {"type": "tool_use", "id": name, "name": draw.pick(TOOLS), "input": {"file_path": "/a.py"}}
        at = recording.fragment(block, at)
        recording.calls.append((at, name))
        if is_interleaved and draw.chance(70):
            recording.reply(draw.integer(0, len(recording.calls) - 1))
            at = recording.ends[-1] if draw.chance(50) else at
    while recording.calls:
        recording.reply(draw.integer(0, len(recording.calls) - 1))
    writer.group = before
    writer.place(thread, [*recording.fragments, *recording.results])
    thread.tip = at
    if recording.ends:
        thread.tip = draw.pick(recording.ends) if draw.chance(20) else recording.ends[-1]


def write_beside(writer: SessionWriter, thread: Thread, host: str) -> list[str]:
    """Rows that say nothing and hang on the host, or on one another."""
    draw, found = writer.draw, [host]
    while draw.chance(8):
        kinds: tuple[dict[str, Any], ...] = (
            {"type": "progress", "data": {"type": "waiting"}},
            {"type": "attachment", "attachment": {"type": "file", "filename": "/a.py", "content": "x = 1"}},
            {"type": "system", "subtype": "stop_hook_summary", "content": "done"},
            {"type": "novelty", "about": 1},
        )
        found.append(writer.write(thread, draw.pick(kinds), draw.pick(found)))
    return found[1:]
