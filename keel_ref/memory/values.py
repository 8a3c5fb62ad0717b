"""What a load is asked, and what it answers. Spec: MEM-001."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import field, frozen

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.rough import rough_tokens
from keel_ref.trace import Notice, Reason, Skip
from keel_ref.units import Tokens


class Layer(StrEnum):
    """Whose instructions a file holds. Spec: MEM-002."""

    MANAGED = "managed"
    USER = "user"
    PROJECT = "project"
    LOCAL = "local"
    AUTO = "auto"
    TEAM = "team"


class Source(StrEnum):
    """What can be switched off at start. Spec: MEM-013."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"

    @classmethod
    def parse(cls, names: Iterable[str]) -> frozenset[Source]:
        """Sources from their names; another name raises `InvalidArgumentError`. Spec: MEM-013."""
        found: list[Source] = []
        for name in names:
            if name not in set(cls):
                raise InvalidArgumentError("sources", f"{name!r} is none of {', '.join(cls)}")
            found.append(cls(name))
        return frozenset(found)


class LoadReason(StrEnum):
    """Why a file was loaded, as the instructions-loaded hook is told. Spec: MEM-146."""

    SESSION_START = "session_start"
    NESTED_TRAVERSAL = "nested_traversal"
    PATH_GLOB_MATCH = "path_glob_match"
    INCLUDE = "include"
    COMPACT = "compact"


@frozen(kw_only=True)
class MemoryRequest:
    """Where a session starts, and under which switches. Nothing is read from the process itself."""

    cwd: str
    """The folder the session starts in, absolute; its real path is what counts. Spec: MEM-008."""
    home: str = ""
    """The user's home folder; empty when it is not known."""
    config_dir: str | None = None
    """Replaces `<home>/.claude`; the variable `CLAUDE_CONFIG_DIR` does the same and is asked second. Spec: MEM-004."""
    managed_dir: str | None = None
    """The managed folder; None for none. Spec: MEM-003."""
    add_dirs: tuple[str, ...] = ()
    """Folders added to the session, in order. Spec: MEM-012."""
    sources: frozenset[Source] = frozenset(Source)
    """Sources that are on. Spec: MEM-013."""
    settings_files: tuple[str, ...] = ()
    """Settings files named explicitly. Spec: MEM-020."""
    approve_external: bool = False
    """The project may include files outside its tree. Spec: MEM-088."""
    bare: bool = False
    """Bare mode. Spec: MEM-015."""
    env: Mapping[str, str] = field(factory=dict)
    """Variables of the session."""
    index_folder: str | None = None
    """The memory folder, when the embedding product names one; before every setting. Spec: MEM-125."""
    has_remote_storage: bool = False
    """Does a remote session keep its memory? Spec: MEM-126."""


@frozen(kw_only=True)
class MemoryFile:
    """One file that is sent to the model."""

    path: str
    """Absolute, as listed."""
    layer: Layer
    """Whose instructions these are."""
    text: str
    """What is sent, without the line that names the file and without a notice."""
    raw: str
    """What the file holds, decoded."""
    notice: str = ""
    """The notice that follows the text, when it was cut. Spec: MEM-122."""
    parent: str | None = None
    """The file that includes this one."""
    globs: tuple[str, ...] = ()
    """The patterns of a path rule that matched."""
    depth: int = 0
    """Include hops below the top file."""
    reason: LoadReason = LoadReason.SESSION_START
    """Why it was loaded. Spec: MEM-146."""

    @property
    def differs(self) -> bool:
        """Is the text sent another than the file's? Then an edit needs a real read first. Spec: MEM-108."""
        return self.text != self.raw  # [MEM-108]

    @property
    def is_warned(self) -> bool:
        """Does a notice follow the text?"""
        return bool(self.notice)

    @property
    def tokens(self) -> Tokens:
        """The cost of the text by the documented rule."""
        return rough_tokens(self.text)


@frozen(kw_only=True)
class HeldRule:
    """A path rule that waits for a file. Spec: MEM-033."""

    path: str
    """The rule."""
    layer: Layer
    """The layer it will have."""
    base: str
    """The folder to which its patterns are relative. Spec: MEM-057."""
    patterns: tuple[str, ...]
    """Its effective patterns. Spec: MEM-049."""


@frozen(kw_only=True)
class MemoryLoad:
    """The answer: what is sent, in order, and what is not, and why. Spec: MEM-001, MEM-023."""

    files: tuple[MemoryFile, ...]
    """What is sent, in order."""
    skipped: tuple[Skip, ...]
    """Every candidate that was met and does not load."""
    notices: tuple[Notice, ...] = ()
    """What a reader should know about files that do load."""
    held: tuple[HeldRule, ...] = ()
    """Path rules that wait for a file."""

    @property
    def tokens(self) -> Tokens:
        """The sum over the files."""
        return Tokens(sum(file.tokens for file in self.files))


class CandidateKind(StrEnum):
    """What is looked for at a place."""

    FILE = "file"
    RULES = "rules"
    INDEX = "index"


@frozen(kw_only=True)
class Candidate:
    """A place where memory may lie. Spec: MEM-002."""

    path: str
    """The file, or the rules folder."""
    kind: CandidateKind
    """What is looked for."""
    layer: Layer
    """The layer of what is found."""
    base: str = ""
    """For rules: the folder to which their patterns are relative. Spec: MEM-057."""
    held_back: Reason | None = None
    """Why nothing here loads; None when it does."""
