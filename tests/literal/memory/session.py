"""What holds for one session: folders, settings, switches and the set of loaded files."""

import attrs

from tests.literal.memory.content import Moment
from tests.literal.memory.excludes import is_excluded
from tests.literal.memory.git import Roots, find_roots
from tests.literal.memory.paths import Path, is_absolute, join
from tests.literal.memory.report import Report
from tests.literal.memory.request import Request, is_on
from tests.literal.memory.settings import (
    Settings,
    SettingsFile,
    is_recorded_approval,
    read_settings_file,
)
from tests.literal.memory.tree import Kind, Look, Tree
from tests.literal.memory.tree_entries import build_tree, resolve_cwd


@attrs.frozen(kw_only=True)
class Candidate:
    """A path that some rule makes the loader look at."""

    own: Path
    """The path under which it is looked for."""
    listed: Path
    """The path under which it is, or would be, listed."""
    layer: str
    """The layer that it would have."""
    parent: Path | None = None
    """The listed path of the file that includes it; none if it is direct."""
    depth: int = 0
    """Hops below the file found directly."""
    base: Path | None = None
    """Only of rules: the folder that patterns are relative to."""


class Session:
    """One session, from its start on."""

    def __init__(self, request: Request, choices: dict[str, str], gates: dict[str, bool]) -> None:
        self.request = request
        """The arguments."""
        self.choices = choices
        """A value for every choice."""
        self.gates = gates
        """A state for every gate."""
        self.report = Report()
        """What is reported."""
        self.tree: Tree = build_tree(request.tree, request.flavour, folds_case=request.folds_case)
        """The files that exist."""
        named = join(Path(""), request.cwd, request.flavour)
        self.cwd = resolve_cwd(self.tree, named)
        """The folder of the session, links resolved. [MEM-008]"""
        self.home = self.path(request.home) if request.home else None
        """The home folder, if it is known."""
        config = request.config_dir or request.env.get("CLAUDE_CONFIG_DIR", "")  # [MEM-004]
        self.is_config_moved = config != ""
        """Whether the config home is named."""
        self.config_home = self.path(config) if config else self.home and self.home.below(".claude")
        """The config home, if there is one."""
        self.managed = self.path(request.managed_dir) if request.managed_dir else None
        """The managed folder, if there is one."""
        self.added = [self.path(folder) for folder in request.add_dirs]
        """Added folders, in order. [MEM-012]"""
        self.roots: Roots | None = find_roots(self.tree, self.cwd)
        """Git root and main root. [MEM-010]"""
        self.project = self.roots.main if self.roots else self.cwd
        """The main root; outside git cwd."""
        self.settings = self._read_settings()
        """The settings files. [MEM-020]"""
        self.is_approved = self._is_approved()
        """Whether external includes are approved. [MEM-090]"""
        self.loaded: dict[tuple[str, tuple[str, ...]], Path] = {}
        """What is loaded: each path that counts, with the path of the list. [MEM-084]"""

    def path(self, text: str) -> Path:
        """A path of an argument; a relative one is taken from cwd. Spec: MEM-004, MEM-012."""
        return join(self.cwd, text, self.request.flavour)

    def is_switched_on(self, name: str) -> bool:
        """Whether a variable that is a switch is on. Spec: MEM-014."""
        return is_on(self.request.env, name, self.choices["env.truthy"])

    @property
    def is_disabled(self) -> bool:
        """Whether no memory loads at all. [MEM-014]."""
        return self.is_switched_on("CLAUDE_CODE_DISABLE_CLAUDE_MDS")

    @property
    def walk(self) -> list[Path]:
        """The folders of the walk, outermost first. [MEM-005, MEM-006]."""
        return [folder for folder in self.cwd.folders() if not folder.is_root or self.choices["memory.root"] == "read"]

    def is_suppressed(self, folder: Path) -> bool:
        """Whether a folder of the chain does not give its project files. Spec: MEM-009."""
        if self.roots is None or self.roots.git.key == self.roots.main.key:
            return False
        git, main = self.roots.git, self.roots.main
        return git.is_inside(main) and folder.is_inside(main) and not folder.is_inside(git)

    def _read_settings(self) -> Settings:
        project = self.cwd.below(".claude")
        sources = self.request.sources
        places: list[tuple[str, Path]] = []
        if self.managed:
            places.append(("managed", self.managed.below("managed-settings.json")))
        places.extend(("named", self.path(text)) for text in self.request.settings)
        if "local" in sources:
            places.append(("local", project.below("settings.local.json")))
        if "project" in sources:
            places.append(("project", project.below("settings.json")))
        if "user" in sources and self.config_home:
            places.append(("user", self.config_home.below("settings.json")))
        files: list[SettingsFile] = []
        for layer, path in places:
            found = read_settings_file(self.tree, path, layer, self.report)
            if found:
                files.append(found)
        return Settings(tuple(files))

    def _is_approved(self) -> bool:
        folder = self.config_home if self.is_config_moved else self.home  # [MEM-090]
        recorded = folder is not None and is_recorded_approval(
            self.tree, folder.below(".claude.json"), self.project, self.report
        )
        return recorded or self.request.approve_external

    def excludes(self, candidate: Candidate) -> bool:
        """Whether an exclusion pattern matches a candidate. Spec: MEM-060, MEM-063."""
        if candidate.layer not in {"user", "project", "local"}:
            return False  # [MEM-060]
        return any(
            is_excluded(pattern, candidate.listed.with_slashes, self._is_absolute_pattern, self._real_folder)
            for pattern in self.settings.excludes
        )

    def _is_absolute_pattern(self, pattern: str) -> bool:
        return is_absolute(pattern, self.request.flavour)

    def _real_folder(self, text: str) -> str | None:
        if not is_absolute(text + "/", self.request.flavour):
            return None
        found = self.tree.look(join(Path(""), text + "/", self.request.flavour)).node
        return found.path.with_slashes if found and found.kind is Kind.FOLDER else None

    def is_external(self, path: Path, layer: str, moment: Moment) -> bool:
        """Whether an include is external and refused. Spec: MEM-088, MEM-089, MEM-147."""
        if path.is_inside(self.cwd):
            return False
        return moment is Moment.ON_DEMAND or (layer != "user" and not self.is_approved)

    def keys(self, candidate: Candidate, look: Look) -> list[tuple[str, tuple[str, ...]]]:
        """The paths under which a file enters the set. Spec: MEM-018, MEM-085."""
        real = [look.node.path.key] if look.node else []
        if self.choices["memory.identity"] == "real":
            return real
        return [self.tree.stored(candidate.own).key, *real]

    def find_loaded(self, candidate: Candidate, look: Look) -> Path | None:
        """The path of the list under which a file is loaded already. Spec: MEM-032, MEM-084, MEM-085."""
        keys = self.keys(candidate, look)
        if self.choices["memory.identity"] == "path" and candidate.base is None:
            keys = keys[:1]  # the own path alone; of a rule the real path too [MEM-032]
        return next((self.loaded[key] for key in keys if key in self.loaded), None)

    def enter(self, candidate: Candidate, look: Look) -> None:
        """Put a file into the set. Spec: MEM-084."""
        for key in self.keys(candidate, look):
            self.loaded.setdefault(key, candidate.listed)
