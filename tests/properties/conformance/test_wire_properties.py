"""Claims about lines: nothing is lost, nothing breaks out of its line, nothing raises but a `WireError`."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.line import (
    MAX_INTEGER,
    WireError,
    decode_line,
    encode_line,
    path_from_wire,
    path_to_wire,
)
from keel_ref.conformance.wire import answer_from_object, outcome_from_object, request_from_object
from keel_ref.strategies.text import any_text

SCALARS = st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | any_text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text(), inner, max_size=4)
)
MESSAGES = st.dictionaries(any_text(), VALUES, max_size=4)


@given(message=MESSAGES)
def test_a_message_comes_back_as_json_has_it(message: dict[str, Any]) -> None:
    """Whatever texts are in it; two surrogates side by side are one character to every JSON reader, ours too."""

    assert json.loads(json.dumps(message)) == decode_line(encode_line(message))


@given(message=MESSAGES)
def test_a_message_is_one_line_to_every_reader(message: dict[str, Any]) -> None:
    """To those that split at LF, at CR, or at everything that Unicode calls a line end."""
    line = encode_line(message)

    assert 1 == len(line.decode().splitlines())
    assert 1 == line.count(b"\n")


@given(line=st.binary(max_size=200) | any_text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_message_or_refused(line: bytes) -> None:
    """Nothing else is raised, however odd they are."""
    try:
        message = decode_line(line)
    except WireError:
        return

    assert isinstance(message, dict)


@given(
    message=MESSAGES | st.fixed_dictionaries({"id": SCALARS, "op": st.sampled_from(["hello", "call", "ping", "bye"])})
)
def test_any_object_is_a_message_of_ours_or_refused(message: dict[str, Any]) -> None:
    """Requests, answers and outcomes alike."""
    for read in (request_from_object, answer_from_object, outcome_from_object):
        try:
            found: object = read(message)
        except WireError:
            continue
        assert found is not None


@given(raw=st.binary(max_size=40))
def test_a_path_of_any_bytes_comes_back(raw: bytes) -> None:
    """UTF-8 or not."""
    path = raw.decode("utf-8", "surrogateescape")

    assert path == path_from_wire(path_to_wire(path))
