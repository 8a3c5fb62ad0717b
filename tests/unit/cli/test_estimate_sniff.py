"""What is taken for a session file."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.cli.estimate_sniff import beginning_of_object, is_session

ROW = '{"type":"user","message":{"role":"user","content":"12345678"}}'
BOUNDARY = '{"type":"system","subtype":"compact_boundary"}'


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (ROW, True),
        (BOUNDARY, True),
        ('\n \n{"type":"mode","sessionId":"x"}\n', True),
        ('{"type":"queue-operation","operation":"enqueue"}', True),
        ('{"type":"file-history-snapshot","messageId":"x","snapshot":{}}', True),
        ('{"type":"summary","summary":"text","leafUuid":"x"}', True),
        ('{"type":"summary","summary":"text"}', False),
        ('{"type":["user"],"sessionId":"x"}', False),
        ('{"type":"user"}', False),
        ('{"type":"user","message":"text"}', False),
        ('{"text":"a"}\n{"text":"b"}', False),
        ("[]\n" * 20 + ROW, False),
        ("[]\n" * 19 + ROW, True),
        (ROW[:-1], False),
        ("", False),
    ],
)
def test_what_is_taken_for_a_session(text: str, is_one: bool) -> None:
    """One of the first twenty lines that are not blank is a row of one; JSON lines of anything else are none."""

    assert is_one == is_session(text.encode())


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('{"type":"user","message":{"role":"user","content":"1234', True),
        ('{"parentUuid":null,"n":1.5,"sessionId":"x","message":{"role":"user","content":[{"type":"im', True),
        ('{"parentUuid":null,"sessionId":"x","type":"progress","data":{"', True),
        ('{ "type" : "file-history-snapshot" , "snapshot":{"a', True),
        (f'{ROW}\n{{"text":"a', True),
        ('{"text":"a"}\n{"type":"user","message":{"role', True),
        ("[]\n" * 20 + '{"type":"user","message":{"role', False),
        ('{"type":"user","message":"text', False),
        ('{"type":"us', False),
        ('{"text":{"type":"user","message":{}', False),
        ('{"text":"a', False),
        ("[[[", False),
        ('{"a":' + "[" * 100_000, False),
        ("", False),
    ],
)
def test_what_a_head_that_is_cut_off_is_taken_for(text: str, is_one: bool) -> None:
    """The lines that are whole decide, and the beginning of the one that is not."""

    assert is_one == is_session(text.encode(), is_whole=False)


@given(
    row=st.dictionaries(st.text(max_size=4), st.text(max_size=4) | st.integers() | st.just({"a": [{}]}), max_size=4),
    end=st.integers(0, 80),
)
def test_the_beginning_of_an_object_says_nothing_that_is_not_there(row: dict[str, Any], end: int) -> None:
    """Every text that it says stands in the whole; of the whole it says all."""
    form = json.dumps(row, ensure_ascii=False)

    assert row == beginning_of_object(form)
    for key, value in beginning_of_object(form[:end]).items():
        assert type(row[key]) is type(value)
        assert value in ({}, row[key]) or isinstance(value, int)
