"""Small session files, written row by row."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import define, field

from keel_ref.session.report import examine, report_object
from keel_ref.session.thresholds import Conditions
from keel_ref.transcript.log import SessionLog
from keel_ref.transcript.reader import read_log
from keel_ref.transcript.timestamps import write_timestamp

MODEL = "claude-sonnet-4-5"
START_MS = 1_796_000_000_000
SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS


@define
class Writer:
    """Writes rows, each a child of the one before, one second behind it."""

    rows: list[dict[str, Any]] = field(factory=list)
    at_ms: int = START_MS
    parent: str | None = None
    answers: int = 0

    def put(self, kind: str, **more: Any) -> dict[str, Any]:
        """One row."""
        self.at_ms += SECOND_MS
        row = {
            "type": kind,
            "uuid": f"row-{len(self.rows)}",
            "parentUuid": self.parent,
            "sessionId": "s",
            "timestamp": write_timestamp(self.at_ms),
            **more,
        }
        self.parent = row["uuid"]
        self.rows.append(row)
        return row

    def say(self, text: str, **more: Any) -> dict[str, Any]:
        """What a person says."""
        return self.put("user", message={"role": "user", "content": text}, **more)

    def wait(self, minutes: int) -> int:
        """Let time pass; the time then."""
        self.at_ms += minutes * MINUTE_MS
        return self.at_ms

    def answer(
        self,
        context: int,
        *,
        output: int = 0,
        read: int = 0,
        write: int = 0,
        model: str = MODEL,
        call: str | None = None,
        path: str = "/p/a.txt",
    ) -> dict[str, Any]:
        """A response to a context of so many tokens; with `call`, one that calls that tool."""
        self.answers += 1
        usage = {
            "input_tokens": context - read - write,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": write,
            "output_tokens": output,
        }
        content: list[dict[str, Any]] = [{"type": "text", "text": "done"}]
        if call is not None:
            content = [{"type": "tool_use", "id": f"call-{self.answers}", "name": call, "input": {"file_path": path}}]
        message = {"id": f"msg-{self.answers}", "role": "assistant", "model": model, "content": content, "usage": usage}
        return self.put("assistant", requestId=f"req-{self.answers}", message=message)

    def result(self, text: str, **more: Any) -> dict[str, Any]:
        """The result of the last call."""
        block = {"type": "tool_result", "tool_use_id": f"call-{self.answers}", "content": text}
        return self.put("user", message={"role": "user", "content": [block]}, **more)

    def attach(self, kind: str, **more: Any) -> dict[str, Any]:
        """An attachment."""
        return self.put("attachment", attachment={"type": kind, **more})

    def compact(self, size: int | None, *, trigger: str | None = "auto", **segment: str) -> dict[str, Any]:
        """A boundary with its summary, which is given back."""
        about: dict[str, Any] = {}
        if trigger is not None:
            about["trigger"] = trigger
        if size is not None:
            about["preTokens"] = size
        if segment:
            about["preservedSegment"] = segment
        before = self.parent
        self.parent = None
        self.put("system", subtype="compact_boundary", logicalParentUuid=before, compactMetadata=about)
        return self.say("x" * 400, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def fail(self, text: str) -> None:
        """An error row of the client."""
        message = {"id": "e", "role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": text}]}
        self.put("assistant", isApiErrorMessage=True, message=message)

    def lines(self) -> list[bytes]:
        """The file, line by line."""
        return [as_line(row) for row in self.rows]

    def log(self) -> SessionLog:
        """As the reader has it."""
        return read_log(self.lines())

    def report(self, **about: Any) -> dict[str, Any]:
        """As the verb tells it."""
        return report_of(self.lines(), **about)


def as_line(row: object) -> bytes:
    """One line of a session file."""
    return json.dumps(row).encode() + b"\n"


def report_of(lines: Iterable[bytes], **about: Any) -> dict[str, Any]:
    """The report of a file."""
    return report_object(examine(read_log(lines), Conditions(**about)), "s.jsonl")
