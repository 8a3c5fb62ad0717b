"""Random file trees in which memory files meet, shadow, link and mention one another."""

from __future__ import annotations

import posixpath

from hypothesis import strategies as st

from keel_ref.paths import Flavour, parent
from keel_ref.strategies.contents import CROWDED, MemoryText, index_texts, memory_texts, record_texts, settings_texts
from keel_ref.strategies.git_layouts import git_layouts
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.places import (
    CHAIN_NAMES,
    FOLDERS,
    GROUND,
    LINKED_FOLDERS,
    LOOKALIKES,
    OWNED,
    RECORDS,
    Ground,
    below,
    each_below,
)


def memory_paths(ground: Ground = GROUND) -> st.SearchStrategy[str]:
    """Where a memory file, an index, a rule or a look-alike may lie."""
    return st.one_of(
        st.sampled_from(ground.chain_files),
        st.sampled_from(ground.nested_files),
        st.sampled_from(OWNED),
        st.sampled_from(ground.indexes),
        st.sampled_from(ground.rules),
        st.sampled_from(each_below((*ground.chain, *FOLDERS), CHAIN_NAMES + LOOKALIKES)),
    )


def memory_files(ground: Ground = GROUND) -> st.SearchStrategy[list[Item]]:
    """Memory files, rules and notes that mention one another, and much else."""

    def written(memory: list[tuple[str, MemoryText]], notes: list[tuple[str, MemoryText]]) -> list[Item]:
        goals = [path for path, _ in (*notes, *memory)]
        return [Item(path=path, data=text.written(path, goals)) for path, text in (*memory, *notes)]

    texts = memory_texts()
    memory = st.lists(st.tuples(memory_paths(ground), texts), min_size=1, max_size=MAX_MEMORY_FILES)
    return st.builds(written, memory, st.lists(st.tuples(st.sampled_from(ground.notes), texts), max_size=MAX_NOTES))


def kept_files(ground: Ground = GROUND) -> st.SearchStrategy[Item]:
    """Indexes, settings and the user's records."""
    return st.one_of(
        st.builds(Item, path=st.sampled_from(ground.indexes), data=index_texts()),
        st.builds(Item, path=st.sampled_from(ground.settings), data=settings_texts()),
        st.builds(Item, path=st.sampled_from(RECORDS), data=record_texts()),
    )


def folder_items(ground: Ground = GROUND) -> st.SearchStrategy[Item]:
    """Folders, also under the name of a file."""
    places = st.sampled_from((*FOLDERS[:-1], *ground.rules_folders, *ground.notes)) | memory_paths(ground)
    return st.builds(Item, path=places, kind=st.just(ItemKind.FOLDER))


def irregular_items(ground: Ground = GROUND) -> st.SearchStrategy[Item]:
    """What bears the name of a file and is neither file, folder nor link."""
    places = st.sampled_from((*ground.settings, *ground.notes)) | memory_paths(ground)
    return st.builds(Item, path=places, kind=st.sampled_from((ItemKind.FIFO, ItemKind.SOCKET)))


def refused_items(ground: Ground = GROUND) -> st.SearchStrategy[Item]:
    """Files that may not be read, and folders that may not be listed."""
    files = st.sampled_from((*ground.settings, *ground.notes, *RECORDS)) | memory_paths(ground)
    folders = st.sampled_from((*FOLDERS[:-1], *ground.rules_folders))
    return st.one_of(
        st.builds(Item, path=files, data=st.just(b"not for you"), may_read=st.just(value=False)),
        st.builds(Item, path=folders, kind=st.just(ItemKind.FOLDER), may_list=st.just(value=False)),
    )


def links(ground: Ground = GROUND) -> st.SearchStrategy[Item]:
    """Links to files, folders, nowhere and, alone or together, in circles."""
    files = st.sampled_from(ground.notes) | memory_paths(ground)
    places = st.sampled_from(LINKED_FOLDERS) | files
    goals = st.sampled_from((*FOLDERS, *ground.rules_folders, *LINKED_FOLDERS)) | files
    endless = places.map(lambda path: link_item(path, path, is_relative=True))
    return st.builds(link_item, places, goals, is_relative=st.booleans()) | endless


def link_item(path: str, goal: str, *, is_relative: bool) -> Item:
    """A link at a path that leads to a goal."""
    target = posixpath.relpath(goal, parent(path, Flavour.POSIX)) if is_relative else goal
    return Item(path=path, kind=ItemKind.LINK, target=target)


def other_items(ground: Ground = GROUND, *, with_links: bool = True, is_open: bool = False) -> st.SearchStrategy[Item]:
    """Whatever is no memory file; without links, or without refusals, where these are not wanted."""
    return st.one_of(
        kept_files(ground),
        folder_items(ground),
        irregular_items(ground),
        *([links(ground)] if with_links else []),
        *([] if is_open else [refused_items(ground)]),
    )


def crowds(ground: Ground = GROUND) -> st.SearchStrategy[tuple[Item, ...]]:
    """Nothing, or more than the small numbers allow: of rules in one folder, or in one file."""
    rules = [
        tuple(Item(path=below(folder, f"{number}.md"), data=b"x") for number in range(6))
        for folder in ground.rules_folders
    ]
    texts = [(Item(path=path, data=text.encode()),) for path in ground.chain_files for text in CROWDED]
    return st.just(()) | st.sampled_from(rules) | st.sampled_from(texts)


def mention_chains(ground: Ground = GROUND) -> st.SearchStrategy[tuple[Item, ...]]:
    """No such files, or some of which each mentions the next, up to one that lies too deep."""

    def chain(count: int, start: str) -> tuple[Item, ...]:
        files = (Item(path=below(ground.cwd, str(n)), data=f"@{n + 1}".encode()) for n in range(1, count))
        return Item(path=start, data=b"@1 @3"), *files

    return st.just(()) | st.builds(chain, st.integers(4, 8), st.sampled_from(each_below((ground.cwd,), CHAIN_NAMES)))


def file_trees(
    ground: Ground = GROUND, *, with_links: bool = True, is_open: bool = False
) -> st.SearchStrategy[FileTree]:
    """A tree of all this; without links, or without refusals, where these are not wanted."""
    parts = st.tuples(
        git_layouts(with_links=with_links),
        st.lists(other_items(ground, with_links=with_links, is_open=is_open), max_size=MAX_OTHERS),
        st.lists(kept_files(ground), max_size=MAX_KEPT),
        crowds(ground),
        mention_chains(ground),
        memory_files(ground),
    )
    return parts.map(lambda found: FileTree.grown(item for part in found for item in part))


MAX_OTHERS = 3
MAX_KEPT = 2
MAX_MEMORY_FILES = 8
MAX_NOTES = 5
"""Entries of each kind drawn for one tree: enough for every relation of three, few enough to be read."""
