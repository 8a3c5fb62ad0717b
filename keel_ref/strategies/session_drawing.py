"""Draws a legal session file: what people, models, tools and clients do to one, in any order that makes sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.session_answers import MOST_CALLS, write_answer, write_beside
from keel_ref.strategies.session_truth import NO_TERMS, KnownSession
from keel_ref.strategies.session_writer import SessionWriter, Thread, is_boundary, usage_of

LONGEST = 12
"""Moves of one session, unless somebody wants more."""
ATTACHMENTS: tuple[dict[str, Any], ...] = (
    {"type": "instructions", "files": [{"path": "/p/CLAUDE.md", "type": "Project", "content": "Test first."}]},
    {"type": "nested_memory", "path": "/p/a/CLAUDE.md", "content": {"content": "Not here.", "globs": ["*.py"]}},
    {"type": "skill_listing", "content": "pdf, xlsx"},
    {"type": "file", "filename": "/p/a.py", "content": {"type": "text", "file": {"content": "x = 1"}}},
    {"type": "queued_command", "prompt": "and then"},
)
APART: tuple[dict[str, Any], ...] = (
    {"type": "queue-operation", "operation": "enqueue"},
    {"type": "last-prompt", "lastPrompt": "x"},
    {"type": "custom-title", "customTitle": "a title"},
)


@define
class _Session:
    """A session that goes on move by move."""

    writer: SessionWriter
    can_repeat: bool
    """Whether rows may be kept or written again, which gives the order of the file a meaning."""
    restarts_ids: bool
    """Whether the ids of messages start anew behind each prompt."""
    message: int = 0

    def ids(self) -> dict[str, Any]:
        """The ids of the next response."""
        draw = self.writer.draw
        if self.restarts_ids:
            self.message += 1
            return {"message": f"msg_{self.message}"}
        kinds = (("message", "request"), ("message", "request"), ("message",), ("request",), ())
        return {kind: self.writer.name(f"{kind}_") for kind in draw.pick(kinds)}

    def ask(self, thread: Thread) -> None:
        """A prompt, and what is put beside or behind it."""
        writer, draw = self.writer, self.writer.draw
        if self.restarts_ids:
            self.message = 0
        content: Any = writer.name("ask ")
        if draw.chance(20):
            content = [{"type": "text", "text": content}, {"type": "image", "source": {"type": "base64", "data": "aa"}}]
        prompt = writer.link(thread, {"type": "user", "message": {"role": "user", "content": content}})
        writer.place(thread, write_beside(writer, thread, prompt))
        self.attach(thread)

    def attach(self, thread: Thread) -> None:
        """Rows that say nothing between what is said."""
        draw = self.writer.draw
        while draw.chance(15) and self.writer.is_at_end(thread):
            self.writer.link(thread, {"type": "attachment", "attachment": draw.pick(ATTACHMENTS)})

    def respond(self, thread: Thread) -> None:
        """A response with calls or without."""
        ids = self.ids()
        most = MOST_CALLS if ids else 1
        write_answer(self.writer, thread, ids, self.writer.draw.integer(0, most))

    def turn(self) -> None:
        """What somebody asked, and what came of it."""
        self.ask(self.writer.main)
        for _ in range(self.writer.draw.integer(0, 3)):
            self.respond(self.writer.main)

    def go_on(self) -> None:
        """One more response, where there is something to respond to."""
        if self.writer.main.tip is None:
            self.turn()
        self.respond(self.writer.main)

    def fail(self) -> None:
        """An error row in the place of a response."""
        message = {"role": "assistant", "model": "<synthetic>", "id": self.writer.name("err_"), "content": "overloaded"}
        message_row = {**message, "usage": usage_of(NO_TERMS)}
        row = {"type": "assistant", "isApiErrorMessage": True, "message": message_row}
        if self.writer.main.tip is not None:
            self.writer.link(self.writer.main, row, NO_TERMS)

    def note(self) -> None:
        """Something that the client keeps for itself or for the screen."""
        writer, draw = self.writer, self.writer.draw
        rows: tuple[dict[str, Any], ...] = (
            {"type": "system", "subtype": "turn_duration", "durationMs": 5},
            {"type": "progress", "data": {"type": "hook"}},
            {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: not for you"}},
            {"type": "user", "isVisibleInTranscriptOnly": True, "message": {"role": "user", "content": "seen"}},
            {"type": "novelty", "about": 2},
        )
        if writer.main.tip is not None:
            said = [row for row in rows if row["type"] == "user"]
            writer.link(writer.main, draw.pick(rows if writer.is_at_end(writer.main) else said))

    def keep_apart(self) -> None:
        """A row of no graph; a snapshot may carry the id of a message, and stand before it."""
        writer = self.writer
        rows = [*APART]
        for uuid in list(writer.rows)[-1:]:
            rows += [{"type": "file-history-snapshot", "messageId": uuid}, {"type": "summary", "leafUuid": uuid}]
        writer.pass_by(writer.draw.pick(rows))

    def go_back(self) -> None:
        """Another prompt in the place of an earlier one."""
        writer = self.writer
        allowed = writer.view if writer.has_segments else writer.main.order
        prompts = [uuid for uuid in allowed if uuid not in writer.kept and self._is_prompt(uuid)]
        if prompts:
            writer.abandon(writer.draw.pick(prompts))
            self.turn()

    def _is_prompt(self, uuid: str) -> bool:
        row = self.writer.rows[uuid]
        is_said = row["type"] == "user" and "toolUseResult" not in row and row["parentUuid"] is not None
        return is_said and not {"isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"} & set(row)

    def delegate(self) -> None:
        """A sub-agent, whose rows stand in the same file."""
        writer, draw = self.writer, self.writer.draw
        side = Thread(agent=writer.name("agent") if draw.chance(70) else "")
        writer.sides.append(side)
        restarts, self.restarts_ids = self.restarts_ids, False
        before, writer.group = writer.group, writer.name("side")
        side.tip = writer.main.tip if draw.chance(30) else None
        self.ask(side)
        for _ in range(draw.integer(0, 2)):
            self.respond(side)
        writer.group = before
        self.restarts_ids = restarts

    def say_again(self) -> None:
        """The rows so far, or the last of them, as a client writes them that resumes."""
        writer, draw = self.writer, self.writer.draw
        lines = [line for line in writer.lines if line.uuid is not None and not line.reports]
        if lines and self.can_repeat:
            start = 0 if draw.chance(50) else draw.integer(0, len(lines) - 1)
            writer.repeat(lines[start:])

    def compact(self) -> None:
        """A boundary with its summary, and perhaps rows that are kept."""
        writer, draw = self.writer, self.writer.draw
        main = writer.main
        if main.tip is None:
            return
        before, kept = writer.view, self._segment() if self.can_repeat and draw.chance(50) else []
        about: dict[str, Any] = {"trigger": draw.pick(("auto", "manual")), "preTokens": draw.integer(1, 180_000)}
        boundary, summary = writer.name("sy"), writer.name("su")
        anchor = boundary if draw.chance(30) else summary
        if kept:
            ends = {"headUuid": kept[0], "tailUuid": kept[-1]}
            says_where = anchor == boundary or draw.chance(70)
            about["preservedSegment"] = {**ends, "anchorUuid": anchor} if says_where else ends
        row: dict[str, Any] = {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": boundary,
            "logicalParentUuid": main.tip,
        }
        if draw.chance(20) and not kept:
            row["compact_metadata"] = {"trigger": about["trigger"], "pre_tokens": about["preTokens"]}
        elif kept or draw.chance(90):
            row["compactMetadata"] = about
        writer.views.append((before, writer.kept))
        writer.view, writer.kept, main.tip = [], set(kept), None
        writer.link(main, row)
        content = {"role": "user", "content": "It was said that"}
        flags = {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}
        writer.link(main, {"type": "user", "uuid": summary, **flags, "message": content})
        if kept:
            writer.has_segments = True
            at = writer.view.index(anchor) + 1
            writer.view[at:at] = kept
        writer.place(main, write_beside(writer, main, summary))
        if kept and anchor == summary and draw.chance(70):
            main.tip = kept[-1]
        self.attach(main)

    def _segment(self) -> list[str]:
        """The end of the view from some prompt on, where the way back from its last row leads there."""
        writer = self.writer
        rows, tip = writer.rows, writer.main.tip
        if tip is None or not writer.view or tip != writer.view[-1] or rows[tip]["type"] != "assistant":
            return []
        heads = []
        at: str | None = tip
        while at is not None and not is_boundary(rows[at]):
            if self._is_prompt(at) and at in writer.view:
                heads.append(at)
            at = rows[at]["parentUuid"]
        if not heads:
            return []
        return writer.view[writer.view.index(writer.draw.pick(heads)) :]


def draw_session(draw: Draw, *, longest: int = LONGEST, can_repeat: bool = True) -> KnownSession:
    """A legal session with its truth; without `can_repeat` its lines may be moved about, group by group."""
    session = _Session(SessionWriter(draw), can_repeat, draw.chance(20))
    moves: tuple[Callable[[], None], ...] = (
        session.turn,
        session.turn,
        session.turn,
        session.go_on,
        session.compact,
        session.go_back,
        session.delegate,
        session.say_again,
        session.keep_apart,
        session.note,
        session.fail,
    )
    for _ in range(draw.integer(0, longest)):
        draw.pick(moves)()
    return session.writer.result()
