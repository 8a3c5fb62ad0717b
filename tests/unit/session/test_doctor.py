"""Each defect of a file is told by its line, and mended in a copy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keel_ref.adapters.new_file import NewFileError
from keel_ref.adapters.session_file import SessionFileError
from keel_ref.adapters.session_repair import repair_session
from keel_ref.adapters.session_stream import read_session_log
from keel_ref.session.doctor import KNOWN, Level, diagnose
from keel_ref.transcript.log import Reason
from keel_ref.transcript.reader import read_log
from tests.unit.session.sessions import Writer, as_line

FOLDER = Path(__file__).parents[2] / "fixtures" / "sessions"


def sound() -> list[dict[str, Any]]:
    """Two turns with a call each: lines 1 to 8."""
    writer = Writer()
    for turn in range(2):
        writer.say(f"turn {turn}")
        writer.answer(1_000 + turn, call="Read")
        writer.result(f"text {turn}")
        writer.answer(1_500 + turn)
    return writer.rows


def _parent(rows: list[dict[str, Any]], place: int, parent: str | None) -> None:
    rows[place]["parentUuid"] = parent


def _second_root(rows: list[dict[str, Any]]) -> None:
    stray = {**rows[3], "uuid": "stray", "parentUuid": "nowhere", "requestId": "req-s"}
    rows.insert(4, {**stray, "message": {**stray["message"], "id": "msg-s"}})


def _changed_copy(rows: list[dict[str, Any]]) -> None:
    rows.append({**rows[0], "message": {"role": "user", "content": "other words"}})


def _broken(lines: list[bytes]) -> None:
    lines.insert(4, b'{"type": "user", "uu\n')


GRAPH: dict[Reason, tuple[Callable[[list[dict[str, Any]]], None], int]] = {
    Reason.NO_KIND: (lambda rows: rows.insert(4, {"uuid": "x"}), 5),
    Reason.NO_UUID: (lambda rows: rows[4].pop("uuid"), 5),
    Reason.DUPLICATE_UUID: (lambda rows: rows.append(rows[1]), 9),
    Reason.CHANGED_DUPLICATE: (_changed_copy, 9),
    Reason.MISSING_PARENT: (lambda rows: _parent(rows, 4, "nowhere"), 5),
    Reason.PARENT_CYCLE: (lambda rows: _parent(rows, 0, "row-7"), 1),
    Reason.UNREACHABLE: (_second_root, 5),
    Reason.ORPHAN_RESULT: (lambda rows: rows[6]["message"]["content"][0].update(tool_use_id="gone"), 7),
    Reason.MISSING_RESULT: (lambda rows: rows[2]["message"].update(content="never mind"), 2),
    Reason.BAD_USAGE: (lambda rows: rows[3]["message"]["usage"].update(output_tokens=-1), 4),
}
"""How a defect is planted among the rows, and on which line it is told."""

TEXT: dict[Reason, tuple[Callable[[list[bytes]], None], int]] = {
    Reason.BROKEN_LINE: (_broken, 5),
    Reason.JOINED_LINES: (lambda lines: lines.__setitem__(slice(3, 5), [lines[3].strip() + lines[4]]), 4),
    Reason.NOT_AN_OBJECT: (lambda lines: lines.insert(4, b"[1, 2]\n"), 5),
    Reason.DEEP_LINE: (lambda lines: lines.insert(4, b'{"a":' * 300 + b"1" + b"}" * 300 + b"\n"), 5),
    Reason.INCOMPLETE_LINE: (lambda lines: lines.append(b'{"type": "user"'), 9),
}
"""The same among the lines."""


def plant(reason: Reason) -> tuple[list[bytes], int]:
    """The lines of a file with that defect, and its line."""
    rows = json.loads(json.dumps(sound()))
    if reason in GRAPH:
        do, line = GRAPH[reason]
        do(rows)
        return [as_line(row) for row in rows], line
    change, line = TEXT[reason]
    lines = [as_line(row) for row in rows]
    change(lines)
    return lines, line


PLANTED = sorted({*GRAPH, *TEXT})


def mend(lines: list[bytes], folder: Path) -> tuple[Path, list[tuple[int, Reason]], bool]:
    """The copy, what was done, and whether nothing is left to complain of."""
    path, out = folder / "s.jsonl", folder / "mended.jsonl"
    path.write_bytes(b"".join(lines))
    done = repair_session(str(path), str(out), replaces=False)

    assert path.read_bytes() == b"".join(lines)
    return out, [(one.line, one.reason) for one in done.actions], not done.log.complaints


def test_a_sound_file_has_nothing() -> None:
    """No report, so no diagnosis."""

    assert () == diagnose(read_log([as_line(row) for row in sound()]))


@pytest.mark.parametrize("reason", PLANTED)
def test_each_defect_is_told_by_its_line(reason: Reason) -> None:
    """With its level and what it means."""
    lines, line = plant(reason)
    found = {(one.line, one.reason): one for one in diagnose(read_log(lines))}

    assert (line, reason) in found
    assert KNOWN[reason][0] is found[line, reason].level
    assert found[line, reason].text


@pytest.mark.parametrize("reason", PLANTED)
def test_each_defect_is_mended(reason: Reason, tmp_path: Path) -> None:
    """The copy has nothing to complain of, is read the same again, and the action names the line of the file."""
    lines, line = plant(reason)
    out, actions, is_sound = mend(lines, tmp_path)

    done = Reason.DUPLICATE_UUID if reason is Reason.CHANGED_DUPLICATE else reason

    assert is_sound
    assert (line, done) in actions
    assert () == read_session_log(str(out)).complaints


@pytest.mark.parametrize("reason", PLANTED)
def test_no_word_is_lost(reason: Reason, tmp_path: Path) -> None:
    """Every prompt and every answer of the file that could be read stands in the copy."""
    lines, _ = plant(reason)
    out, _, _ = mend(lines, tmp_path)
    text = out.read_text(encoding="utf-8")

    assert [] == [word for word in ("turn 0", "turn 1", "text 1") if word in str(lines) and word not in text]


def test_every_reason_is_known() -> None:
    """What the reader can report has a level, words and a remedy; the notes are those of the reader."""

    assert set(Reason) == set(KNOWN)
    assert {Reason.DUPLICATE_UUID, Reason.ABANDONED_BRANCH} == {
        reason for reason, (level, _, _) in KNOWN.items() if level is Level.NOTE
    }
    assert {Reason.LONG_LINE, Reason.ABANDONED_BRANCH} == set(Reason) - set(PLANTED)


def test_joined_rows_are_both_read(tmp_path: Path) -> None:
    """Two rows on one line become two lines, and the conversation is whole again."""
    lines, _ = plant(Reason.JOINED_LINES)
    out, _, _ = mend(lines, tmp_path)

    assert b"".join(as_line(row) for row in sound()) == out.read_bytes()


def test_a_circle_is_opened(tmp_path: Path) -> None:
    """Rows that follow one another hang on the row above again, and the conversation is whole."""
    rows = sound()
    _parent(rows, 1, "row-7")
    out, actions, is_sound = mend([as_line(row) for row in rows], tmp_path)

    assert is_sound
    assert [(2, Reason.UNREACHABLE)] == actions
    assert tuple(range(8)) == read_session_log(str(out)).conversation


def test_a_sound_file_is_copied_byte_by_byte(tmp_path: Path) -> None:
    """Bookkeeping rows and unknown kinds too."""
    lines = [b'{"type":"mode","x" : 1}\n', *[as_line(row) for row in sound()], b'{"type":"new-thing"}\n']
    out, actions, _ = mend(lines, tmp_path)

    assert ([], b"".join(lines)) == (actions, out.read_bytes())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_recorded_sessions_keep_their_figures(path: Path, tmp_path: Path) -> None:
    """Only rows that were written twice go; conversation and totals stay."""
    out = tmp_path / "mended.jsonl"
    before, after = read_session_log(str(path)), repair_session(str(path), str(out), replaces=False).log

    assert {Reason.DUPLICATE_UUID} >= {one.reason for one in before.problems}
    assert (before.totals, len(before.conversation), ()) == (after.totals, len(after.conversation), after.problems)


def test_nothing_that_is_there_is_touched(tmp_path: Path) -> None:
    """Neither the session itself, by whatever name, nor another file; with force another file is."""
    path, other, link = tmp_path / "s.jsonl", tmp_path / "other", tmp_path / "link"
    path.write_bytes(b"".join(as_line(row) for row in sound()))
    other.write_bytes(b"mine")
    link.hardlink_to(path)

    for out, replaces in ((path, False), (path, True), (link, True), (other, False)):
        with pytest.raises(NewFileError):
            repair_session(str(path), str(out), replaces=replaces)
    assert (path.read_bytes(), b"mine") == (link.read_bytes(), other.read_bytes())
    repair_session(str(path), str(other), replaces=True)
    assert path.read_bytes() == other.read_bytes()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, and a name that is not there; nothing is left behind."""
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(SessionFileError):
            repair_session(str(path), str(tmp_path / "out"), replaces=False)

    assert [] == list(tmp_path.iterdir())


def test_several_defects_at_once(tmp_path: Path) -> None:
    """Joined lines hide rows, without which others have no parent; both are mended."""
    rows = sound()
    lines = [as_line(row) for row in rows]
    lines[2:5] = [lines[2].strip() + lines[3].strip() + lines[4]]
    lines.insert(0, b"nonsense\n")
    lines.append(as_line({**rows[7], "uuid": "last", "parentUuid": "gone", "requestId": "r", "message": {"id": "l"}}))
    out, actions, is_sound = mend(lines, tmp_path)

    assert is_sound
    assert [(1, Reason.BROKEN_LINE), (4, Reason.JOINED_LINES)] == actions[:2]
    assert len(rows) + 1 == len(out.read_bytes().splitlines())
