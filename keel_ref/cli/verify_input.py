"""What `keel-ref verify` reads: the session, the truth, the gates and the instruction files of now."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs

from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.session_file import SessionFileError, read_whole
from keel_ref.choices import Gates
from keel_ref.cli.options import parse_pairs
from keel_ref.conformance.exits import UsageError
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import MemoryFile, MemoryRequest
from keel_ref.recording.memory_files import MemoryNow
from keel_ref.recording.reads import touched_paths
from keel_ref.recording.record import Record, read_record
from keel_ref.recording.truth import Truth, read_truth
from keel_ref.recording.verify import Conditions


def open_record(path: str) -> Record:
    """The session file as a record. Raises `SessionFileError`."""
    record = read_record(read_whole(path).split(b"\n"))
    if not record.session.rows:
        raise SessionFileError(path, "holds no row of a session; name a .jsonl file that such a session wrote")
    return record


def open_truth(path: str) -> Truth:
    """The truth file. Raises `SessionFileError` or `InvalidArgumentError`."""
    try:
        return read_truth(json.loads(read_whole(path).decode("utf-8-sig")))
    except (ValueError, RecursionError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise SessionFileError(path, f"is no JSON ({problem}); see spec/guides/recordings.md for its form") from error


def parse_gates(words: Sequence[str]) -> Gates:
    """The gates of the released client, and what the words change. Raises `UsageError`."""
    names = [one.name for one in attrs.fields(Gates)]
    gates = Gates.released()
    for name, value in parse_pairs("--gate", words).items():
        if name not in names:
            raise UsageError(f"--gate {name}: there is none of that name; there are {', '.join(names)}")
        if value not in {"true", "false"}:
            raise UsageError(f"--gate {name}={value}: write true or false")
        gates = attrs.evolve(gates, **{name: value == "true"})
    return gates


def memory_now(record: Record, cwd: str, home: str | None, about: Conditions) -> tuple[MemoryNow, ...]:
    """The instruction files that a session there loads now, and those that its tools would bring in.

    Raises `NotAFolderError`.
    """
    from keel_ref.cli.memory import MANAGED_FOLDERS

    managed = MANAGED_FOLDERS.get(sys.platform)
    request = MemoryRequest(
        cwd=str(Path(cwd).absolute()),
        home=str(Path(home).absolute()) if home else "",
        managed_dir=managed,
        env=about.env,
    )
    session = MemorySession(DiskTree(), request, choices=about.choices, gates=about.gates)
    nested: dict[str, MemoryFile] = {}
    for path in dict.fromkeys(touched_paths(record.session.rows)):
        for file in session.touch(path).load.files:
            nested.setdefault(file.path, file)
    start = tuple(MemoryNow(path=file.path, layer=str(file.layer), text=file.text) for file in session.start.files)
    later = [MemoryNow(path=one.path, layer=str(one.layer), text=one.text, is_nested=True) for one in nested.values()]
    return (*start, *later)
