"""Memory, compaction and context as one session, with agents beside it. Spec: CTX-033, CTX-036, CTX-043, CTX-050."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from keel_ref.adapters.in_memory import InMemoryTree, file_node
from keel_ref.compaction.cleanup import Store
from keel_ref.compaction.effects import AskSummary, CleanUp, Effect, ReadFiles
from keel_ref.compaction.events import Appended, Cleared, CompactAsked, Event, FilesRead, PassBegun, Summarised
from keel_ref.compaction.settings import Row, Settings
from keel_ref.compaction.state import State
from keel_ref.compaction.turn import step
from keel_ref.constants import DEFAULT
from keel_ref.context.caches import Caches, Happening, Surroundings, ask, happen
from keel_ref.context.relevant_memories import Folder, candidates_of, select_memories, surfaced_in
from keel_ref.context.reminders import Form, Mode, cadence_of, is_prompt
from keel_ref.context.skills import MAIN_AGENT, SentNames, Skill
from keel_ref.context.user_context import META, with_user_context
from keel_ref.memory.render import render
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import MemoryRequest
from keel_ref.messages.rows import is_boundary
from keel_ref.window.limits import window_limits

ROOT_FILE = "/r/CLAUDE.md"
NESTED = ("/r/a/CLAUDE.md", "/r/b/CLAUDE.md")
TARGETS = ("/r/a/x.py", "/r/b/x.py", "/r/x.py")
TOPICS: Mapping[str, str] = {
    f"/m/{name}.md": name * size for name, size in zip("abcdefgh", (9, 99, 999) * 3, strict=False)
}
SKILLS = tuple(Skill(name=name, description=name) for name in ("one", "two", "three"))
AGENT = "agent:general"
BLANK = State(settings=Settings(limits=window_limits()))


class WholeSessionMachine(RuleBasedStateMachine):
    """Prompts, files, memories, modes, skills, compactions and agents in any order."""

    def __init__(self) -> None:
        """A repository with instructions for three folders, and a session in it."""
        super().__init__()
        self.changes = 0
        self.tree = InMemoryTree.of({path: f"old {path}" for path in (ROOT_FILE, *NESTED)})
        for place in TARGETS:
            self.tree.add(place, file_node(b""))
        self.memory = MemorySession(self.tree, MemoryRequest(cwd="/r"))
        self.state = BLANK
        self.caches = Caches()
        self.sent = SentNames()
        self.mode_on = False
        self.attached: set[str] = set()
        self.git = "commit 0"

    @rule(text=st.sampled_from(["go on", "and then?"]))
    def prompt(self, text: str) -> None:
        """The user says something; what plan mode has to say stands behind it."""
        self._append({"role": "user", "content": text})
        self._remind()

    @rule(is_on=st.booleans())
    def switch_mode(self, *, is_on: bool) -> None:
        """Plan mode is entered or left."""
        if self.mode_on and not is_on:
            self._append({"role": "attachment", "attachment": "plan_mode_exit"})
        self.mode_on = is_on
        self.state = evolve(self.state, standing=evolve(self.state.standing, is_planning=is_on))

    @rule(path=st.sampled_from([ROOT_FILE, *NESTED]))
    def edit(self, path: str) -> None:
        """A file of instructions, and the repository with it, changes on the disk."""
        self.changes += 1
        self.git = f"commit {self.changes}"
        self.tree.add(path, file_node(f"new {self.changes}".encode()))

    @rule()
    def call(self) -> None:
        """What is sent begins with the user context, which is in no list that the session keeps."""
        answer = ask(self.caches, self._world())
        self.caches = answer.caches
        sent = with_user_context(self.state.view, answer.caches.user_context or ())

        assert list(sent[1:]) == list(self.state.view)
        assert not any(row.get(META) for row in self.state.log)

    @rule(path=st.sampled_from(TARGETS))
    def touch(self, path: str) -> None:
        """A file is worked on; its folder's instructions come once, until a compaction."""
        for file in self.memory.touch(path).load.files:
            assert file.path not in self.attached
            self.attached.add(file.path)
            self._append({"role": "attachment", "attachment": "nested_memory", "path": file.path, "text": file.text})

    @rule(count=st.integers(1, 7))
    def remember(self, count: int) -> None:
        """A selector names as many as it is shown; nothing comes that the view shows already."""
        surfaced = surfaced_in(self.state.log)
        offered = candidates_of(Folder(files=TOPICS, picks=()), surfaced)
        selection = select_memories([Folder(files=TOPICS, picks=offered[:count])], surfaced, frozenset())

        assert min(count, 5, len(offered)) == len(selection.memories)
        assert not {memory.path for memory in selection.memories} & surfaced.paths
        for memory in selection.memories:
            row = {"role": "attachment", "attachment": "relevant_memory", "path": memory.path}
            self._append({**row, "bytes": memory.size_bytes, "text": memory.injected.text})

        assert surfaced_in(self.state.log).size_bytes <= DEFAULT.surfaced_cap_bytes

    @rule(agent=st.sampled_from([MAIN_AGENT, "x"]))
    def tell_skills(self, agent: str) -> None:
        """Each agent is told of each skill once."""
        unsent = self.sent.unsent(agent, SKILLS)
        self.sent = self.sent.with_sent(agent, [skill.name for skill in unsent])

        assert unsent in {(), SKILLS}
        assert () == self.sent.unsent(agent, SKILLS)

    @precondition(lambda self: any(is_prompt(row) for row in self.state.view))
    @rule()
    def compact(self) -> None:
        """What comes back is what its clause brings back, and no more; what is fresh is as fresh as the disk."""
        git, sent, planning = self.caches.git_snapshot, self.sent, self.mode_on
        self.state, effects = _run(self.state, CompactAsked())
        (done,) = (effect for effect in effects if isinstance(effect, CleanUp))
        self._clean_up(done)
        kinds = [row.get("attachment") for row in self.state.view if row.get("role") == "attachment"]

        assert is_boundary(self.state.view[0])
        assert kinds == (["plan_mode"] if planning else [])
        assert surfaced_in(self.state.log).paths == frozenset()
        assert self.sent is sent
        assert Store.SENT_SKILL_NAMES in done.cleanup.kept
        assert self.caches.git_snapshot is git
        assert self.caches.user_context is None
        cadence = cadence_of(self.state.log, Mode.PLAN)
        assert (cadence.due, cadence.reminders) == ((None, 1) if planning else (Form.FULL, 0))
        fresh = ask(self.caches, self._world()).caches.user_context
        assert fresh is not None
        assert fresh[0].value == render(self.memory.start.files)
        assert self.memory.start.files[0].text == self._text(ROOT_FILE)

    @rule()
    def compact_an_agent(self) -> None:
        """An agent's own conversation is compacted; the main thread keeps every value, and the very same object."""
        before = (self.caches, self.state, self.sent, set(self.attached))
        full = {"role": "assistant", "id": "m", "content": "so", "usage": {"input_tokens": 170_000}}
        rows = ({"role": "user", "content": "look into it"}, full)
        agent, effects = _run(evolve(BLANK, log=rows), PassBegun(source=AGENT))
        (done,) = (effect for effect in effects if isinstance(effect, CleanUp))
        self._clean_up(done)

        assert is_boundary(agent.view[0])
        assert before == (self.caches, self.state, self.sent, self.attached)
        assert before[0].user_context is self.caches.user_context

    @rule()
    def clear(self) -> None:
        """Nothing of the old session is left."""
        self.state = step(self.state, Cleared()).state
        self.caches = happen(self.caches, Happening.CLEARED)
        self.memory.compact()
        self.sent, self.mode_on = SentNames(), False
        self.attached = set()
        self.state = evolve(self.state, standing=BLANK.standing)
        answer = ask(self.caches, self._world())

        assert () == self.state.log
        assert surfaced_in(self.state.log).paths == frozenset()
        assert answer.caches.git_snapshot is not None
        assert answer.caches.git_snapshot.value == self.git
        assert self.memory.start.files[0].text == self._text(ROOT_FILE)

    def _remind(self) -> None:
        """What is due of plan mode; two of one stay are never less than five prompts apart."""
        if not self.mode_on:
            return
        cadence = cadence_of(self.state.log, Mode.PLAN)
        if cadence.due is not None:
            assert cadence.turns is None or cadence.turns >= DEFAULT.reminder_gap_turns
            assert (cadence.due is Form.FULL) == (cadence.reminders in {0, DEFAULT.reminder_full_every})
            self._append({"role": "attachment", "attachment": "plan_mode", "form": str(cadence.due)})

    def _append(self, row: Row) -> None:
        self.state = step(self.state, Appended(rows=(row,))).state

    def _clean_up(self, effect: CleanUp) -> None:
        """What the cleanup behind a compaction tells to forget is forgotten."""
        if Store.USER_CONTEXT in effect.cleanup.cleared:
            assert Store.MEMORY_FILES in effect.cleanup.cleared
            self.caches = happen(self.caches, Happening.COMPACTED)
            self.memory.compact()
            self.attached = set()
        else:
            self.caches = happen(self.caches, Happening.AGENT_COMPACTED)

    def _world(self) -> Surroundings:
        return Surroundings(git=self.git, memory=render(self.memory.start.files), date="2026-11-30")

    def _text(self, path: str) -> str:
        content: Any = self.tree.read_file(path, 1_000)
        return str(content.data.decode())


def _run(state: State, event: Event) -> tuple[State, tuple[Effect, ...]]:
    """Let one event happen, and answer whatever is asked for until nobody waits."""
    done = step(state, event)
    effects = done.effects
    while done.state.waiting is not None:
        match done.effects[-1]:
            case AskSummary():
                done = step(done.state, Summarised(content="a summary"))
            case ReadFiles():
                done = step(done.state, FilesRead(contents={}))
            case other:
                raise AssertionError(f"nobody answers {other}")
        effects += done.effects
    return done.state, effects
