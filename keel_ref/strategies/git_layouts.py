"""Repositories, worktrees, submodules and bare repositories, as their files tell them. Spec: MEM-009 to MEM-011."""

from __future__ import annotations

from hypothesis import strategies as st

from keel_ref.strategies.items import Item, ItemKind
from keel_ref.strategies.places import OUTSIDE, REPOSITORY, WORKTREE, below

DATA = "/r/.git/worktrees/w"


def repository(root: str = REPOSITORY) -> tuple[Item, ...]:
    """A plain checkout."""
    return (Item(path=below(root, ".git"), kind=ItemKind.FOLDER),)


def worktree(root: str, pointer: str = f"gitdir: {DATA}\n", common: str = "../..\n") -> tuple[Item, ...]:
    """A second checkout of the repository."""
    return (
        Item(path=below(DATA, "commondir"), data=common.encode()),
        Item(path=below(root, ".git"), data=pointer.encode()),
    )


def submodule(root: str = "/r/s") -> tuple[Item, ...]:
    """A repository that another one contains: no common folder."""
    return (
        Item(path="/r/.git/modules/s/HEAD", data=b"ref: refs/heads/main\n"),
        Item(path=below(root, ".git"), data=b"gitdir: ../.git/modules/s\n"),
    )


def bare(name: str) -> tuple[Item, ...]:
    """A folder around a bare repository, with a worktree in it."""
    data = f"/r/{name}/worktrees/s"
    return (
        Item(path=below(data, "commondir"), data=b"../..\n"),
        Item(path="/r/s/.git", data=f"gitdir: {data}\n".encode()),
        *([] if name == ".git" else [Item(path="/r/.git", data=f"gitdir: {name}\n".encode())]),
    )


LAYOUTS: tuple[tuple[Item, ...], ...] = (
    (),
    repository(),
    repository() + repository("/r/s"),
    worktree(WORKTREE),
    worktree("/r/s", "gitdir: ../.git/worktrees/w"),
    worktree(OUTSIDE),
    worktree(WORKTREE, "gitdir:\n"),
    worktree(WORKTREE, "gitdir: /nowhere\n"),
    worktree(WORKTREE, common=""),
    worktree(WORKTREE, common="/nowhere\n"),
    submodule(),
    bare(".bare"),
    bare(".git"),
    (Item(path="/r/s/.git", kind=ItemKind.LINK, target="/nowhere"), *repository()),
    (Item(path="/r/s/.git", kind=ItemKind.FIFO), *repository()),
)
"""Every layout, the sound and the malformed."""


def git_layouts(*, with_links: bool = True) -> st.SearchStrategy[tuple[Item, ...]]:
    """One of the layouts."""
    linked = tuple(layout for layout in LAYOUTS if any(item.kind is ItemKind.LINK for item in layout))
    return st.sampled_from(LAYOUTS if with_links else [layout for layout in LAYOUTS if layout not in linked])
