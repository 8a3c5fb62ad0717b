"""Kept values against everything that can happen to them. Spec: CTX-030 to CTX-037."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from keel_ref.choices import Gates
from keel_ref.context.caches import FRESH, Caches, Happening, Kept, Surroundings, ask, happen, load
from keel_ref.context.system_context import ContextEntry
from keel_ref.strategies.laws.kept import History, Moment, Want


class CachesMachine(RuleBasedStateMachine):
    """Whatever happens, whoever asks gets what a look back at the whole history gives."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        super().__init__()
        self.world = Surroundings()
        self.caches = Caches()
        self.history = History(gates=Gates())
        self.changes = 0

    @initialize(is_open=st.booleans())
    def begin(self, *, is_open: bool) -> None:
        """The gate holds to the end."""
        gates = Gates(break_cache=is_open)
        self.caches, self.history = Caches(gates=gates), History(gates=gates)

    @rule(what=st.sets(st.sampled_from(["git", "memory", "date"]), min_size=1), is_gone=st.booleans())
    def change(self, what: set[str], *, is_gone: bool) -> None:
        """The world changes: another commit, another text, another day, or nothing left."""
        self.changes += 1
        now, text = self.world, None if is_gone else f"text {self.changes}"
        self.world = Surroundings(
            git=text if "git" in what else now.git,
            memory=text if "memory" in what else now.memory,
            date=f"2026-{self.changes // 28 % 12 + 1:02}-{self.changes % 28 + 1:02}" if "date" in what else now.date,
        )

    @rule(happening=st.sampled_from(list(Happening)), injection=st.sampled_from([None, "", "a", "b"]))
    def let_happen(self, happening: Happening, injection: str | None) -> None:
        """Anything that the table of events knows; what it does not name stays the very same object."""
        before = self.caches
        self.caches = happen(before, happening, injection)
        self._note(happening, injection)

        for kept in (Kept.SYSTEM_CONTEXT, Kept.GIT_SNAPSHOT, Kept.USER_CONTEXT, Kept.MEMORY_FILES):
            is_fresh = kept in FRESH[happening]
            assert getattr(self.caches, kept) is (None if is_fresh else getattr(before, kept))

    @rule()
    def call(self) -> None:
        """A call needs both contexts; a second one behind it gets the same objects."""
        self._note(Want.CONTEXTS)
        answer, now = ask(self.caches, self.world), len(self.history.moments) - 1
        again = ask(answer.caches, Surroundings(git="other", memory="other", date="2000-01-01"))

        assert self.history.system(now) == _pairs(answer.caches.system_context)
        assert self.history.user(now) == _pairs(answer.caches.user_context)
        assert self.history.reason(now) == answer.loaded_for
        assert again.made == ()
        assert again.caches is answer.caches
        self.caches = answer.caches

    @rule()
    def look_at_files(self) -> None:
        """Somebody wants the memory files alone."""
        self._note(Want.FILES)
        answer, now = load(self.caches, self.world), len(self.history.moments) - 1

        assert answer.caches.memory_files is not None
        assert self.history.files(now) == answer.caches.memory_files.value
        assert self.history.reason(now) == answer.loaded_for
        self.caches = answer.caches

    @invariant()
    def the_date_always_stands(self) -> None:
        """In any user context that is kept, as its last entry."""
        assert not self.caches.user_context or self.caches.user_context[-1].key == "currentDate"

    def _note(self, what: Happening | Want, injection: str | None = None) -> None:
        self.history.moments.append(Moment(what, self.world, injection))


def _pairs(entries: tuple[ContextEntry, ...] | None) -> list[tuple[str, str]]:
    return [(entry.key, entry.value) for entry in entries or ()]
