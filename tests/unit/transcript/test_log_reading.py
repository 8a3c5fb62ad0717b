"""What the reader of session files makes of odd files, one oddity at a time."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.adapters.session_stream import read_session_log
from keel_ref.conformance.marks import clause
from keel_ref.transcript.log import Reason, SessionLog
from keel_ref.transcript.reader import read_log

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sessions"
USED = {"input_tokens": 5, "output_tokens": 1}


def read(*rows: dict[str, Any] | bytes) -> SessionLog:
    """The log of these rows or lines, each on a line of its own."""
    return read_log([row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows])


def user(uuid: str, parent: str | None, content: object = "x", **fields: object) -> dict[str, Any]:
    """What a person or a tool said."""
    return {"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"content": content}, **fields}


def answer(uuid: str, parent: str | None, usage: object = USED, **fields: object) -> dict[str, Any]:
    """A response of its own, in one row."""
    message = {"id": uuid, "model": "m", "content": [{"type": "text", "text": "t"}], "usage": usage}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message, **fields}


def boundary(uuid: str, before: str) -> dict[str, Any]:
    """Where a compaction began anew."""
    row = {"type": "system", "subtype": "compact_boundary", "uuid": uuid, "parentUuid": None}
    return {**row, "logicalParentUuid": before}


def order(log: SessionLog) -> list[str | None]:
    """The conversation by names."""
    return [log.rows[place].uuid for place in log.conversation]


def reasons(log: SessionLog) -> list[tuple[int, str]]:
    """What was found wrong, and on which lines."""
    return [(problem.line, problem.reason.value) for problem in log.problems]


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda path: str(path.stem))
def test_recorded_sessions_have_nothing_wrong(path: Path) -> None:
    """What the client wrote is legal, however often it wrote it."""
    log = read_session_log(str(path))

    assert () == log.complaints
    assert set(range(len(log.rows))) == set(log.conversation)


def test_a_row_of_an_unknown_kind_links_what_hangs_on_it() -> None:
    """Newer kinds are in the chain like progress, also where something was given up above them."""
    link = {"type": "newer", "uuid": "n", "parentUuid": "a"}
    log = read(user("a", None), link, answer("x", "a"), user("y", "x"), answer("b", "n"))

    assert ["a", "n", "b"] == order(log)
    assert [(3, "abandoned-branch")] == reasons(log)


@pytest.mark.parametrize(("levels", "is_read"), [(199, True), (200, True), (201, False), (100_000, False)])
@pytest.mark.parametrize("extra", ["", ',"y":"\\ud800"'], ids=["plain", "lone surrogate"])
def test_two_hundred_levels_are_read(levels: int, is_read: bool, extra: str) -> None:
    """The object itself is level 1."""
    inner = "[" * (levels - 1) + "]" * (levels - 1)
    log = read(f'{{"type":"user","uuid":"a"{extra},"x":{inner}}}\n'.encode())

    assert ([] if is_read else [(1, "deep-line")]) == reasons(log)


@pytest.mark.parametrize("word", ["NaN", "-Infinity"])
def test_words_that_are_no_numbers_break_a_line(word: str) -> None:
    """Python would read them; JSON does not know them."""
    log = read(f'{{"type":"user","uuid":"a","x":{word}}}\n'.encode())

    assert [(1, "broken-line")] == reasons(log)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"input_tokens": 1}, {"input_tokens": True}, [(4, "bad-usage")]),
        ({"input_tokens": True}, {"input_tokens": 1}, [(2, "bad-usage")]),
        ({"input_tokens": 0, "output_tokens": 2}, {"input_tokens": False, "output_tokens": 2}, [(4, "bad-usage")]),
        ({"input_tokens": 1}, {"input_tokens": 1.0}, []),
        ({"input_tokens": -1}, {"input_tokens": -1}, [(2, "bad-usage"), (4, "bad-usage")]),
    ],
)
def test_each_usage_is_judged_by_itself(first: object, second: object, expected: list[tuple[int, str]]) -> None:
    """One that equals the one before is no excuse."""
    log = read(user("a", None), answer("b", "a", first), user("c", "b"), answer("d", "c", second))

    assert expected == reasons(log)


@pytest.mark.parametrize("usage", [{}, {"input_tokens": 0, "output_tokens": 0}, None])
def test_what_used_nothing_is_no_response(usage: object) -> None:
    """No response was ever free."""
    log = read(user("a", None), answer("b", "a", usage))

    assert () == log.responses
    assert ["a", "b"] == order(log)


@pytest.mark.parametrize("said", ["s1", "s2"])
def test_of_two_boundaries_behind_one_row_the_one_that_went_on_counts(said: str) -> None:
    """The other is a branch that was given up."""
    rows = [boundary("B1", "b"), user("s1", "B1", isCompactSummary=True), boundary("B2", "b")]
    rows += [user("s2", "B2", isCompactSummary=True), answer("c", said)]
    log = read(user("a", None), answer("b", "a"), *rows)

    assert ["a", "b", f"B{said[1]}", said, "c"] == order(log)
    assert [(5 if said == "s1" else 3, "abandoned-branch")] == reasons(log)


@clause("TRN-017")
def test_each_side_chain_is_a_conversation_of_its_own() -> None:
    """By its agent, with its own responses; none of it is in the main thread."""
    one: dict[str, Any] = {"isSidechain": True, "agentId": "one"}
    two: dict[str, Any] = {"isSidechain": True, "agentId": "two"}
    log = read(
        user("a", None),
        user("p", "a", **one),
        user("q", None, **two),
        answer("r", "p", **one),
        answer("b", "a"),
        answer("s", "q", **two),
    )

    assert ["a", "b"] == order(log)
    assert [("one", (1, 3)), ("two", (2, 5))] == [(side.agent, side.conversation) for side in log.side_chains]
    assert [[(3,)], [(5,)]] == [[response.rows for response in side.responses] for side in log.side_chains]
    assert [] == reasons(log)


def test_side_chains_without_a_name_part_by_what_hangs_together() -> None:
    """Older files name no agents, and hold several chains. Spec: TRN-017."""
    log = read(
        user("a", None),
        user("p", None, isSidechain=True),
        user("q", None, isSidechain=True),
        answer("r", "p", isSidechain=True),
        answer("s", "q", isSidechain=True),
    )

    assert [("", (1, 3)), ("", (2, 4))] == [(side.agent, side.conversation) for side in log.side_chains]
    assert [] == reasons(log)


def test_a_file_of_a_side_chain_reads_as_one() -> None:
    """It may hang on a row of the main file; a gap further down is a gap."""
    side: dict[str, Any] = {"isSidechain": True, "agentId": "one"}
    log = read(user("a", "elsewhere", **side), answer("b", "a", **side), user("c", "gone", **side))

    assert ((0, 1, 2),) == tuple(one.conversation for one in log.side_chains)
    assert () == log.conversation
    assert [(3, "missing-parent")] == reasons(log)


def test_a_branch_that_a_side_chain_left_is_named() -> None:
    """No row is lost without a word."""
    side: dict[str, Any] = {"isSidechain": True, "agentId": "one"}
    log = read(user("a", None, **side), user("b", "a", **side), user("c", "a", **side))

    assert ((0, 2),) == tuple(one.conversation for one in log.side_chains)
    assert [(2, Reason.ABANDONED_BRANCH.value)] == reasons(log)
