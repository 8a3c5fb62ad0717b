"""`keel-ref session --doctor` and `--repair`, for a person and for a program."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from keel_ref.cli.options import put
from keel_ref.cli.session_json import as_line
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.exits import ExitCode
from keel_ref.session.doctor import KNOWN, Diagnosis, Level, diagnose
from keel_ref.session.mend_lines import Action
from keel_ref.transcript.log import SessionLog

MOST_LINES: Final = 500
"""So many are told; `--json` has all."""


def doctor(log: SessionLog, path: str, *, is_json: bool) -> ExitCode:
    """Tell what is wrong; 1 where something is that is no mere note."""
    found = diagnose(log)
    if is_json:
        report = {
            "schema": "keel-session-doctor/1",
            "file": path,
            "lines": log.lines,
            "rows": len(log.rows),
            "is_sound": not log.complaints,
            "findings": [one.as_object() for one in found],
        }
        put(as_line(report), sys.stdout)
    else:
        put("".join(f"{line}\n" for line in _doctor_lines(log, path, found)), sys.stdout)
    return ExitCode.NOT_CONFORMANT if log.complaints else ExitCode.CONFORMANT


def repair(path: str, out: str, *, replaces: bool, is_json: bool) -> ExitCode:
    """Write a mended copy, and tell what was done; 1 where something is left. Raises `KeelError`."""
    from keel_ref.adapters.session_repair import repair_session
    from keel_ref.cli.progress import watch_bytes

    file = Path(path)
    with watch_bytes(file.stat().st_size if file.is_file() else 0) as progress:
        done = repair_session(path, out, replaces=replaces, on_bytes=progress)
    left = [one for one in diagnose(done.log) if one.level is not Level.NOTE]
    if is_json:
        report = {
            "schema": "keel-session-repair/1",
            "file": path,
            "out": out,
            "is_sound": not left,
            "done": [
                {"line": one.line, "reason": str(one.reason), "remedy": KNOWN[one.reason][2]} for one in done.actions
            ],
            "left": [one.as_object() for one in left],
        }
        put(as_line(report), sys.stdout)
    else:
        put("".join(f"{line}\n" for line in _repair_lines(out, done.actions, left)), sys.stdout)
    return ExitCode.NOT_CONFORMANT if left else ExitCode.CONFORMANT


def _doctor_lines(log: SessionLog, path: str, found: Sequence[Diagnosis]) -> Iterator[str]:
    counts = Counter(one.level for one in found)
    told = ", ".join(
        f"{counts[level]:,} {level}{'' if counts[level] == 1 else 's'}" for level in Level if counts[level]
    )
    yield f"{visible(clipped(path))}: {log.lines:,} lines, {len(log.rows):,} rows; {told or 'nothing is wrong'}"
    for one in found[:MOST_LINES]:
        yield f"  line {one.line:>7,}  {one.level:<7}  {one.reason:<17}  {visible(clipped(one.text))}"
    if len(found) > MOST_LINES:
        yield f"  and {len(found) - MOST_LINES:,} more; --json has all of them"
    if log.complaints:
        yield "  --repair OUT writes a copy without these; the file itself is never changed"


def _repair_lines(out: str, actions: Sequence[Action], left: Sequence[Diagnosis]) -> Iterator[str]:
    sound = "nothing is wrong with it" if not left else f"{len(left):,} things are left that cannot be mended"
    yield f"{visible(clipped(out))}: {len(actions):,} things mended; {sound}"
    for action in actions[:MOST_LINES]:
        yield f"  line {action.line:>7,}  {action.reason:<17}  {KNOWN[action.reason][2]}"
    if len(actions) > MOST_LINES:
        yield f"  and {len(actions) - MOST_LINES:,} more; --json has all of them"
    for one in left[:MOST_LINES]:
        yield f"  left: line {one.line:,} of the copy {visible(clipped(one.text))}"
