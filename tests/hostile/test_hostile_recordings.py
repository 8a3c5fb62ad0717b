"""Recordings that somebody made to break the audit: it ends, says what it left out, and never fails."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.audit.gather import gather
from keel_ref.audit.report import Audit, audit
from keel_ref.audit.request import message_lines
from keel_ref.cli import main
from keel_ref.strategies.text import any_text
from keel_ref.window.limits import window_limits
from tests.unit.audit.planted import clean
from tests.unit.audit.test_checks import PLANTED

NAMES = (
    "type message content usage id uuid parentUuid tool_use_id input name text attachment compactMetadata preTokens "
    "toolUseResult file numLines totalLines subtype persistedOutputSize stdout"
)
"""What the reader looks for."""
SMALL = [plant for plant, _ in PLANTED[3:]]
"""Those that hold little text, so that each example is cheap."""
WINDOW = window_limits(window=200_000)


def judged(lines: Sequence[bytes]) -> Audit:
    """What the checks say of these lines."""
    return audit(gather(lines, "s.jsonl"), WINDOW, is_window_known=True)


def odd_values() -> st.SearchStrategy[Any]:
    """JSON of any kind, with the names that the reader looks for."""
    names = st.sampled_from(NAMES.split())
    plain = st.none() | st.booleans() | st.integers() | any_text() | st.sampled_from(["user", "assistant", "tool_use"])
    return st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5))


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_any_bytes_are_audited(lines: list[bytes]) -> None:
    """Every line is a row, or said to be none."""
    found = judged(lines)

    assert 0 <= sum(share.per_mille for share in found.at_peak) <= 1_010


ODD = odd_values()


@given(st.sampled_from([*SMALL, clean]), st.integers(0, 40), st.integers(0, 20), ODD)
def test_odd_values_anywhere_are_audited(plant: Callable[[], Any], row: int, key: int, odd: Any) -> None:
    """Whatever stands in the place of a value of a row, or of its message."""
    rows = [json.loads(line) for line in plant().lines()]
    chosen = rows[row % len(rows)]
    places = [(chosen, name) for name in sorted(chosen)]
    places += [(chosen["message"], name) for name in sorted(chosen.get("message", ()))]
    held, name = places[key % len(places)]
    held[name] = odd

    assert judged([json.dumps(row).encode() + b"\n" for row in rows]).findings is not None


@given(st.sampled_from(SMALL), st.data())
def test_a_file_that_breaks_off_is_audited(plant: Callable[[], Any], data: st.DataObject) -> None:
    """At any byte."""
    whole = b"".join(plant().lines())
    cut = whole[: data.draw(st.integers(0, len(whole)))]

    assert judged(cut.splitlines(keepends=True)).findings is not None


def test_names_that_move_the_cursor_are_spelled_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of tools, of files, of the model."""
    session = clean()
    session.call("\x1b[2J\u202e", command="x").result("x" * 50_001, is_error=True)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(session.lines()))
    for form in ([], ["--json"], ["--sarif"]):
        assert 0 == main(["audit", str(path), *form])

    out = capsys.readouterr().out
    assert "A2" in out
    assert not {"\x1b", "\u202e"} & set(out)


def test_a_long_session_takes_its_time_and_no_more() -> None:
    """A thousand calls that fail: one finding, with no more than 20 lines."""
    row = b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"B","input":{}}]}}\n'
    end = b'{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d","is_error":true}]}}\n'
    lines = [line for n in range(1_000) for line in (row % n, end % n)]
    (finding,) = judged(lines).findings

    assert ("A11", 1_000, 20) == (finding.check, finding.evidence["count"], len(finding.evidence["lines"]))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"messages": []}', ()),
        ('\n{"messages":\n[\n{},\n\n{}]}', (4, 6)),
        ('{"messages": [1, "a\\"]"], "messages": [\n2]}', (2,)),
        ('{"a": {"messages": [1]}, "messages": [1]}', (1,)),
        ('{"\\u006dessages": [\n{}]}', (2,)),
    ],
)
def test_messages_stand_where_they_begin(text: str, lines: tuple[int, ...]) -> None:
    """Of lists of one name the last counts, as for whoever reads the JSON."""

    assert lines == message_lines(text)
