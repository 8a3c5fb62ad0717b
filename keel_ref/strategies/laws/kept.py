"""What a kept value has to be, found by going back through everything that happened. Spec: CTX-030 to CTX-036."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from attrs import field, frozen, mutable

from keel_ref.choices import Gates
from keel_ref.context.caches import Happening, LoadedFor, Surroundings

CONTEXTS: Final = {Happening.INJECTED, Happening.CLEARED}
USER: Final = {Happening.INJECTED, Happening.COMPACTED, Happening.CLEARED}
ARMING: Final = {Happening.COMPACTED: LoadedFor.COMPACT, Happening.CLEARED: LoadedFor.SESSION_START}
SILENT: Final = {
    *(Happening.WORKTREE_ENTERED, Happening.WORKTREE_LEFT),
    *(Happening.SETTINGS_SYNCED, Happening.MEMORY_DIALOG),
}
FILES: Final = {*ARMING, *SILENT}
NEVER: Final = -1
"""The place of what has not happened: before everything."""


class Want(StrEnum):
    """Somebody wants something that is kept."""

    CONTEXTS = "contexts"
    FILES = "files"


@frozen
class Moment:
    """One thing that happened, and the world as it was then."""

    what: Happening | Want
    world: Surroundings
    injection: str | None = None


@mutable
class History:
    """Everything that happened, oldest first. It keeps no value: each is found anew by looking back."""

    gates: Gates
    moments: list[Moment] = field(factory=list)

    def system(self, now: int) -> list[tuple[str, str]]:
        """The system context of the one who asked at that moment."""
        made = self._first(Want.CONTEXTS, self._last(CONTEXTS, now))
        git = self.moments[self._first(Want.CONTEXTS, self._last({Happening.CLEARED}, made))].world.git
        breaker = self._injection(made) if self.gates.break_cache else None
        said = [("gitStatus", git), ("cacheBreaker", f"[CACHE_BREAKER: {breaker}]" if breaker else None)]
        return [(key, value) for key, value in said if value]

    def user(self, now: int) -> list[tuple[str, str]]:
        """The user context of the one who asked at that moment."""
        made = self._first(Want.CONTEXTS, self._last(USER, now))
        memory = self.files(made)
        date = f"Today's date is {self.moments[made].world.date}."
        return [*([("claudeMd", memory)] if memory else []), ("currentDate", date)]

    def files(self, now: int) -> str | None:
        """The memory files of the one who wanted them at that moment."""
        return self.moments[self._load_before(now)].world.memory

    def reason(self, now: int) -> LoadedFor | None:
        """What the hook is told at that moment: only the first load behind something that arms is told."""
        if not self._wants_files(now) or self._load_before(now) != now:
            return None
        armed = self._last(set(ARMING), now)
        if any(self._load_before(place) == place for place in range(armed + 1, now) if self._wants_files(place)):
            return None
        return LoadedFor.SESSION_START if armed == NEVER else ARMING[Happening(self.moments[armed].what)]

    def _load_before(self, now: int) -> int:
        """Where the files were read that are kept at that moment."""
        reset = self._last(FILES, now)
        return next(place for place in range(reset + 1, now + 1) if self._wants_files(place))

    def _wants_files(self, place: int) -> bool:
        """Whether the files were wanted there: by themselves, or for a user context that had to be made."""
        what = self.moments[place].what
        return what is Want.FILES or (
            what is Want.CONTEXTS and self._first(Want.CONTEXTS, self._last(USER, place)) == place
        )

    def _injection(self, now: int) -> str | None:
        place = self._last({Happening.INJECTED}, now)
        return None if place == NEVER else self.moments[place].injection

    def _last(self, what: Collection[Happening], before: int) -> int:
        return next((place for place in range(before - 1, -1, -1) if self.moments[place].what in what), NEVER)

    def _first(self, what: Want, behind: int) -> int:
        return next(place for place in range(behind + 1, len(self.moments)) if self.moments[place].what is what)
