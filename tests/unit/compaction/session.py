"""A session in the hands of a test: events go in, effects are looked at."""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field

from keel_ref.compaction import (
    Appended,
    AskSummary,
    CompactAsked,
    Decision,
    Effect,
    Event,
    FilesRead,
    PassBegun,
    ReadFiles,
    Settings,
    State,
    Summarised,
    step,
)
from keel_ref.constants import TINY
from keel_ref.window import window_limits

LIMITS = window_limits(constants=TINY)
"""Window 1,000, effective 800, automatic threshold 720, blocking limit 760."""


def text(tokens: int) -> str:
    """A text that counts so many tokens."""
    return "t" * (4 * tokens)


@define
class Session:
    """One session and what it led to last."""

    state: State = field(factory=lambda: State(settings=Settings(limits=LIMITS, constants=TINY)))
    effects: tuple[Effect, ...] = ()
    trace: tuple[Decision, ...] = ()

    def configure(self, **settings: Any) -> Session:
        """Other settings from the start."""
        self.state = evolve(self.state, settings=evolve(self.state.settings, **settings))
        return self

    def happen(self, *events: Event) -> Session:
        """Let them happen, one after the other; what is kept is what the last one led to."""
        for event in events:
            done = step(self.state, event)
            self.state, self.effects, self.trace = done.state, done.effects, done.trace
        return self

    def say(self, tokens: int) -> Session:
        """The user says so much."""
        return self.happen(Appended(rows=({"role": "user", "text": text(tokens)},)))

    def run_pass(self, source: str | None = "repl_main_thread") -> Session:
        """A pass begins."""
        return self.happen(PassBegun(source=source))

    def compact(self, summary: str = "a summary") -> Session:
        """A whole compaction by hand, without a file that could be read."""
        self.happen(CompactAsked(), Summarised(content=summary))
        if any(isinstance(effect, ReadFiles) for effect in self.effects):
            self.happen(FilesRead(contents={}))
        return self

    @property
    def asked(self) -> AskSummary:
        """The call for a summary that the last event led to."""
        (asked,) = [effect for effect in self.effects if isinstance(effect, AskSummary)]
        return asked

    @property
    def whys(self) -> list[str]:
        """Reasons of the last step."""
        return [str(said.why) for said in self.trace]

    @property
    def roles(self) -> list[str]:
        """What the view consists of: a mark where there is one, else the role."""
        marks = ("subtype", "attachment")
        found = []
        for row in self.state.view:
            mark = next((str(row[key]) for key in marks if key in row), str(row["role"]))
            found.append("summary" if row.get("summary") is True else mark)
        return found
