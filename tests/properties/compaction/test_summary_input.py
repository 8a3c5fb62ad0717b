"""What a summary is asked about: no media, nothing altered besides, and shorter with every retry."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.compaction.drop_head import MARK, HeadDrop, drop_head
from keel_ref.compaction.excess import excess_of
from keel_ref.compaction.results import find_calls, find_results
from keel_ref.compaction.strip import MARKERS, strip_for_summary
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.messages.rounds import api_rounds
from keel_ref.strategies.conversations import conversations, sound_conversations
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.results import result_sessions
from keel_ref.strategies.text import any_text
from keel_ref.tokens.estimate import estimate_messages

CONSTANTS = pytest.mark.parametrize("constants", [TINY, DEFAULT], ids=["tiny", "default"])
LISTS = conversations() | result_sessions(TINY) | json_rows()


def media_in(blocks: Any) -> list[Any]:
    """Every image and document that a request for a summary could hold."""
    found = []
    for block in blocks if isinstance(blocks, list | tuple) else ():
        if isinstance(block, dict):
            kind = block.get("type")
            found += [block] if isinstance(kind, str) and kind in MARKERS else []
            found += media_in(block.get("content")) if kind == "tool_result" else []
    return found


def contents(row: Any) -> Any:
    """The content of a row, by whichever key."""
    return (row.get("text") if row.get("content") is None else row["content"]) if isinstance(row, dict) else None


@clause("CMP-100", "CMP-101", "CMP-102")
@given(LISTS)
def test_no_media_are_left_and_nothing_else_is_touched(rows: list[Any]) -> None:
    """Each picture and document is one marker and one report; the rest is the same object or equal to it."""
    before = json.dumps(rows)
    held = [media for row in rows if not is_listing(row) for media in media_in(contents(row))]
    stripped = strip_for_summary(rows)
    kept = [row for row in rows if not is_listing(row)]

    assert before == json.dumps(rows)
    assert [] == [media for row in stripped.messages for media in media_in(contents(row))]
    assert len(held) == sum(decision.why == "media-marked" for decision in stripped.decisions)
    assert len(rows) - len(kept) == sum(decision.why == "listing-left-out" for decision in stripped.decisions)
    assert len(kept) == len(stripped.messages)
    for old, new in zip(kept, stripped.messages, strict=True):
        assert old is new or media_in(contents(old))


def is_listing(row: Any) -> bool:
    """Whether the row is left out."""
    if not (isinstance(row, dict) and row.get("role") == "attachment"):
        return False
    return isinstance(row.get("attachment"), str) and row["attachment"] in {"skill_listing", "skill_discovery"}


@clause("CMP-100", "CMP-102")
@given(LISTS)
def test_stripping_twice_is_stripping_once(rows: list[Any]) -> None:
    """There is nothing left to replace."""
    once = strip_for_summary(rows)
    twice = strip_for_summary(list(once.messages))

    assert json.dumps(once.messages) == json.dumps(twice.messages)
    assert () == twice.decisions


def dropped(rows: list[Any], excess: int | None, retries: int, constants: Constants) -> HeadDrop:
    """The list of the next try."""
    return drop_head(rows, excess, retries=retries, constants=constants)


@CONSTANTS
@clause("CMP-103", "CMP-104", "CMP-105", "CMP-107", "CMP-108", "CMP-109")
@given(st.data())
def test_every_retry_is_shorter_until_it_gives_up(constants: Constants, data: st.DataObject) -> None:
    """Fewer rounds each time, a suffix behind one marker, the user in front, no orphans; and an end after few steps."""
    rows = data.draw(conversations() | sound_conversations() | result_sessions(TINY))
    first, tries = deepcopy(rows), 0
    while True:
        excess = data.draw(st.integers(-5, 300) | st.none())
        step = dropped(rows, excess, tries, constants)
        if step.is_given_up:
            assert rows == list(step.messages)
            assert tries == constants.head_cap_retries or count_rounds(rows) <= 1
            break
        tries += 1
        check_retry(rows, step, excess, constants)
        rows = list(step.messages)

    assert tries <= constants.head_cap_retries
    assert tries or first == rows


def count_rounds(rows: list[Any]) -> int:
    """Rounds, without the marker."""
    return len(api_rounds(own_rows(rows)))


def own_rows(rows: list[Any]) -> list[Any]:
    """The rows without a marker in front."""
    is_marked = bool(rows) and isinstance(rows[0], dict) and rows[0].get(MARK) is True
    return rows[1:] if is_marked else rows


def check_retry(rows: list[Any], step: HeadDrop, excess: int | None, constants: Constants) -> None:
    """What holds for one retry."""
    own, rest = own_rows(rows), own_rows(list(step.messages))
    rounds = api_rounds(own)
    start = rounds[step.dropped_rounds][0]
    calls = {name: row for row, name, _ in reversed(list(find_calls(rest)))}

    assert step.dropped_rounds + step.kept_rounds == len(rounds)
    assert 1 <= step.dropped_rounds
    assert 1 <= step.kept_rounds
    assert is_suffix_but_for_orphans(own[start:], rest)
    assert "user" == step.messages[0]["role"]
    assert all(calls.get(result.id or "", len(rest)) < result.row for result in find_results(rest))
    if excess is not None and excess > 0:
        reached = estimate_messages(own[:start], method="documented", constants=constants).tokens
        before = rounds[step.dropped_rounds - 1][0]
        less = estimate_messages(own[:before], method="documented", constants=constants).tokens
        assert reached == step.dropped_tokens
        assert reached >= excess or step.kept_rounds == 1
        assert less < excess
    else:
        share = len(rounds) * constants.head_share_percent // 100
        assert min(len(rounds) - 1, max(1, share)) == step.dropped_rounds


def is_suffix_but_for_orphans(tail: list[Any], rest: list[Any]) -> bool:
    """Whether the rest is the tail, apart from results."""

    def without_results(rows: list[Any]) -> list[str]:
        kept = []
        for row in rows:
            held = contents(row)
            if isinstance(held, list) and row.get("role") == "user":
                blocks = [
                    block for block in held if not (isinstance(block, dict) and block.get("type") == "tool_result")
                ]
                kept += [json.dumps({**row, "content": blocks}, default=str)] if blocks else []
            else:
                kept.append(json.dumps(row, default=str))
        return kept

    return without_results(tail) == without_results(rest)


@clause("CMP-106")
@given(
    any_text(max_code_points=40), st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1), any_text(max_code_points=40)
)
def test_the_excess_is_found_in_any_sentence(before: str, sent: int, limit: int, after: str) -> None:
    """Whatever stands around it, as long as it is no part of a number and no other excess."""
    error = f"{before} is {sent:,} tokens > {limit} at most{after}"
    expected = sent - limit if sent > limit else None

    assert expected == excess_of(error)


@clause("CMP-106")
@given(st.text("0123456789 ,.>tokens&gt;", max_size=60))
def test_no_other_number_is_an_excess(error: str) -> None:
    """Without the word between two numbers nothing is found; what is found is above 0."""
    found = excess_of(error)

    assert found is None or (found > 0 and "token" in error)
