"""Session files with one fault planted in each, and a clean one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from keel_ref.audit.gather import gather
from keel_ref.audit.report import Audit, audit
from keel_ref.window.limits import window_limits

MODEL = "claude-sonnet-4-5"
OUTPUT_TOKENS = 10


@define
class Session:
    """Writes rows one behind the other, each the child of the last, with a use that grows as the estimates do."""

    rows: list[Mapping[str, Any]] = field(factory=list)
    used: int = 20_000
    """What the next request holds."""
    count: int = 0

    def add(self, kind: str, **fields: Any) -> Session:
        """A row of that type."""
        parent = self.rows[-1].get("uuid") if self.rows else None
        name = f"u{len(self.rows)}"
        self.rows.append({"type": kind, "uuid": name, "parentUuid": parent, "sessionId": "s", **fields})
        return self

    def prompt(self, text: str = "go on") -> Session:
        """What a person says."""
        self.used += len(text) // 4
        return self.add("user", message={"role": "user", "content": text})

    def answer(self, *blocks: Mapping[str, Any], used: int | None = None) -> Session:
        """One response of the model; `used` is what its request held."""
        self.count += 1
        self.used = self.used if used is None else used
        usage = {"input_tokens": self.used, "output_tokens": OUTPUT_TOKENS}
        self.used += OUTPUT_TOKENS
        content = list(blocks) or [{"type": "text", "text": "done"}]
        message = {"role": "assistant", "id": f"m{self.count}", "model": MODEL, "content": content, "usage": usage}
        return self.add("assistant", message=message, requestId=f"r{self.count}")

    def call(self, tool: str = "Bash", **given: Any) -> Session:
        """A response that calls a tool."""
        block = {"type": "tool_use", "id": f"t{self.count + 1}", "name": tool, "input": given}
        return self.answer(block)

    def result(self, text: str, *, is_error: bool = False, record: object = None, name: str | None = None) -> Session:
        """What the last call gave."""
        self.used += len(text) // 4
        block = {"type": "tool_result", "tool_use_id": name or f"t{self.count}", "content": text, "is_error": is_error}
        extra = {} if record is None else {"toolUseResult": record}
        return self.add("user", message={"role": "user", "content": [block]}, **extra)

    def read(self, path: str, text: str = "1\tbody", *, record: object = None) -> Session:
        """A file that is read."""
        return self.call("Read", file_path=path).result(text, record=record)

    def compaction(
        self, *, trigger: str = "auto", before: int | None = None, summary: str | None = "so far"
    ) -> Session:
        """A boundary and its summary."""
        about = {"trigger": trigger, "preTokens": self.used if before is None else before}
        self.add("system", subtype="compact_boundary", compactMetadata=about)
        self.rows[-1] = {**self.rows[-1], "parentUuid": None, "logicalParentUuid": f"u{len(self.rows) - 2}"}
        self.used = 8_000
        if summary is not None:
            self.add("user", isCompactSummary=True, message={"role": "user", "content": summary})
        return self

    def attached(self, path: str, text: str) -> Session:
        """A file that is put back."""
        self.used += len(text) // 4
        file = {"type": "text", "file": {"filePath": path, "content": text}}
        return self.add("attachment", attachment={"type": "file", "filename": path, "content": file})

    def api_error(self) -> Session:
        """A row in the place of an answer."""
        message = {"role": "assistant", "content": [{"type": "text", "text": "API Error"}], "model": "<synthetic>"}
        return self.add("assistant", isApiErrorMessage=True, message=message)

    def lines(self) -> list[bytes]:
        """The file."""
        return [json.dumps(row).encode() + b"\n" for row in self.rows]

    def audit(self, *, window: int = 200_000) -> Audit:
        """What the checks say of it."""
        limits = window_limits(MODEL, window=window)
        return audit(gather(self.lines(), "s.jsonl"), limits, is_window_known=True)


def clean() -> Session:
    """Prompts, reads, a shell, a failure that is mended, a compaction that puts its file back: nothing to find."""
    session = Session().prompt("Mend the parser").read("/r/a.py", "1\tx = 1\n" * 300)
    session.call(command="make").result("error: no rule", is_error=True)
    session.call(command="make all").result("ok " * 2_000)
    session.call(command="cat log").result(
        "<persisted-output>\nwhole: /s/tool-results/t.txt\nbeginning", record={"stdout": "x" * 60_000}
    )
    session.answer().compaction(trigger="manual").attached("/r/a.py", "x = 1\n" * 300).prompt("go on")
    return session.read("/r/b.py").read("/r/a.py", "unchanged").call(command="ls").result("a b").answer()


def found(session: Session) -> Sequence[tuple[str, str, int]]:
    """Check, level and line of everything found."""
    return [(one.check, str(one.level), one.line) for one in session.audit().findings]
