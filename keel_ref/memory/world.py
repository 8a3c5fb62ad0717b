"""All that a load needs to know before it looks at the first memory file. Spec: MEM-004, MEM-008, MEM-010."""

from __future__ import annotations

from attrs import evolve, frozen

from keel_ref.choices import Choices, Gates, is_truthy
from keel_ref.constants import Constants
from keel_ref.errors import InvalidArgumentError, NotAFolderError
from keel_ref.memory.exclusion import Exclusion, first_match, parse_exclusion
from keel_ref.memory.meter import Meter, SpentError
from keel_ref.memory.roots import Roots, git_roots
from keel_ref.memory.settings import Settings, broken, read_settings
from keel_ref.memory.values import MemoryRequest
from keel_ref.paths import Flavour, is_absolute, join, normalise
from keel_ref.ports import EntryKind, Refusal, Tree
from keel_ref.trace import Skip

CONFIG_VARIABLE = "CLAUDE_CONFIG_DIR"


@frozen(kw_only=True)
class World:
    """The circumstances of one session; nothing here changes while it lasts."""

    tree: Tree
    """The file tree."""
    request: MemoryRequest
    """What was asked, its paths normalised."""
    choices: Choices
    """The implementation's declared choices."""
    gates: Gates
    """Layers that are on."""
    constants: Constants
    """Numbers."""
    cwd: str
    """The real path of the folder the session starts in. Spec: MEM-008."""
    config_home: str
    """The user's configuration folder; empty when neither it nor home is known. Spec: MEM-004."""
    roots: Roots | None
    """The repository of cwd. Spec: MEM-010."""
    settings: Settings
    """All layers of settings together."""
    exclusions: tuple[Exclusion, ...]
    """Patterns of files to leave out. Spec: MEM-060."""

    @property
    def project_root(self) -> str:
        """The main root of the repository, else cwd: the key of a project's records. Spec: MEM-090, MEM-124."""
        return self.roots.main if self.roots else self.cwd

    def is_on(self, variable: str) -> bool:
        """Does the text of the variable switch it on?"""
        return is_truthy(self.request.env.get(variable), self.choices.truthy)

    def excluded_by(self, path: str, meter: Meter | None = None) -> str | None:
        """The pattern that leaves a path out, or None. Spec: MEM-060.

        Raises `SpentError` where a meter is given and does not allow the answer.
        """
        if not self.exclusions:
            return None
        return first_match(self.exclusions, _with_slashes(path, self.tree.flavour), meter)


def prepare(tree: Tree, request: MemoryRequest, choices: Choices, gates: Gates, constants: Constants) -> World:
    """Look at cwd, the repository and the settings.

    Raises `InvalidArgumentError` for a path that is not absolute, `NotAFolderError` for a cwd that is no folder.
    """
    asked = _normalised(tree, request)
    cwd = _real_cwd(tree, asked.cwd)
    config_home = _config_home(asked, cwd, tree.flavour)
    settings = read_settings(tree, asked, config_home, cwd, constants)
    exclusions, rows = _exclusions(settings, tree, constants)
    return World(
        tree=tree,
        request=asked,
        choices=choices,
        gates=gates,
        constants=constants,
        cwd=cwd,
        config_home=config_home,
        roots=git_roots(tree, cwd, constants),
        settings=evolve(settings, skipped=(*settings.skipped, *rows)),
        exclusions=exclusions,
    )


def named_config_home(request: MemoryRequest) -> str | None:
    """The configuration folder that was named; None when it is the usual one. Spec: MEM-004."""
    return request.config_dir or request.env.get(CONFIG_VARIABLE) or None  # [MEM-004]


def _config_home(request: MemoryRequest, cwd: str, flavour: Flavour) -> str:
    named = named_config_home(request)
    if named:
        return normalise(join(cwd, named, flavour), flavour)
    return join(request.home, ".claude", flavour) if request.home else ""


def _real_cwd(tree: Tree, cwd: str) -> str:
    real = tree.real_path(cwd)  # [MEM-008]
    if isinstance(real, Refusal):
        raise NotAFolderError(cwd, real.detail or real.reason.value)
    if tree.kind_of(real) is not EntryKind.FOLDER:
        raise NotAFolderError(cwd, "is no folder")
    return real


def _normalised(tree: Tree, request: MemoryRequest) -> MemoryRequest:
    """The request with its paths whole; relative ones count from cwd, except cwd and home themselves."""
    flavour = tree.flavour

    def whole(name: str, path: str) -> str:
        if "\0" in path or not is_absolute(path, flavour):
            raise InvalidArgumentError(name, f"{path!r} is no absolute path")
        return normalise(path, flavour)

    cwd = whole("cwd", request.cwd)

    def below_cwd(name: str, path: str | None) -> str | None:
        return whole(name, join(cwd, path, flavour)) if path else None

    return evolve(
        request,
        cwd=cwd,
        home=whole("home", request.home) if request.home else "",
        config_dir=below_cwd("config_dir", request.config_dir),
        managed_dir=below_cwd("managed_dir", request.managed_dir),
        add_dirs=tuple(whole("add_dirs", join(cwd, path, flavour)) for path in request.add_dirs),
        settings_files=tuple(whole("settings", join(cwd, path, flavour)) for path in request.settings_files),
        index_folder=below_cwd("index_folder", request.index_folder),
    )


def _exclusions(settings: Settings, tree: Tree, constants: Constants) -> tuple[tuple[Exclusion, ...], tuple[Skip, ...]]:
    """The exclusion patterns taken apart, and rows about those that are not taken as they are meant. Spec: MEM-062."""

    def resolve(folder: str) -> str | None:
        real = tree.real_path(folder)
        return None if isinstance(real, Refusal) else _with_slashes(real, tree.flavour)

    exclusions: list[Exclusion] = []
    rows: list[Skip] = []
    characters = Meter(constants.exclusions_cap_characters)
    for path, pattern in settings.excludes:
        try:
            exclusion = parse_exclusion(
                _with_slashes(pattern, tree.flavour), resolve, constants.pattern_cap, characters
            )
        except SpentError:
            rows.append(broken(path, f"claudeMdExcludes: no room for {pattern}, it is left out"))
            continue
        exclusions.append(exclusion)
        if exclusion.is_literal:
            rows.append(broken(path, f"claudeMdExcludes: the braces of {pattern} expand too far, they are literal"))
    return tuple(exclusions), tuple(rows)


def _with_slashes(path: str, flavour: Flavour) -> str:
    return path if flavour is Flavour.POSIX else path.replace("\\", "/")
