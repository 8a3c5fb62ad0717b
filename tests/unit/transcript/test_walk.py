"""The walk on graphs that somebody made to hinder it: it ends soon, and says what it did."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest

from keel_ref.constants import DEFAULT
from keel_ref.transcript.log import Reason, SessionLog
from keel_ref.transcript.reader import read_log

MANY = 4_000
"""Rows of a hostile file. Steps that grow with its square take minutes, and the time of a test is bounded."""
Row = Mapping[str, Any]


def user(uuid: str, parent: str | None, **more: Any) -> Row:
    """A row of a person."""
    return {"type": "user", "uuid": uuid, "parentUuid": parent, **more}


def result(uuid: str, parent: str | None, call: str = "t") -> Row:
    """A row with the result of a call."""
    return user(uuid, parent, message={"content": [{"type": "tool_result", "tool_use_id": call, "content": ""}]})


def answer(uuid: str, parent: str | None, call: str = "t", response: str | None = None) -> Row:
    """A row with a call."""
    block = {"type": "tool_use", "id": call, "name": "Bash", "input": {}}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": {"id": response, "content": [block]}}


def boundary(uuid: str, parent: str, head: str, tail: str) -> Row:
    """A boundary that kept something."""
    kept = {"preservedSegment": {"headUuid": head, "tailUuid": tail}}
    kind = {"type": "system", "subtype": "compact_boundary"}
    return {**kind, "uuid": uuid, "logicalParentUuid": parent, "compactMetadata": kept}


def zigzag() -> Iterator[Row]:
    """Each row hangs on one at the other end of the file, over many boundaries."""
    for n in range(MANY):
        yield user(f"u{n}", f"u{MANY - 1 - n if n % 2 else n + 1}")
        yield boundary(f"b{n}", f"u{n}", "u0", f"u{n}")


def keep_everything() -> Iterator[Row]:
    """Every boundary keeps all that stands above it."""
    for n in range(MANY):
        yield user(f"u{n}", f"u{n - 1}" if n else None)
        yield boundary(f"b{n}", f"u{n}", "u0", f"u{n}")


def ghosts() -> Iterator[Row]:
    """No row hangs on another."""
    return (user(f"u{n}", f"ghost{n}") for n in range(MANY))


def circles() -> Iterator[Row]:
    """Every row hangs on itself, or on the last one."""
    return (user(f"u{n}", f"u{MANY - 1 if n % 2 else n}") for n in range(MANY))


def one_call_name() -> Iterator[Row]:
    """All calls have one id, and all results hang on nothing."""
    for n in range(MANY):
        yield answer(f"a{n}", f"a{n - 1}" if n else None)
        yield result(f"r{n}", None)


def results_below_bookkeeping() -> Iterator[Row]:
    """All results hang at the end of a long stretch that says nothing."""
    yield answer("a", None)
    for n in range(MANY):
        yield {"type": "progress", "uuid": f"p{n}", "parentUuid": f"p{n - 1}" if n else "a"}
    for n in range(MANY):
        yield result(f"r{n}", f"p{MANY - 1}")


def one_response() -> Iterator[Row]:
    """All rows are one response, each with a call and a result of its own."""
    for n in range(MANY):
        yield answer(f"a{n}", f"a{n - 1}" if n else None, f"t{n}", "m")
        yield result(f"r{n}", f"a{n}", f"t{n}")


def leaves_on_leaves() -> Iterator[Row]:
    """Bookkeeping on bookkeeping, backwards through the file."""
    yield user("u", None)
    for n in range(MANY):
        yield {"type": "progress", "uuid": f"p{n}", "parentUuid": f"p{n + 1}" if n < MANY - 1 else "u"}


HOSTILE = (
    zigzag,
    keep_everything,
    ghosts,
    circles,
    one_call_name,
    results_below_bookkeeping,
    one_response,
    leaves_on_leaves,
)


def log_of(rows: Iterator[Row]) -> SessionLog:
    """The log of a file of these rows."""
    return read_log(orjson.dumps(row) + b"\n" for row in rows)


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_it_ends_and_names_every_row(make: Any) -> None:
    """Each row once in the conversation, or in a branch that is told. Spec: TRN-001, TRN-010, TRN-014, TRN-016."""
    log = log_of(make())
    told = sum(
        int(one.detail.split()[0])
        for one in log.problems
        if one.reason in {Reason.ABANDONED_BRANCH, Reason.UNREACHABLE}
    )

    assert len(log.conversation) == len(set(log.conversation))
    assert len(log.rows) == len(log.conversation) + told
    assert set(log.conversation) >= set(log.view)


def test_what_was_kept_again_is_followed_so_far_and_no_further() -> None:
    """Over a hundred boundaries it is, over one more it is not. Spec: TRN-015, TRN-022."""

    def rows(count: int) -> Iterator[Row]:
        yield user("u0", None)
        for n in range(1, count + 1):
            yield boundary(f"b{n}", f"u{n - 1}", "u0", f"u{n - 1}")
            yield user(f"u{n}", f"b{n}")

    cap = DEFAULT.kept_cap_boundaries

    assert {"u0"} <= kept(log_of(rows(cap)))
    assert set() == kept(log_of(rows(cap + 2)))


def kept(log: SessionLog) -> set[str | None]:
    """Names of the rows that the last boundary kept."""
    return {log.rows[place].uuid for place in log.kept}


def test_a_parent_that_is_missing_and_a_logical_one() -> None:
    """Both are told, and the row above is taken. Spec: TRN-012, TRN-013."""
    lost = {**boundary("b", "ghost", "x", "y"), "parentUuid": None}
    log = log_of(iter([user("a", None), user("c", "nobody"), lost, user("d", "b")]))

    assert (0, 1, 2, 3) == log.conversation
    assert [(2, Reason.MISSING_PARENT), (3, Reason.MISSING_PARENT)] == [(one.line, one.reason) for one in log.problems]


def test_results_and_calls_that_do_not_match_are_told() -> None:
    """A result of no call, and a call that was passed over. Spec: TRN-011, TRN-023."""
    log = log_of(iter([result("r", None, "x"), answer("a", "r"), user("b", "a")]))

    assert [Reason.ORPHAN_RESULT, Reason.MISSING_RESULT] == [one.reason for one in log.problems]
