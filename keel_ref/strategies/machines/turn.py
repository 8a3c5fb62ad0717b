"""A session that everything happens to, and the laws that hold whatever happens. Spec: compaction.md, Invariants."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.effects import AskSummary, AwaitNotes, Effect, EndTurn, ReadFiles, RunHooks, SaveResults
from keel_ref.compaction.events import (
    Aborted,
    Appended,
    Cleared,
    CompactAsked,
    Event,
    FileRead,
    FilesRead,
    HooksRan,
    NotesTaken,
    PassBegun,
    RequestRefused,
    ResultsSaved,
    Resumed,
    SettingsChanged,
    Summarised,
    SummaryRefused,
)
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.compaction.settings import HookKind, Row, Settings
from keel_ref.compaction.state import State, Step
from keel_ref.compaction.turn import step
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.strategies.laws.turn import Course
from keel_ref.strategies.turns import (
    edge_sizes,
    environments,
    gate_maps,
    hook_sets,
    sources,
    summaries,
    turn_choices,
)
from keel_ref.window.limits import window_limits

FILES = ("/p/a.py", "/p/b.py", "/p/c.py", "/p/d.py", "/p/e.py", "/p/f.py", "/p/PLAN.md", "/p/CLAUDE.md")
LONGEST_PROMPT = 1_500
"""Tokens of the longest prompt; larger contexts are made by usage, which costs no text."""
TOOLS = ("Read", "Bash", "Grep", "Task")


class TurnMachine(RuleBasedStateMachine):
    """Events in any order; what is to be done is done now, later, badly, or never."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        super().__init__()
        self.course = Course()
        self.state = State(settings=Settings(limits=window_limits()))
        self.due: tuple[Effect, ...] = ()
        self.constants = DEFAULT
        self.now_ms = 0
        self.responses = 0
        self.calls: list[str] = []
        self.disk: dict[str, tuple[DiskFile, int]] = {}

    @initialize(
        constants=st.sampled_from([TINY, DEFAULT]), gates=gate_maps(), choices=turn_choices(), hooks=hook_sets()
    )
    def begin(self, constants: Constants, gates: Gates, choices: Choices, hooks: frozenset[HookKind]) -> None:
        """The numbers, the choices and the gates that hold to the end."""
        self.constants = constants
        settings = Settings(limits=window_limits(constants=constants), gates=gates, choices=choices)
        settings = evolve(settings, constants=constants, hooks=hooks, session_folder="/s")
        self.state = State(
            settings=settings, plan_files=frozenset({"/p/PLAN.md"}), memory_files=frozenset({"/p/CLAUDE.md"})
        )

    @rule(size=edge_sizes(), media=st.booleans())
    def prompt(self, *, size: int, media: bool) -> None:
        """The user says something of a size that lands on a threshold, one below, or one above."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": self._text(min(self._aimed(size), LONGEST_PROMPT))}]
        self.append({"role": "user", "content": [{"type": "image"}, *blocks] if media else blocks})

    @rule(size=edge_sizes(), calls=st.lists(st.sampled_from(TOOLS), max_size=3), is_measured=st.booleans())
    def respond(self, *, size: int, calls: list[str], is_measured: bool) -> None:
        """An answer with calls, and perhaps with a usage that lands on a threshold."""
        self.responses += 1
        names = [f"c{self.responses}.{place}" for place in range(len(calls))]
        blocks = [
            {"type": "tool_use", "id": name, "name": tool, "input": {}} for name, tool in zip(names, calls, strict=True)
        ]
        row = {"role": "assistant", "id": f"m{self.responses}", "at": self.now_ms}
        row["content"] = [{"type": "text", "text": "so"}, *blocks]
        if is_measured:
            row["usage"] = {"input_tokens": self.state.used + self._aimed(size)}
        self.append(row)
        self.calls += names

    @precondition(lambda self: self.calls)
    @rule(units=st.sampled_from([0, 3, 150, 199, 200, 201, 290, 300, 301, 29_999, 30_001, 50_001]))
    def answer(self, units: int) -> None:
        """The result of the oldest call that waits, of a size about a limit."""
        block = {"type": "tool_result", "tool_use_id": self.calls.pop(0), "content": "r" * units}
        self.append({"role": "user", "content": [block]})

    @rule(kind=st.sampled_from(["progress", "system"]))
    def interrupt(self, kind: str) -> None:
        """A row that is never sent."""
        self.append({"role": kind, "text": "aside"})

    @rule(source=sources(), minutes=st.sampled_from([0, 1, 2, 3, 60, -5]))
    def run_pass(self, source: str | None, minutes: int) -> None:
        """A request is about to be made; the clock may have jumped, also backwards."""
        self.now_ms += minutes * 60_000
        self.happen(PassBegun(source=source, now_ms=self.now_ms))

    @rule()
    def compact(self) -> None:
        """The user asks for a compaction, whatever is under way."""
        self.happen(CompactAsked(now_ms=self.now_ms))

    @rule(is_media=st.booleans())
    def refuse(self, *, is_media: bool) -> None:
        """The provider refuses the request of the last pass."""
        self.happen(RequestRefused(is_media=is_media))

    @rule(path=st.sampled_from(FILES), size=st.sampled_from([0, 8, 20, 21, 100, 19_990, 20_010]), age=st.integers(0, 9))
    def read(self, path: str, size: int, age: int) -> None:
        """A file is read."""
        self.disk[path] = (DiskFile.of("f" * size), age * 1_000)
        self.happen(FileRead(path=path, size_bytes=size))

    @rule(path=st.sampled_from(FILES))
    def vanish(self, path: str) -> None:
        """A file is gone from the disk."""
        self.disk.pop(path, None)

    @rule(env=environments(), window=st.sampled_from([None, 700, 1_000, 200_000]))
    def change(self, env: Mapping[str, str], window: int | None) -> None:
        """Another model, or other variables, in the middle of a session."""
        about = self.state.settings
        limits = window_limits(window=window, env=env, choices=about.choices, constants=self.constants)
        self.happen(SettingsChanged(settings=evolve(about, limits=limits)))

    @rule(clears=st.booleans())
    def begin_again(self, *, clears: bool) -> None:
        """The session is cleared, or left and taken up again."""
        self.due = ()
        self.happen(Cleared() if clears else Resumed())

    @rule(text=st.sampled_from(["", "# Current State\nhalf done\n", "no headings"]))
    def take_notes(self, text: str) -> None:
        """The notes are brought up to date."""
        self.happen(NotesTaken(notes=SessionNotes(file=DiskFile.of(text), path="/s/notes.md")))

    @precondition(lambda self: self.due)
    @rule(summary=summaries(), flags=st.tuples(st.booleans(), st.booleans(), st.booleans()))
    def perform(self, summary: Event, flags: tuple[bool, bool, bool]) -> None:
        """What is to be done next is done, well or badly."""
        match self.due[0]:
            case SaveResults(saves=saves):
                self.happen(ResultsSaved(outcomes={save.id: flags[place % 3] for place, save in enumerate(saves)}))
            case AskSummary():
                self.happen(summary)
            case ReadFiles(paths=paths):
                self.happen(self._files(paths))
            case RunHooks(kind=kind):
                rows = ({"role": "attachment", "attachment": "hook", "text": "hooked"},) if flags[0] else ()
                self.happen(HooksRan(kind=kind, rows=rows, is_blocking=flags[1] and flags[2], has_failed=flags[2]))
            case AwaitNotes():
                self.happen(NotesTaken(notes=evolve(self.state.notes, running_ms=None)))
            case _:
                pass

    @rule()
    def abort(self) -> None:
        """The user stops what is under way."""
        self.happen(Aborted())

    def append(self, row: Row) -> None:
        """One more row."""
        self.happen(Appended(rows=(row,)))

    def happen(self, event: Event) -> None:
        """Let it happen, and ask every law about it."""
        if isinstance(event, Summarised | SummaryRefused | FilesRead | ResultsSaved | HooksRan):
            self.due = self.due[1:]
        before, frozen = self.state, json.dumps(self.state.log)
        done: Step = step(before, event)
        assert frozen == json.dumps(before.log), "the input was changed"
        assert done == step(before, event), "the same input gave another output"
        breaches = self.course.breaches(before, event, done)
        assert [] == breaches, breaches
        self.state = done.state
        waits = [
            one for one in done.effects if isinstance(one, SaveResults | AskSummary | AwaitNotes | ReadFiles | RunHooks)
        ]
        self.due = tuple(waits) if self.state.waiting is not None and waits else self.due
        if self.state.waiting is None or any(isinstance(one, EndTurn) for one in done.effects):
            self.due = ()

    def _aimed(self, offset: int) -> int:
        """Tokens that take the context to a threshold and `offset` beyond it; a few where it is there already."""
        limits, used = self.state.settings.limits, self.state.used
        goals = [goal for goal in (limits.warning, limits.auto, limits.blocking) if goal + offset > used]
        return goals[0] + offset - used if goals else max(1, offset)

    def _text(self, tokens: int) -> str:
        return "t" * (4 * tokens)

    def _files(self, paths: Sequence[str]) -> FilesRead:
        found = {path: self.disk[path] for path in paths if path in self.disk}
        return FilesRead(
            contents={path: file for path, (file, _) in found.items()},
            modified_us={path: at for path, (_, at) in found.items()},
        )
