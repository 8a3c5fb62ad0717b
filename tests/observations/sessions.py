"""A session of the released client, driven again through the turn machine from its own file.

What the file gives: every row in its order, the usage of every answer, and which files were read, with what they held
when they were read first. What it does not record, and is fed in:

- from what the server saw (`NAME.truth.json`): when each file was changed last, and how many calls an attempt made, of
  which the last was answered if the attempt succeeded;
- from how the session was made: the other calls came back empty or, where the name of the session says so, were refused
  as too long, by more tokens than the whole session is estimated at;
- the text of the summary, which changes nothing here.

Boundaries and summaries of the file are left out: the machine makes its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from keel_ref.choices import Choices, Gates
from keel_ref.compaction import (
    Appended,
    AskSummary,
    Decision,
    DiskFile,
    EndTurn,
    Event,
    FileRead,
    FilesRead,
    PassBegun,
    ReadFiles,
    ResultsSaved,
    SaveResults,
    SendRequest,
    Settings,
    State,
    Summarised,
    SummaryRefused,
    Why,
    step,
)
from keel_ref.compaction.attempt import Tools
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rounds import api_rounds
from keel_ref.messages.rows import Role, has_mark, is_boundary, role_of
from keel_ref.transcript.session_rows import read_rows
from keel_ref.window import window_limits

FOLDER: Final = Path(__file__).parents[1] / "fixtures" / "sessions"
NAMES: Final = sorted(path.name.removesuffix(".truth.json") for path in FOLDER.glob("*.truth.json"))
FORKS: Final[Mapping[str, list[list[str]]]] = json.loads((FOLDER / "forks.json").read_text())
"""Of each forked call, the names of the rows that its side file begins with. A fallback leaves no such file."""
REFUSED: Final = "too-long"
"""Stands in the names of the sessions in which calls for a summary were refused."""
EXCESS_TOKENS: Final = 50_000
"""By how much they were too long: more than all that these sessions hold."""
NANOSECONDS: Final = 1_000
"""Nanoseconds of a microsecond."""


@define
class Replay:
    """One session on its way through the machine."""

    name: str
    truth: Mapping[str, Any]
    state: State
    texts: Mapping[str, str]
    """What the files held."""
    outcomes: list[bool]
    """Of each call for a summary, whether it was answered."""
    attempts: list[dict[str, Any]] = field(factory=list)
    """What was seen: calls, success, what was put back."""
    trace: list[Decision] = field(factory=list)
    requests: int = 0
    ends: list[str] = field(factory=list)
    forks: list[list[str]] = field(factory=list)
    """Names of the rows that each forked call sent, as far as they are rows of the file."""
    is_new: bool = False
    """Whether no call of the pass under way was made yet."""

    def happen(self, event: Event) -> None:
        """Let it happen, with all that follows."""
        waiting = [event]
        while waiting:
            done = step(self.state, waiting.pop(0))
            self.state = done.state
            self.trace.extend(done.trace)
            for effect in done.effects:
                match effect:
                    case AskSummary():
                        waiting.append(self._summary(effect))
                    case ReadFiles(paths=paths):
                        waiting.append(self._files(paths))
                    case SaveResults(saves=saves):
                        waiting.append(ResultsSaved(outcomes={save.id: True for save in saves}))
                    case SendRequest():
                        self.requests += 1
                    case EndTurn(end=end):
                        self.ends.append(str(end))
                    case _:
                        pass

    def pass_begins(self) -> None:
        """A request is about to be made; a new attempt, if there is one, is that of this pass."""
        before = len(self.trace)
        self.is_new = True
        self.happen(PassBegun())
        self._close(self.trace[before:])

    def _summary(self, ask: AskSummary) -> Event:
        if self.is_new:
            self.attempts.append({"calls": [], "succeeded": False})
            self.is_new = False
        messages = prepare_messages(ask.rows).messages
        answers = sum(message["role"] == "assistant" for message in messages)
        self.attempts[-1]["calls"].append({"tools": str(ask.tools), "assistant_messages_sent": answers})
        if ask.tools is Tools.ALL:
            self.forks.append([row["uuid"] for row in ask.rows if "uuid" in row])
        if self.outcomes.pop(0):
            return Summarised(content="SUMMARY-TEXT")
        return SummaryRefused(excess=EXCESS_TOKENS) if REFUSED in self.name else Summarised(content="")

    def _files(self, paths: Sequence[str]) -> FilesRead:
        return FilesRead(
            contents={path: DiskFile.of(self.texts[path]) for path in paths},
            modified_us={path: at // NANOSECONDS for path, at in self.truth["mtimes_ns"].items()},
        )

    def _close(self, trace: Sequence[Decision]) -> None:
        """Whether the attempt of a pass succeeded, and what it put back."""
        if any(one.why is Why.COMPACTED for one in trace):
            hows = {Why.FILE_RESTORED: "inlined", Why.FILE_NAMED: "named"}
            self.attempts[-1]["succeeded"] = True
            self.attempts[-1]["restored"] = [
                {"path": one.path, "how": hows[one.why]} for one in trace if one.why in hows
            ]


def replay(name: str) -> Replay:
    """The whole session, with the preset `released`."""
    truth = json.loads((FOLDER / f"{name}.truth.json").read_text())
    lines = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    settings = Settings(
        limits=window_limits(window=200_000, max_output=32_000),
        gates=Gates.released(),
        choices=Choices(),
        session_folder="/session",
    )
    run = Replay(
        name=name,
        truth=truth,
        state=State(settings=settings),
        texts=_texts(lines),
        outcomes=[found for attempt in truth["attempts"] for found in _outcomes(attempt)],
    )
    rows = [row for row in read_rows(lines).rows if not (is_boundary(row) or has_mark(row, "summary"))]
    reads = dict(_reads(lines))
    for start, end in api_rounds(rows):
        answer = rows[start]
        if role_of(answer) is Role.ASSISTANT:
            run.pass_begins()
            if has_mark(answer, "error"):
                continue  # what the client says when it stops is the end of the turn, and no answer
        for row in rows[start:end]:
            run.happen(Appended(rows=(row,)))
            if row.get("uuid") in reads:
                path = reads[row["uuid"]]
                run.happen(FileRead(path=path, size_bytes=len(run.texts[path])))
    return run


def _outcomes(attempt: Mapping[str, Any]) -> list[bool]:
    """Of each call of an attempt, whether it was answered: the last one, if the attempt succeeded."""
    calls = len(attempt["calls"])
    return [attempt["succeeded"] and number == calls - 1 for number in range(calls)]


def _reads(lines: Sequence[bytes]) -> Iterator[tuple[str, str]]:
    """The name of each row that holds the result of a read, and the path."""
    for line in lines:
        row = json.loads(line)
        result = row.get("toolUseResult")
        if isinstance(result, dict) and isinstance(result.get("file"), dict):
            yield row["uuid"], result["file"]["filePath"]


def _texts(lines: Sequence[bytes]) -> dict[str, str]:
    """What each file held when it was read first."""
    found: dict[str, str] = {}
    for line in lines:
        file = json.loads(line).get("toolUseResult") or {}
        file = file.get("file") if isinstance(file, dict) else None
        if isinstance(file, dict) and "content" in file:
            found.setdefault(file["filePath"], file["content"])
    return found
