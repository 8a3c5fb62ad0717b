"""A small world of folders and names in which memory files meet, shadow, link and mention one another."""

from typing import Final

from attrs import frozen

from keel_ref.memory.candidates import ADDED_VARIABLE, DISABLE_VARIABLE
from keel_ref.memory.index import OFF_VARIABLE, slug
from keel_ref.memory.world import CONFIG_VARIABLE
from keel_ref.paths import Flavour, ancestors, join


def below(folder: str, *names: str) -> str:
    """A path below a folder."""
    for name in names:
        folder = join(folder, name, Flavour.POSIX)
    return folder


HOME: Final = "/h"
"""The user's home folder."""
CONFIG_HOME: Final = "/h/.claude"
"""The config home while nothing moves it."""
MANAGED: Final = "/m"
"""The managed folder."""
ADDED: Final = "/e"
"""A folder that may be added to a session."""
REPOSITORY: Final = "/r"
"""A folder of projects, often a repository."""
WORKTREE: Final = "/r/.claude/worktrees/w"
"""Where a worktree lies inside its own repository."""
OUTSIDE: Final = "/w"
"""A worktree or a file outside the repository."""

FOLDERS: Final = (REPOSITORY, "/r/s", "/r/s/d", WORKTREE, HOME, OUTSIDE, CONFIG_HOME, MANAGED, ADDED, "/")
"""Folders in which sessions start and entries grow; few, so that they meet."""
OWNED: Final = ("/m/CLAUDE.md", "/h/.claude/CLAUDE.md", "/e/CLAUDE.md", "/e/.claude/CLAUDE.md")
"""Memory files of the organisation, the user and an added folder."""
LINKED_FOLDERS: Final = ("/lnk", "/r/lnk", "/r/s/.claude", "/r/.claude/rules", "/r/s/.claude/rules/more", "/e/.claude")
"""Places at which a link to a folder is often found."""
CHAIN_NAMES: Final = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
"""The files that are looked for in each folder of the chain."""
LOOKALIKES: Final = (
    "AGENTS.md",
    "claude.md",
    "CLAUDE.MD",
    "Claude.local.md",
    ".claude/CLAUDE.local.md",
    ".claude/Claude.md",
)
"""Names that look as if they were meant."""
NOTES: Final = ("a.md", "b.md", "n.txt", "Makefile", "x.png", "a b.md", "é.md", "e\u0301.md", "d/a.md")
"""Files that a text may mention; one has an ending that keeps it out."""
RULE_NAMES: Final = (
    "a.md",
    "b.md",
    "B.md",
    "10.md",
    "2.md",
    ".hid.md",
    ".md",
    "c.md",
    "c/a.md",
    "c/.d/z.md",
    "c0/a.md",
    "AGENTS.md",
    "UP.MD",
    "x.txt",
    "\uff5a.md",
    "\U0001f600.md",
    "é.md",
    "e\u0301.md",
    "\udcff.md",
)
"""Names below a rules folder: of any order, nesting and writing, one of them no UTF-8."""
SETTINGS: Final = ("/m/managed-settings.json", "/x.json", "/h/.claude/settings.json")
"""Where settings lie, wherever a session starts."""
OWN_SETTINGS: Final = (".claude/settings.json", ".claude/settings.local.json")
"""Where they lie in the working folder."""
RECORDS: Final = ("/h/.claude.json", "/h/.claude/.claude.json", "/e/.claude.json")
"""Where the user's answers lie."""
VARIABLES: Final = (DISABLE_VARIABLE, ADDED_VARIABLE, OFF_VARIABLE, CONFIG_VARIABLE)
"""The variables that steer a load."""
TARGETS: Final = (
    "s/d/a.ts",
    "s/a.ts",
    "d/a.ts",
    "d/deep/B.TS",
    "a.ts",
    "/r/s/a.ts",
    "/r/s/..a.ts",
    "/r/.claude/rules/a.md",
    "/h/a.ts",
    "/w/a.ts",
    "/lnk/a.ts",
)
"""Files that a session touches, some below whatever folder it works in; whether they exist is not asked."""


def each_below(folders: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Every name below every folder."""
    return tuple(below(folder, name) for folder in folders for name in names)


@frozen
class Ground:
    """The places that matter to a session, by the folder in which it starts."""

    cwd: str
    """The working folder."""

    @property
    def chain(self) -> tuple[str, ...]:
        """The working folder and those above it, the root only where it is the working folder itself."""
        return ancestors(self.cwd, Flavour.POSIX)[1:] or ("/",)

    @property
    def rules_folders(self) -> tuple[str, ...]:
        """Folders that are searched for rules."""
        return (*each_below((*self.chain, MANAGED, ADDED), (".claude/rules",)), below(CONFIG_HOME, "rules"))

    @property
    def rules(self) -> tuple[str, ...]:
        """Where a rule may lie."""
        return each_below(self.rules_folders, RULE_NAMES)

    @property
    def chain_files(self) -> tuple[str, ...]:
        """Where a file may lie that is found by its place in the chain."""
        return each_below(self.chain, CHAIN_NAMES)

    @property
    def nested_files(self) -> tuple[str, ...]:
        """Where a file may lie that waits for a read of one beside it or below."""
        folders = each_below((self.cwd,), ("s", "d"))
        return each_below(folders, (*CHAIN_NAMES, ".claude/rules/a.md", ".claude/rules/b.md", "i.md"))

    @property
    def indexes(self) -> tuple[str, ...]:
        """Where an index may lie: keyed by the working folder, by the repository, or named by a setting."""
        folders = tuple(below(CONFIG_HOME, "projects", slug(root), "memory") for root in (self.cwd, REPOSITORY))
        return each_below((*folders, "/h/notes"), ("MEMORY.md", "team/MEMORY.md"))

    @property
    def notes(self) -> tuple[str, ...]:
        """Where a file may lie that a text mentions."""
        return each_below((*self.chain, "/r/.claude", HOME, OUTSIDE, MANAGED), NOTES)

    @property
    def settings(self) -> tuple[str, ...]:
        """Where settings lie."""
        return SETTINGS + each_below((self.cwd,), OWN_SETTINGS)


GROUND: Final = Ground("/r/s/d")
"""A session in a folder of a project of a repository."""
