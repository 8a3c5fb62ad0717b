"""Whatever befalls a session file: it is told, and a copy is sound or says what is left."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.adapters.session_repair import Repaired, repair_session
from keel_ref.session.doctor import diagnose
from keel_ref.session.report import examine, report_object
from keel_ref.transcript.reader import read_log
from tests.unit.session.sessions import Writer, as_line

NAMES = [*(f"row-{number}" for number in range(14)), "nowhere", ""]


def sound() -> list[dict[str, Any]]:
    """Three turns with calls, and a compaction between."""
    writer = Writer()
    for turn in range(3):
        writer.say(f"turn {turn}")
        writer.answer(1_000 + turn, call="Read")
        writer.result(f"text {turn}")
        if turn == 1:
            writer.compact(1_100)
        writer.answer(1_500 + turn)
    return writer.rows


def rows_of_files() -> st.SearchStrategy[list[Any]]:
    """Rows that were taken away, moved, written again, renamed, hung elsewhere, or lost a field."""
    place = st.integers(min_value=0, max_value=13)
    change = st.one_of(
        st.tuples(st.just("parent"), place, st.sampled_from(NAMES)),
        st.tuples(st.just("uuid"), place, st.sampled_from(NAMES)),
        st.tuples(st.just("lose"), place, st.sampled_from(["type", "uuid", "parentUuid", "message", "timestamp"])),
        st.tuples(st.just("gone"), place, st.just("")),
        st.tuples(st.just("again"), place, st.just("")),
        st.tuples(st.just("move"), place, st.just("")),
        st.tuples(st.just("aside"), place, st.just("")),
    )
    return st.lists(change, max_size=5).map(_changed)


def _changed(changes: list[tuple[str, int, str]]) -> list[Any]:
    rows: list[Any] = json.loads(json.dumps(sound()))
    for what, at, value in changes:
        place = at % len(rows)
        match what:
            case "parent":
                rows[place]["parentUuid"] = value or None
            case "uuid":
                rows[place]["uuid"] = value
            case "lose":
                rows[place].pop(value, None)
            case "gone" if len(rows) > 1:
                rows.pop(place)
            case "again":
                rows.append(rows[place])
            case "move":
                rows.insert(0, rows.pop(place))
            case "aside":
                rows[place]["isSidechain"] = True
            case _:
                pass
        rows = json.loads(json.dumps(rows))
    return rows


def mend(lines: list[bytes]) -> tuple[bytes, Repaired]:
    """The copy, and what was done."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "s.jsonl", Path(folder) / "out.jsonl"
        path.write_bytes(b"".join(lines))
        done = repair_session(str(path), str(out), replaces=False)
        return out.read_bytes(), done


@given(rows_of_files())
def test_a_copy_is_sound_or_says_what_is_left(rows: list[Any]) -> None:
    """What is left is told by the reader of the copy; a copy that is sound is mended into itself."""
    copy, done = mend([as_line(row) for row in rows])
    again, _ = mend(copy.splitlines(keepends=True))

    assert done.log.complaints == read_log(copy.splitlines(keepends=True)).complaints
    assert {"unreachable"} >= {one.reason for one in done.log.complaints}
    assert done.log.complaints or copy == again


@given(rows_of_files())
def test_no_prompt_is_lost(rows: list[Any]) -> None:
    """Unless the file had it under a name that was taken, or not as a row."""
    before = {block.head for row in read_log([as_line(row) for row in rows]).rows for block in row.blocks}
    copy, _ = mend([as_line(row) for row in rows])
    after = copy.decode()

    assert [] == [head for head in before if head.startswith("turn") and head not in after]


@given(st.lists(st.one_of(st.binary(max_size=80), rows_of_files().map(lambda rows: as_line(rows[0])))))
def test_any_bytes_have_a_report(lines: list[bytes]) -> None:
    """A timeline and a diagnosis, whatever they say."""
    log = read_log(line + b"\n" for line in lines)
    report = report_object(examine(log), "x")

    assert len(log.problems) == len(diagnose(log))
    assert len(report["responses"]) == report["totals"]["in_conversation"]


@given(rows_of_files())
def test_what_entered_adds_up(rows: list[Any]) -> None:
    """From response to response to the growth, and at a start to the whole context."""
    report = report_object(examine(read_log([as_line(row) for row in rows])), "x")
    starts = {1, *((one["after_response"] or 0) + 1 for one in report["compactions"])}
    base = 0
    for one in report["responses"]:
        base = 0 if one["n"] in starts else base
        kinds = one["entered"].values()

        assert one["context"] - base == sum(sum(kind.values()) if isinstance(kind, dict) else kind for kind in kinds)
        base = one["context"]


@given(st.lists(st.sampled_from(sound()), max_size=3))
def test_rows_that_are_written_again_change_no_figure(again: list[Any]) -> None:
    """But for the sum over rows, which is why it is wrong."""
    log = read_log([as_line(row) for row in sound()])
    other = read_log([as_line(row) for row in (*sound(), *again)])

    assert log.totals == other.totals
    assert report_object(examine(log), "x")["responses"] == report_object(examine(other), "x")["responses"]
