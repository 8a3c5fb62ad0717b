"""Which files the released client was seen to put back in three sessions, how, and in which order."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from keel_ref.compaction.attachments import Row
from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.restore import restore_candidates, restore_files
from keel_ref.conformance.marks import clause

SESSIONS = Path(__file__).parents[1] / "fixtures" / "sessions"
HOW = {"file": "inlined", "file_reference": "named"}
NANOSECONDS = 1_000


@define
class Replay:
    """A session read from its log: what it read, and what was put back at each boundary."""

    modified_us: Mapping[str, int]
    state: ReadState = field(factory=ReadState)
    files: dict[str, DiskFile] = field(factory=dict)
    calls: dict[str, str] = field(factory=dict)
    responses: set[str] = field(factory=set)
    boundaries: set[str] = field(factory=set)

    def compactions(self, rows: Iterator[dict[str, Any]]) -> Iterator[list[tuple[str, str]]]:
        """What is put back at each boundary, as path and manner."""
        for row in rows:
            if row.get("subtype") == "compact_boundary" and row["uuid"] not in self.boundaries:
                self.boundaries.add(row["uuid"])
                yield self._compacted()
            elif row["type"] == "assistant":
                self._answered(row["message"])
            elif row["type"] == "user":
                self._heard(row)

    def _compacted(self) -> list[tuple[str, str]]:
        found = restore_candidates(self.state.pass_begun(), self.modified_us)  # the pass that compacts has begun too
        restored = restore_files(found.paths, self.files)
        self.state = restored.state
        return [(row["path"], HOW[row["attachment"]]) for row in restored.attachments]

    def _answered(self, message: Mapping[str, Any]) -> None:
        if message["id"] not in self.responses:
            self.responses.add(message["id"])
            self.state = self.state.pass_begun()
        for block in message["content"]:
            if block["type"] == "tool_use" and block["name"] == "Read":
                self.calls[block["id"]] = block["input"]["file_path"]

    def _heard(self, row: Row) -> None:
        for block in row["message"]["content"]:
            if isinstance(block, dict) and block.get("tool_use_id") in self.calls:
                path = self.calls[block["tool_use_id"]]
                self.state, _ = self.state.after_read(path)
                if "content" in row["toolUseResult"]["file"]:  # else the file had not changed
                    self.files[path] = DiskFile.of(row["toolUseResult"]["file"]["content"])


@clause("CMP-110", "CMP-113", "CMP-114", "CMP-116", "CMP-124")
@pytest.mark.parametrize("name", ["restore-size-edge", "seven-files-read-then-compact", "auto-compact-thrice"])
def test_the_model_puts_back_what_the_client_was_seen_to_put_back(name: str) -> None:
    """From what was read, when, and the times of the files: the same files, inlined or named, in the same order."""
    truth = json.loads((SESSIONS / f"{name}.truth.json").read_bytes())
    replay = Replay(modified_us={path: time // NANOSECONDS for path, time in truth["mtimes_ns"].items()})
    with (SESSIONS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        found = list(replay.compactions(json.loads(line) for line in lines))
    expected = [[(one["path"], one["how"]) for one in attempt["restored"]] for attempt in truth["attempts"]]

    assert expected == found
