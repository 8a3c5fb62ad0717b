"""A mended copy of a session file. The file itself is never written to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import IO, Final

from attrs import frozen

from keel_ref.adapters.new_file import NewFileError, check_new_file, write_new_file
from keel_ref.adapters.session_stream import documented_cost, session_lines
from keel_ref.session.mend_graph import Edit, actions_of, apply_edit, plan_edits
from keel_ref.session.mend_lines import Action, LineMender
from keel_ref.transcript.log import SessionLog
from keel_ref.transcript.reader import LogReader

MOST_ROUNDS: Final = 4
"""What is mended may show more that is wrong; so often it is looked at again."""


@frozen(kw_only=True)
class Repaired:
    """What a repair did, and what the copy says."""

    actions: tuple[Action, ...]
    """By line of the file."""
    log: SessionLog
    """What the copy says; its complaints are what could not be mended."""


def repair_session(
    path: str, out: str, *, replaces: bool, on_bytes: Callable[[int], None] = lambda _: None
) -> Repaired:
    """Write a mended copy of `path` as `out`. Raises `SessionFileError` and `NewFileError`."""
    check_new_file(out, path, what="the session", replaces=replaces)
    folder = os.path.dirname(os.path.abspath(out))
    mender = LineMender()
    with ExitStack() as stack:

        def draft() -> IO[bytes]:
            return stack.enter_context(tempfile.TemporaryFile(dir=folder))

        try:
            with session_lines(path, on_bytes=on_bytes) as lines:
                file, log, origins = _write(draft(), _mended(lines, mender))
            actions = list(mender.actions)
            for _ in range(MOST_ROUNDS):
                edits = plan_edits(log)
                if not edits:
                    break
                actions += [Action(line=origins[one.line - 1], reason=one.reason) for one in actions_of(edits)]
                file.seek(0)
                file, log, origins = _write(draft(), _edited(file, log, edits, origins))
            file.seek(0)
            write_new_file(out, file, replaces=replaces)
        except OSError as error:
            raise NewFileError(out, f"cannot be written ({error.strerror or error})") from error
    ordered = sorted(actions, key=lambda one: (one.line, one.reason))
    return Repaired(actions=tuple(ordered), log=log)


def _mended(lines: Iterable[bytes | None], mender: LineMender) -> Iterator[tuple[int, bytes]]:
    for line in lines:
        for one in mender.mend(line):
            yield mender.lines, one


def _edited(
    file: Iterable[bytes], log: SessionLog, edits: Mapping[int, Edit], origins: list[int]
) -> Iterator[tuple[int, bytes]]:
    rows = {row.line: row for row in log.rows if row.line in edits}
    for number, line in enumerate(file, 1):
        edit = edits.get(number)
        for one in (line,) if edit is None else apply_edit(line, rows[number], edit):
            yield origins[number - 1], one


def _write(file: IO[bytes], lines: Iterable[tuple[int, bytes]]) -> tuple[IO[bytes], SessionLog, list[int]]:
    """Write the lines, read them on the way, and remember the line of the file that each comes from."""
    reader = LogReader(documented_cost)
    origins: list[int] = []
    for origin, line in lines:
        file.write(line)
        reader.add(line)
        origins.append(origin)
    return file, reader.result(), origins
