"""What a line is taken for, whatever it holds."""

import pytest

from keel_ref.conformance.answers import read_answer
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.wire import Answer, Ok

ASKED = frozenset({0, 4, 9})


@pytest.mark.parametrize(
    ("line", "misdeed"),
    [
        (b'{"id":4,"ok":{}}', Misdeed.ANSWERED_TWICE),
        (b'{"id":0,"ok":{}}', Misdeed.ANSWERED_TWICE),
        (b'{"id":5,"ok":{}}', Misdeed.WRONG_ID),
        (b'{"id":-1,"ok":{}}', Misdeed.WRONG_ID),
        (b'{"id":10,"ok":{}}', Misdeed.WRONG_ID),
        (b'{"id":true,"ok":{}}', Misdeed.POLLUTED),
        (b'{"id":"9","ok":{}}', Misdeed.POLLUTED),
        (b'{"id":null,"ok":{}}', Misdeed.POLLUTED),
        (b'{"ok":{}}', Misdeed.POLLUTED),
        (b"INFO ready", Misdeed.POLLUTED),
        (b'{"id":90,"ok":{"a":1.5}}', Misdeed.POLLUTED),
        (b'{"id":9}', Misdeed.ILL_FORMED),
        (b'{"id":9,"ok":{},"error":{"kind":"x"}}', Misdeed.ILL_FORMED),
        (b'{"id":9,"ok":{"a":1.5}}', Misdeed.ILL_FORMED),
        (b'{"ok":{"a":1.5},"id":9}', Misdeed.ILL_FORMED),
        (b'{ "ok" : {"a":NaN}, "id" : 9 }', Misdeed.ILL_FORMED),
        (b'{"ok":{"a":[}},"id":9}', Misdeed.ILL_FORMED),
    ],
)
def test_what_is_no_answer_is_told_apart(line: bytes, misdeed: Misdeed) -> None:
    """An answer given before, one to a question never put, a stray line, and an answer that breaks the wire's rules.

    The last is one wherever the id stands in it: nobody shall wait for another.
    """
    with pytest.raises(Misbehaviour) as caught:
        read_answer(line, 9, ASKED)

    assert misdeed is caught.value.misdeed


@pytest.mark.parametrize("line", [b'{"id":9,"ok":{}}', b'{"ok":{},"id":9}\r', b'{"id":9,"ok":{},"later":[1]}'])
def test_an_answer_is_one_in_any_order_of_its_fields(line: bytes) -> None:
    """With fields that nobody knows yet, and with a CR before its end."""

    assert Answer(id=9, outcome=Ok()) == read_answer(line, 9, ASKED)
