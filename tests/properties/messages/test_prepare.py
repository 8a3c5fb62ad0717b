"""Prepared messages can be sent, whatever the list holds, and nothing is lost without a word."""

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.messages.limits import EMPTY_RESULT_TEXT
from keel_ref.messages.pairing import STAND_IN_TEXT
from keel_ref.messages.prepare import PreparedMessages, prepare_messages
from keel_ref.messages.rows import RowReason, as_list, content_of, is_media, role_of
from keel_ref.messages.view import view_start
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.messages import row_lists
from keel_ref.text import is_blank

LISTS = conversations() | row_lists()
ROOMY = evolve(DEFAULT, media_cap_blocks=10**9)
PENDING = st.lists(st.sampled_from(["c0.0.0", "c0.1.0", "c1.0.0", "a", "nobody"]), max_size=3)
Message = Mapping[str, Any]


def blocks_of(messages: tuple[Message, ...], kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each block of a type, with the place of its message."""
    for place, message in enumerate(messages):
        yield from ((place, block) for block in message["content"] if block["type"] == kind)


def media_of(value: Any) -> Iterator[Any]:
    """Media of a block, in order, those in results too; each has a mark of its own under `n`."""
    if is_media(value):
        yield value
    elif isinstance(value, Mapping) and value.get("type") == "tool_result":
        for inner in as_list(value.get("content")) or ():
            yield from media_of(inner)


def reasons(prepared: PreparedMessages) -> Counter[RowReason]:
    """How often each reason is given."""
    return Counter(one.reason for one in prepared.reported)


@clause("MSG-007")
@given(LISTS, PENDING)
def test_roles_alternate_and_no_message_is_empty(messages: list[Any], pending: list[str]) -> None:
    """Neighbouring messages differ in role, each has a block, and each block is an object with a type."""
    prepared = prepare_messages(messages, pending=pending).messages

    assert all(one["role"] != other["role"] for one, other in pairwise(prepared))
    assert all(message["content"] and message["role"] in {"user", "assistant"} for message in prepared)
    assert all(isinstance(block["type"], str) for message in prepared for block in message["content"])


@clause("MSG-006")
@given(LISTS, PENDING)
def test_no_call_is_parted_from_its_result(messages: list[Any], pending: list[str]) -> None:
    """Each call has exactly one result, in the message directly behind it, unless it is pending."""
    prepared = prepare_messages(messages, pending=pending).messages
    calls = [(place, block["id"]) for place, block in blocks_of(prepared, "tool_use")]
    results = Counter((place, block["tool_use_id"]) for place, block in blocks_of(prepared, "tool_result"))

    assert len(calls) == len({name for _, name in calls})
    for place, name in calls:
        assert 1 == results[place + 1, name] or (name in pending and 0 == results[place + 1, name])


@clause("MSG-006")
@given(LISTS, PENDING)
def test_no_result_is_parted_from_its_call(messages: list[Any], pending: list[str]) -> None:
    """Each result has its call in the message directly before it, and stands before all that is no result."""
    prepared = prepare_messages(messages, pending=pending).messages
    calls = {(place, block["id"]) for place, block in blocks_of(prepared, "tool_use")}

    assert all((place - 1, block["tool_use_id"]) in calls for place, block in blocks_of(prepared, "tool_result"))
    for message in prepared:
        kinds = [block["type"] == "tool_result" for block in message["content"]]

        assert kinds == sorted(kinds, reverse=True)


@clause("MSG-007")
@given(LISTS, PENDING)
def test_preparing_again_changes_nothing(messages: list[Any], pending: list[str]) -> None:
    """Prepared messages are prepared already, and there is nothing left to report but what is pending."""
    once = prepare_messages(messages, pending=pending)
    again = prepare_messages(list(once.messages), pending=pending)

    assert repr(once.messages) == repr(again.messages)  # by their form, since no number of NaN equals another
    assert {one.reason for one in again.reported} <= {RowReason.PENDING_CALL}


@clause("MSG-007")
@given(conversations(), PENDING)
def test_the_argument_is_not_changed(messages: list[Any], pending: list[str]) -> None:
    """A list that is prepared is the list that it was, down to the last block."""
    before = repr(deepcopy(messages))
    prepare_messages(messages, pending=pending)

    assert before == repr(messages)


@clause("MSG-007")
@given(LISTS, PENDING)
def test_the_same_list_gives_the_same_messages(messages: list[Any], pending: list[str]) -> None:
    """Nothing but the argument decides."""
    one, other = (prepare_messages(messages, pending=pending) for _ in range(2))

    assert (repr(one.messages), one.reported) == (repr(other.messages), other.reported)


@clause("MSG-020")
@given(LISTS)
def test_no_prepared_result_is_blank(messages: list[Any]) -> None:
    """Every result says something."""
    for _, block in blocks_of(prepare_messages(messages).messages, "tool_result"):
        content = block.get("content")

        assert content is not None
        assert not isinstance(content, str) or not is_blank(content)
        assert not isinstance(content, list | tuple) or content


def numbered(messages: list[Any], copies: int) -> list[Any]:
    """The list so often, and each picture with a number of its own, so that one can be told from another."""
    count = 0

    def marked(value: Any) -> Any:
        nonlocal count
        match value:
            case dict() if value.get("type") in {"image", "document"}:
                count += 1
                return {**value, "n": count}
            case dict():
                return {key: marked(item) for key, item in value.items()}
            case list() | tuple():
                return [marked(item) for item in value]
            case _:
                return value

    found: list[Any] = []
    for copy in range(copies):
        found += [renamed(marked(row), copy) for row in messages]
    return found


def renamed(row: Any, copy: int) -> Any:
    """The row with ids of its own, so that a copy answers its own calls."""
    match row:
        case dict():
            return {
                key: f"{copy}.{item}" if key in {"id", "tool_use_id"} and isinstance(item, str) else renamed(item, copy)
                for key, item in row.items()
            }
        case list():
            return [renamed(item, copy) for item in row]
        case _:
            return row


@clause("MSG-005")
@given(conversations(), st.integers(1, 30))
def test_the_newest_media_remain(messages: list[Any], copies: int) -> None:
    """At most 100 media are left; they are the last ones of the uncapped list, and each of the others is reported."""
    many = numbered(messages, copies)
    roomy = prepare_messages(many, constants=ROOMY)
    capped = prepare_messages(many)
    every = [one["n"] for message in roomy.messages for block in message["content"] for one in media_of(block)]
    left = [one["n"] for message in capped.messages for block in message["content"] for one in media_of(block)]

    assert every[-DEFAULT.media_cap_blocks :] == left
    assert len(every) - len(left) == reasons(capped)[RowReason.MEDIA_CAP]


@clause("MSG-006", "MSG-007", "MSG-020")
@given(LISTS, PENDING)
def test_only_what_is_reported_was_put_in(messages: list[Any], pending: list[str]) -> None:
    """Stand-ins and texts of empty results are all that was added, and each has its entry."""
    prepared = prepare_messages(messages, pending=pending)
    contents = [block.get("content") for _, block in blocks_of(prepared.messages, "tool_result")]
    put_in = Counter(content for content in contents if isinstance(content, str))

    assert put_in[STAND_IN_TEXT] == reasons(prepared)[RowReason.MISSING_RESULT]
    assert put_in[EMPTY_RESULT_TEXT] == reasons(prepared)[RowReason.EMPTY_RESULT]


@clause("MSG-001", "MSG-006", "MSG-007")
@given(LISTS, PENDING)
def test_nothing_is_left_out_without_a_word(messages: list[Any], pending: list[str]) -> None:
    """Of the rows that are sent, each block is in the messages or has an entry; so is each row that is not."""
    prepared = prepare_messages(messages, pending=pending)
    found = reasons(prepared)
    left_out = (
        RowReason.BAD_BLOCK,
        RowReason.DUPLICATE_CALL,
        RowReason.DUPLICATE_RESULT,
        RowReason.ORPHAN_RESULT,
        RowReason.BAD_CONTENT,
        RowReason.EMPTY,
    )
    blocks_in = sum(_blocks_in(row) for row in messages[view_start(messages) :])
    blocks_out = sum(len(message["content"]) for message in prepared.messages)
    gone = sum(found[reason] for reason in left_out)

    # Media at the top are blocks, media inside results are none; so their entries say at most how many blocks went.
    missing = blocks_in + found[RowReason.MISSING_RESULT] - blocks_out - gone
    assert 0 <= missing <= found[RowReason.MEDIA_CAP]


def _blocks_in(row: Any) -> int:
    """Blocks of a row that is sent; content that is no list, or empty, counts as one, since it has an entry as one."""
    if str(role_of(row)) not in {"user", "assistant", "attachment"}:
        return 0
    blocks = as_list(content_of(row))
    return len(blocks) if blocks else 1
