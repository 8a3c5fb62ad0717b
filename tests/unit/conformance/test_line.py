"""One line of the wire: what it may hold, and what is refused."""

import pytest

from keel_ref.conformance.line import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_LINE_BYTES,
    WireError,
    bytes_from_wire,
    decode_line,
    encode_line,
    path_from_wire,
    path_to_wire,
)


def test_a_line_is_compact_json_with_one_line_end() -> None:
    """Nobody pays for blanks, and the line end comes last."""

    assert b'{"id":1,"text":"\xc3\xa9"}\n' == encode_line({"id": 1, "text": "é"})


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\ufeff", "\ud800", "\u200b"])
def test_what_some_reader_takes_for_a_line_end_is_escaped(character: str) -> None:
    """A reader that splits at more than LF, or cannot hold a surrogate, still gets one whole line."""
    line = encode_line({"text": character})

    assert f'{{"text":"\\u{ord(character):04x}"}}\n'.encode() == line
    assert {"text": character} == decode_line(line)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"hello", "not JSON"),
        (b"", "not JSON"),
        (b'{"id":1', "not JSON"),
        (b'{"id":1}{"id":2}', "not JSON"),
        (b"[1]", "not an object"),
        (b'"text"', "not an object"),
        (b'\xef\xbb\xbf{"id":1}', "byte order mark"),
        (b'{"a":"\xff"}', "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":0.5}', "not whole"),
        (b'{"a":1e2}', "not whole"),
        (b'{"a":NaN}', "not whole"),
        (b'{"a":-Infinity}', "not whole"),
        (b'{"a":9007199254740992}', "beyond"),
        (b'{"a":-9007199254740992}', "beyond"),
        (b'{"a":' + b"9" * 5000 + b"}", "beyond"),
        (b'{"a":' + b"[" * 200 + b"]" * 200 + b"}", "nested deeper"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper"),
        (b'{"a":"' + b"x" * MAX_LINE_BYTES + b'"}', "more than"),
    ],
)
def test_what_is_no_message_is_refused(line: bytes, problem: str) -> None:
    """Every kind of nonsense has its own words, and none of them raises anything else."""

    with pytest.raises(WireError, match=problem):
        decode_line(line)


@pytest.mark.parametrize("line", [b'{"id":1}', b'{"id":1}\n', b'{"id":1}\r\n', b' {"id" : 1} \n'])
def test_line_ends_and_blanks_do_no_harm(line: bytes) -> None:
    """A CR before the LF, or a missing LF at the end of input, is no reason to fail."""

    assert {"id": 1} == decode_line(line)


def test_the_largest_numbers_pass() -> None:
    """Both ends of the range are within it."""

    assert {"a": MAX_INTEGER, "b": -MAX_INTEGER} == decode_line(encode_line({"a": MAX_INTEGER, "b": -MAX_INTEGER}))


@pytest.mark.parametrize("value", [0.5, 2**53, -(2**53), float("nan")])
def test_we_never_send_what_we_would_not_take(value: float) -> None:
    """The rule for numbers holds for our own lines."""

    with pytest.raises((WireError, ValueError)):
        encode_line({"a": [value]})


def test_we_never_send_a_line_that_is_too_long() -> None:
    """The rule for length holds for our own lines."""

    with pytest.raises(WireError, match="more than"):
        encode_line({"a": "x" * MAX_LINE_BYTES})


def test_the_longest_line_passes() -> None:
    """The bound is the last that is allowed, its line end not counted."""
    message = {"text": "x" * (MAX_LINE_BYTES - len('{"text":""}'))}
    line = encode_line(message)

    assert MAX_LINE_BYTES + 1 == len(line)
    assert message == decode_line(line)
    with pytest.raises(WireError):
        decode_line(b" " + line)


def test_the_deepest_message_passes() -> None:
    """A hundred objects and lists inside one another are the last that is allowed, whatever stands in the innermost."""
    deep: object = 1
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    message = {"a": deep}

    assert message == decode_line(encode_line(message))
    with pytest.raises(WireError):
        encode_line({"a": [deep]})


def test_a_path_that_is_not_utf8_travels_as_bytes() -> None:
    """Its stray bytes stand in the text as U+DC80 and following."""

    assert {"b64": "L3Iv/w=="} == path_to_wire("/r/\udcff")
    assert "/r/\udcff" == path_from_wire({"b64": "L3Iv/w=="})


def test_a_plain_path_travels_as_text() -> None:
    """Nothing is wrapped that need not be."""

    assert "/r/é" == path_to_wire("/r/é")
    assert "/r/é" == path_from_wire("/r/é")


@pytest.mark.parametrize("value", [7, None, {}, {"b64": 7}, {"b64": "?"}, ["/r"]])
def test_what_is_neither_text_nor_bytes_is_no_path(value: object) -> None:
    """A path of the wrong form is refused, not guessed."""

    with pytest.raises(WireError):
        path_from_wire(value)


def test_bytes_are_read_back() -> None:
    """Base64 is what bytes travel in."""

    assert b"\xff" == bytes_from_wire({"b64": "/w=="})
