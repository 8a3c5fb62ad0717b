"""The native estimates of many texts are those of the model."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import _native, tokens
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.strategies.text import any_bytes, any_text
from keel_ref.tokens import FAMILIES, batch

METHODS = st.sampled_from(["bound", "documented"])
KINDS = st.sampled_from(["text", "json"])


@clause("EST-001", "EST-030")
@given(
    texts=st.lists(any_text() | any_bytes() | st.none()),
    container=st.sampled_from([list, tuple]),
    method=METHODS,
    family=st.sampled_from(list(FAMILIES)),
    kind=KINDS,
)
def test_a_list_counts_alike(
    texts: list[object], container: Callable[[list[object]], object], method: str, family: str, kind: str
) -> None:
    """Each item by itself."""
    given_texts = container(texts)
    expected = batch.estimate_texts(given_texts, method=method, family=family, kind=kind)

    assert expected == _native.estimate_texts(given_texts, method=method, family=family, kind=kind)


@given(texts=st.lists(any_text()), method=METHODS, kind=KINDS)
def test_a_list_counts_as_its_texts_do(texts: list[str], method: str, kind: str) -> None:
    """There is no rule for many that is not one for each."""
    expected = [tokens.estimate_text(text, method=method, kind=kind) for text in texts]

    assert expected == _native.estimate_texts(texts, method=method, kind=kind)


@pytest.mark.parametrize("texts", [None, 3, "ab", b"ab", {"a": 1}, range(2), [3], ["a", ["b"]], (bytearray(b"a"),)])
@pytest.mark.parametrize("arguments", [{}, {"method": "no"}, {"family": "no"}, {"kind": "no"}])
def test_what_is_no_list_of_texts_is_refused_alike(texts: object, arguments: dict[str, str]) -> None:
    """The same class and the same words, after the other arguments were judged."""

    assert refusal(batch.estimate_texts, texts, arguments) == refusal(_native.estimate_texts, texts, arguments)


def test_a_list_is_counted_without_a_copy_of_its_texts() -> None:
    """Not even a hidden one that Python would keep: a text of wide characters stays as large as it was."""
    text = "提交之前先运行测试。" * 1_000
    before = sys.getsizeof(text)
    _native.estimate_texts([text, text])

    assert before == sys.getsizeof(text)


def refusal(function: Callable[..., object], texts: object, arguments: dict[str, str]) -> tuple[str, str]:
    """The class and the words of the error."""
    with pytest.raises((InvalidArgumentError, TypeError)) as caught:
        function(texts, **arguments)
    return type(caught.value).__name__, str(caught.value)
