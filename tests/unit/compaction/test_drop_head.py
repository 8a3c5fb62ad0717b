"""The retry without the oldest rounds, under arguments that the wire cannot say."""

from copy import deepcopy
from typing import Any

import pytest

from keel_ref.compaction.drop_head import MARK, drop_head
from keel_ref.compaction.excess import excess_of
from keel_ref.compaction.strip import strip_for_summary
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.prepare import prepare_messages


def answers(count: int) -> list[dict[str, Any]]:
    """So many rounds of one answer each."""
    return [{"role": "assistant", "id": f"m{n}", "text": "x" * 40} for n in range(count)]


@clause("CMP-106")
@pytest.mark.parametrize("excess", [True, 1.0, "1", [1]])
def test_an_excess_is_a_whole_number(excess: Any) -> None:
    """Or nobody knows it."""
    with pytest.raises(InvalidArgumentError, match="excess"):
        drop_head(answers(2), excess)


@clause("CMP-108")
@pytest.mark.parametrize("retries", [True, 1.0, -1, None])
def test_a_number_of_retries_is_whole(retries: Any) -> None:
    """And at least 0."""
    with pytest.raises(InvalidArgumentError, match="retries"):
        drop_head(answers(2), 1, retries=retries)


@clause("CMP-106")
def test_a_long_error_is_read_in_no_time() -> None:
    """Whatever it repeats."""

    assert excess_of("1" * 200_000 + " tokens " * 20_000) is None
    assert 1 == excess_of("9 " * 100_000 + "3 tokens > 2")


@clause("CMP-103", "CMP-109", "CMP-107")
def test_three_retries_of_forty_long_messages() -> None:
    """Each is a fifth shorter, begins with one marker, and the list that was given is as it was."""
    rows: list[Any] = answers(40)
    before = deepcopy(rows)
    kept, sent = [], rows
    for retries in range(3):
        step = drop_head(sent, None, retries=retries)
        sent = list(step.messages)
        kept.append(step.kept_rounds)

        assert [True] == [row[MARK] for row in sent if MARK in row]
        assert rows[-step.kept_rounds :] == sent[1:]

    assert [32, 26, 21] == kept
    assert drop_head(sent, None, retries=3).is_given_up
    assert before == rows


@clause("CMP-107")
def test_the_marker_is_a_row_of_the_user() -> None:
    """It is prepared like any other, and its key is not sent."""
    sent = prepare_messages(drop_head(answers(2), 1).messages).messages

    assert ["user", "assistant"] == [message["role"] for message in sent]
    assert {"role", "content"} == set(sent[0])


@clause("CMP-100", "CMP-102")
def test_stripping_shares_what_it_does_not_change() -> None:
    """A row without media is the same object, and so is a block beside one."""
    thinking = {"type": "thinking", "thinking": "t", "signature": "s"}
    rows: list[Any] = [
        {"role": "user", "text": "x"},
        {"role": "assistant", "id": "m", "content": [thinking, {"type": "image"}]},
    ]
    stripped = strip_for_summary(rows).messages

    assert rows[0] is stripped[0]
    assert thinking is stripped[1]["content"][0]
    assert {"type": "image"} == rows[1]["content"][1]
