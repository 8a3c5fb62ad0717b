"""Instruction memory of a folder on this disk: the public entry point. Spec: MEM-001."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from keel_ref.adapters.disk import DiskTree
from keel_ref.choices import Choices, Gates
from keel_ref.memory.load import load_memory as load_from_tree
from keel_ref.memory.values import MemoryLoad, MemoryRequest, Source


def load_memory(
    cwd: str | os.PathLike[str],
    *,
    home: str | os.PathLike[str] | None = None,
    managed_dir: str | os.PathLike[str] | None = None,
    config_dir: str | os.PathLike[str] | None = None,
    add_dirs: Iterable[str | os.PathLike[str]] = (),
    sources: Iterable[str] = tuple(Source),
    settings_files: Iterable[str | os.PathLike[str]] = (),
    approve_external: bool = False,
    bare: bool = False,
    env: Mapping[str, str] | None = None,
    choices: Mapping[str, str] | Choices | None = None,
    gates: Gates | None = None,
) -> MemoryLoad:
    """Which instruction files a session started in `cwd` loads, in order, and why every other candidate does not.

    Reads the disk and nothing else: no variable of the process, no home folder by itself. `home` None means that it is
    not known, `managed_dir` None that there is none, `env` holds the variables that count. `choices` takes wire names,
    as in `{"memory.root": "read"}`. Raises `NotAFolderError` for a `cwd` that is no folder, `InvalidArgumentError` for
    an unknown source, `UnknownChoiceError` for an unknown choice; whatever the tree holds ends in a row of `skipped`.
    Spec: MEM-001, MEM-023.
    """
    request = MemoryRequest(
        cwd=os.path.abspath(cwd),
        home=os.path.abspath(home) if home else "",
        managed_dir=_whole(managed_dir),
        config_dir=_whole(config_dir),
        add_dirs=tuple(os.path.abspath(folder) for folder in add_dirs),
        sources=Source.parse(sources),
        settings_files=tuple(os.path.abspath(path) for path in settings_files),
        approve_external=approve_external,
        bare=bare,
        env=env or {},
    )
    chosen = choices if isinstance(choices, Choices) else Choices.of(choices or {})
    return load_from_tree(DiskTree(), request, choices=chosen, gates=gates)


def _whole(path: str | os.PathLike[str] | None) -> str | None:
    return os.path.abspath(path) if path else None
