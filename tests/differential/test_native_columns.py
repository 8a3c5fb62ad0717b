"""The native estimates of Arrow columns are those of the lists of their texts."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import _native
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import batch

arro3 = pytest.importorskip("arro3.core", reason="the columns are those of arro3-core")

LINES = ["", "a line of code", "提交之前先运行测试。", "fix 🚀 ship 🎉", "x" * 300, None]
"""Texts that an Arrow library keeps in place and elsewhere, and none."""
MANY = LINES * 2_000
"""Enough rows for more than one thread."""

METHODS = st.sampled_from(["bound", "documented"])
KINDS = st.sampled_from(["text", "json"])
TYPES = ["string", "large_string", "string_view"]


def column(texts: Sequence[object], type_name: str) -> Any:
    """An Arrow array of that type."""
    return arro3.Array(texts, type=getattr(arro3.DataType, type_name)())


class Exported:
    """An object that hands out its memory in one way, and can do nothing else."""

    def __init__(self, inner: object, way: str) -> None:
        """Take over that way alone."""
        setattr(self, way, getattr(inner, way))


@pytest.mark.parametrize("type_name", TYPES)
@given(texts=st.lists(st.text() | st.none()), method=METHODS, kind=KINDS)
def test_a_column_counts_as_the_list_of_its_texts(
    type_name: str, texts: list[str | None], method: str, kind: str
) -> None:
    """Nulls cost nothing, wherever they stand."""
    expected = batch.estimate_texts(texts, method=method, kind=kind)

    assert expected == _native.estimate_texts(column(texts, type_name), method=method, kind=kind)


@pytest.mark.parametrize("type_name", TYPES)
def test_both_ways_out_of_a_library_are_understood(type_name: str) -> None:
    """As one array or as a stream of them, over so many rows that several threads count."""
    array = column(MANY, type_name)
    stream = arro3.ChunkedArray([array])

    assert _native.estimate_texts(MANY) == _native.estimate_texts(Exported(array, "__arrow_c_array__"))
    assert _native.estimate_texts(MANY) == _native.estimate_texts(Exported(stream, "__arrow_c_stream__"))


def test_a_column_in_chunks_is_one_column() -> None:
    """The chunks follow one another."""
    chunks: list[list[str | None]] = [["a", None], [], ["提交" * 50], ["b"] * 3_000]
    stream = arro3.ChunkedArray([column(chunk, "string") for chunk in chunks])

    assert _native.estimate_texts([text for chunk in chunks for text in chunk]) == _native.estimate_texts(stream)


@pytest.mark.parametrize("type_name", TYPES)
def test_a_part_of_a_column_begins_where_it_says(type_name: str) -> None:
    """An array may begin in the middle of the memory of another."""
    texts = [*LINES, "last"]
    part = column(texts, type_name).slice(2, 4)

    assert _native.estimate_texts(texts[2:6]) == _native.estimate_texts(part)


@pytest.mark.parametrize(
    ("items", "type_name"), [([1, 2], "int64"), ([b"a"], "binary"), ([b"a"], "large_binary"), ([True], "bool")]
)
def test_a_column_of_anything_else_is_refused_alike(items: list[object], type_name: str) -> None:
    """Bytes are no text there, since nothing says how they are to be read."""
    other = column(items, type_name)

    assert refusal(batch.estimate_texts, other, {}) == refusal(_native.estimate_texts, other, {})


def test_a_table_is_no_column() -> None:
    """Whoever has several columns says which."""
    table = arro3.Table.from_arrays([column(["a"], "string")], names=["text"])

    with pytest.raises(InvalidArgumentError, match="of type string, large_string or string_view"):
        _native.estimate_texts(table)


def test_the_model_reads_a_column_by_its_list() -> None:
    """Without the native module a column has to be able to become a list."""
    array = column(LINES, "string")

    assert batch.estimate_texts(LINES) == batch.estimate_texts(array)
    with pytest.raises(InvalidArgumentError, match="native module alone"):
        batch.estimate_texts(Exported(array, "__arrow_c_array__"))


@pytest.mark.parametrize("way", batch.ARROW_METHODS)
@pytest.mark.parametrize("answer", [None, (), (1, 2), "a"])
def test_an_object_that_hands_out_something_else_is_refused(way: str, answer: object) -> None:
    """What is no capsule is not looked into."""
    odd = type("Odd", (), {way: lambda _: answer})()

    with pytest.raises((TypeError, ValueError)):
        _native.estimate_texts(odd)


def refusal(function: Callable[..., object], texts: object, arguments: dict[str, str]) -> tuple[str, str]:
    """The class and the words of the error."""
    with pytest.raises((InvalidArgumentError, TypeError)) as caught:
        function(texts, **arguments)
    return type(caught.value).__name__, str(caught.value)
