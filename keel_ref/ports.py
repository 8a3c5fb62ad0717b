"""The world as the rules see it: a file tree, read only, a clock, and whoever counts tokens. Adapters answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol

from attrs import frozen

from keel_ref.paths import Flavour
from keel_ref.trace import Reason


class EntryKind(StrEnum):
    """What a folder says about an entry, links not followed."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


@frozen
class Entry:
    """One name in a folder."""

    name: str
    """The name alone, no separators."""
    kind: EntryKind
    """Its kind, links not followed."""


@frozen
class Refusal:
    """Why the tree did not answer."""

    reason: Reason
    """`not-found`, `not-regular`, `link-loop`, `unreadable` or `too-large`."""
    detail: str = ""
    """The system's own words, where there are any."""


@frozen
class FileContent:
    """The bytes of one regular file."""

    data: bytes
    """The whole content."""
    is_link: bool
    """Was the last part of the path a symbolic link?"""


class Tree(Protocol):
    """A file tree. Paths are absolute, normalised strings in the flavour of the tree.

    A name that is not UTF-8 carries its stray bytes as lone surrogates U+DC80 to U+DCFF. No call raises for what it
    finds in the tree: it answers with a `Refusal`. Only regular files are ever opened. Spec: MEM-019, MEM-022.
    """

    @property
    def flavour(self) -> Flavour:
        """How paths are written here."""

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """The entries of a folder in any order; links in the path are followed."""

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """A regular file, links followed; larger than the cap is `too-large` and stays unread."""

    def real_path(self, path: str) -> str | Refusal:
        """The path with every link resolved; a missing file is `not-found`."""

    def spelling(self, path: str) -> str:
        """The path with each name as the tree stores it, links left alone; itself where case counts. Spec: MEM-018."""

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """The kind of what the path leads to, links followed; never `LINK`."""

    def modified(self, path: str) -> int | Refusal:
        """Time of modification; larger is newer. Only the order has a meaning."""


class GitProblem(StrEnum):
    """Why git gave no answer. The words are part of the wire. Spec: CTX-002, CTX-003."""

    NO_REPOSITORY = "no-repository"
    """The folder lies in none, or in one whose head cannot be read."""
    MISSING = "git-missing"
    """There is no command `git`."""
    TIMED_OUT = "timed-out"
    """The commands together took too long."""
    FAILED = "failed"
    """One of them failed; a bare repository, which has no files to look at, always does."""


@frozen(kw_only=True)
class GitAnswer:
    """What the commands say of one folder, as they print it. Spec: CTX-001."""

    branch: str = ""
    """The branch that is checked out; empty where the head is detached."""
    main_branch: str = ""
    """The branch that the remote calls its head; empty where there is none."""
    user: str = ""
    """The configured name."""
    status: str = ""
    """The short status."""
    commits: str = ""
    """The newest commits, one a line, the newest first."""


@frozen
class GitRefusal:
    """Why there is nothing to say."""

    problem: GitProblem
    detail: str = ""
    """Git's own words, where there are any."""


class Git(Protocol):
    """Somebody who knows the repository around a folder. No call raises, none takes a lock. Spec: CTX-009."""

    def look(self, folder: str) -> GitAnswer | GitRefusal:
        """What is to be said of the repository, all of it at one moment, within a time limit."""


class Clock(Protocol):
    """Somebody who knows what time it is."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, in UTC."""


class TokenCounter(Protocol):
    """Somebody who can count a list of rows exactly, and sometimes cannot. Spec: EST-022.

    All rows of the list count but those that are never sent (EST-012); a boundary among them changes nothing. No call
    raises for what goes wrong on its way: it answers None, which is `unavailable`.
    """

    def count(self, messages: Sequence[Any]) -> int | None:
        """Tokens of the rows, a whole number of at least 0; None where there is no count."""


class TextCounter(Protocol):
    """The same for one text."""

    last_problem: str | None
    """Why the last answer was None."""

    def count_text(self, text: str) -> int | None:
        """Tokens of one text; None where there is no count."""
