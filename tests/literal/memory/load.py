"""What a session starts with."""

from tests.literal.memory.content import Moment
from tests.literal.memory.loader import Loader, Record
from tests.literal.memory.look_alikes import report_agents_files, report_look_alikes
from tests.literal.memory.paths import Path, is_absolute, join
from tests.literal.memory.session import Session

ADDED_SWITCH = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"
"""The variable that lets added folders give memory. [MEM-012]"""

AUTO_SWITCH = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
"""The variable that switches the index off. [MEM-126]"""


class StartLoad:
    """The load at the start of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        """What holds for the session."""
        self.loader = Loader(session, Moment.START)
        """What takes up the candidates."""

    def load(self) -> list[Record]:
        """The start-up list. Spec: MEM-001, MEM-002."""
        self._take_managed()
        self._take_user()
        self._take_chain()
        self._take_added()
        self._take_indexes()
        report_look_alikes(self.session)
        report_agents_files(self.session)
        return self._filter(self.loader.records)

    def _off(self, reason: str | None, *, is_added: bool = False) -> str | None:
        """Why a segment is off: as a whole, or for its own reason. Spec: MEM-014, MEM-015, MEM-023."""
        if self.session.is_disabled:
            return "disabled"  # [MEM-014]
        added_only = self.session.choices["memory.bare_added"] == "added-only"
        if self.session.request.bare and (not self.session.added or (added_only and not is_added)):
            return "bare"  # [MEM-015]
        return reason

    def _off_by_source(self, source: str, folder_reason: str | None = None) -> str | None:
        is_off = source not in self.session.request.sources
        return self._off("source-off" if is_off else folder_reason)  # [MEM-013]

    def _take_managed(self) -> None:
        folder = self.session.managed
        if folder is None:
            return
        off = self._off(None)
        self.loader.take_file(folder.below("CLAUDE.md"), "managed", off)  # [MEM-003]
        self.loader.take_rules(folder.below(".claude", "rules"), "managed", self.session.cwd, off)  # [MEM-057]

    def _take_user(self) -> None:
        folder = self.session.config_home
        if folder is None:
            return
        off = self._off_by_source("user")
        self.loader.take_file(folder.below("CLAUDE.md"), "user", off)  # [MEM-004]
        self.loader.take_rules(folder.below("rules"), "user", self.session.cwd, off)

    def _take_chain(self) -> None:
        """Four kinds in each folder, outermost folder first. Spec: MEM-005, MEM-006, MEM-009."""
        for folder in self.session.cwd.folders():
            root_reason = "root-not-read" if folder not in self.session.walk else None  # [MEM-006]
            suppressed = "worktree-suppressed" if self.session.is_suppressed(folder) else None  # [MEM-009]
            off = self._off_by_source("project", root_reason or suppressed)
            self._take_project_files(folder, off)
            local_off = self._off_by_source("local", root_reason)
            self.loader.take_file(folder.below("CLAUDE.local.md"), "local", local_off)

    def _take_project_files(self, folder: Path, off: str | None) -> None:
        self.loader.take_file(folder.below("CLAUDE.md"), "project", off)
        self.loader.take_file(folder.below(".claude", "CLAUDE.md"), "project", off)
        self.loader.take_rules(folder.below(".claude", "rules"), "project", folder, off)

    def _take_added(self) -> None:
        """Added folders. Spec: MEM-012."""
        is_on = self.session.is_switched_on(ADDED_SWITCH)
        off = self._off(None if is_on else "add-dir-off", is_added=True)
        for folder in self.session.added:
            self._take_project_files(folder, off)

    def _take_indexes(self) -> None:
        """The index and team memory. Spec: MEM-126, MEM-127, MEM-128."""
        folder = self._find_memory_folder()
        if folder is None:
            return
        is_on = self._is_auto_on()
        off = "disabled" if self.session.is_disabled else None if is_on else "auto-memory-off"
        self.loader.take_file(folder.below("MEMORY.md"), "auto", off)
        team_off = None if self.session.gates["team_memory"] else "team-off"  # [MEM-128]
        self.loader.take_file(folder.below("team", "MEMORY.md"), "team", off or team_off)

    def _is_auto_on(self) -> bool:
        """Whether the index is on. Spec: MEM-126."""
        if self.session.is_switched_on(AUTO_SWITCH) or self.session.request.bare:
            return False
        values = self.session.settings.find_values("autoMemoryEnabled")
        return bool(values[0][1]) if values else True

    def _find_memory_folder(self) -> Path | None:
        """The memory folder. Spec: MEM-124, MEM-125."""
        session = self.session
        for layer, text in session.settings.find_values("autoMemoryDirectory"):
            if layer == "project":
                continue  # [MEM-125]
            if is_absolute(text, session.request.flavour):
                return session.path(text)
            if text.startswith("~/") and session.home:
                return join(session.home, "./" + text.removeprefix("~/"), session.request.flavour)
        if session.config_home is None:
            return None
        return session.config_home.below("projects", make_slug(str(session.project)), "memory")

    def _filter(self, records: list[Record]) -> list[Record]:
        """The records that are left by the filter before formatting. Spec: MEM-111."""
        if not self.session.gates["memory_prefetch"] or self.session.choices["memory.injected_filter"] == "off":
            return records
        kept: list[Record] = []
        for record in records:
            if record.layer in {"auto", "team"}:
                self.session.report.skip(record.path, "injected-filter", record.layer)
            else:
                kept.append(record)
        return kept


def make_slug(path: str) -> str:
    """The name of a project's folder. Spec: MEM-124."""
    return "".join(
        character if character.isascii() and character.isalnum() else "-" * (2 if ord(character) > 0xFFFF else 1)
        for character in path
    )
