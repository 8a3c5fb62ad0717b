"""The native estimates of a text are those of the model, for every text, by every path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import _native, tokens
from keel_ref.conformance.marks import clause
from keel_ref.strategies.text import any_bytes, any_text
from keel_ref.tokens import FAMILIES, Family
from keel_ref.tokens.bound import bound_units
from keel_ref.tokens.families import LARGEST_COST

PATHS = _native.bound_paths()
REPEATS = st.integers(min_value=1, max_value=40)
"""Often enough that a text passes several vectors of the widest path."""


def long_text() -> st.SearchStrategy[str]:
    """Runs of one kind of text between texts of any kind, as long as several vectors."""
    words = st.sampled_from(
        ["plain words, ", "let x = f(1);\n", "提交之前先运行", "Größe ", "🚀🎉", "\t\x1b[0m", "\ud800"]
    )
    runs = st.builds(str.__mul__, words, REPEATS)
    return st.lists(runs | any_text(max_code_points=20), max_size=6).map("".join)


def long_bytes() -> st.SearchStrategy[bytes]:
    """The same as bytes, broken here and there."""
    sound = long_text().map(lambda text: text.encode("utf-8", "surrogatepass"))
    return st.lists(sound | any_bytes(), max_size=4).map(b"".join)


@st.composite
def own_families(draw: st.DrawFn) -> Family:
    """A family that is not published."""
    numbers = st.integers(min_value=0, max_value=LARGEST_COST)
    return Family(
        name="own",
        byte_weights=bytes(draw(st.lists(st.integers(1, 255), min_size=256, max_size=256))),
        pair_weights=draw(st.binary(min_size=100, max_size=100)),
        list_tokens=draw(numbers),
        row_tokens=draw(numbers),
        block_tokens=draw(numbers),
        image_tokens=draw(numbers),
    )


@clause("EST-031")
@pytest.mark.parametrize("path", PATHS)
@given(text=long_text() | long_bytes(), family=st.sampled_from(list(FAMILIES)))
def test_every_path_has_the_sum_of_the_model(path: str, text: str | bytes, family: str) -> None:
    """Before it is rounded, so that no difference hides in a token."""

    assert bound_units(text, family) == _native.bound_units(text, family, path)


@clause("EST-030", "EST-031")
@given(text=long_text() | long_bytes(), family=own_families())
def test_a_family_of_ones_own_counts_alike(text: str | bytes, family: Family) -> None:
    """Its weights are read where the object keeps them."""

    assert tokens.estimate_text(text, family=family) == _native.estimate_text(text, family=family)


@clause("EST-001", "EST-003", "EST-030")
@given(
    text=long_text() | long_bytes(),
    method=st.sampled_from([*tokens.Method, "bound", "documented"]),
    family=st.sampled_from(list(FAMILIES)),
    kind=st.sampled_from([*tokens.Kind, "text", "json"]),
)
def test_every_method_and_kind_counts_alike(text: str | bytes, method: str, family: str, kind: str) -> None:
    """Named by a text or by a member of the enum."""
    expected = tokens.estimate_text(text, method=method, family=family, kind=kind)

    assert expected == _native.estimate_text(text, method=method, family=family, kind=kind)


@given(text=long_text() | long_bytes())
def test_what_is_left_out_is_the_same(text: str | bytes) -> None:
    """The defaults of both are the same method, family and kind."""

    assert tokens.estimate_text(text) == _native.estimate_text(text)


NAMES = [
    "bound",
    "documented",
    "text",
    "json",
    "any",
    "claude",
    "",
    "Bound",
    "any ",
    "\ud800",
    None,
    3,
    ["any"],
    b"any",
]


@given(method=st.sampled_from(NAMES), family=st.sampled_from(NAMES), kind=st.sampled_from(NAMES))
def test_wrong_arguments_are_refused_alike(method: object, family: object, kind: object) -> None:
    """The same class and the same words, whichever of several is wrong."""

    assert outcome(tokens.estimate_text, "a b", method=method, family=family, kind=kind) == outcome(
        _native.estimate_text, "a b", method=method, family=family, kind=kind
    )


@pytest.mark.parametrize("text", [None, 3, ["a"], bytearray(b"a"), memoryview(b"a")])
@pytest.mark.parametrize("arguments", [{}, {"method": "documented"}, {"kind": "no"}])
def test_what_is_no_text_is_refused_alike(text: object, arguments: dict[str, str]) -> None:
    """After the other arguments were judged."""

    assert outcome(tokens.estimate_text, text, **arguments) == outcome(_native.estimate_text, text, **arguments)


@pytest.mark.parametrize("arguments", [(), ("a", "bound")])
@pytest.mark.parametrize("keywords", [{}, {"methods": "bound"}, {"text": "a"}, {"text": "a", "kind": "json"}])
def test_a_call_of_the_wrong_form_is_refused_alike(arguments: tuple[str, ...], keywords: dict[str, str]) -> None:
    """Too few, too many or unknown arguments, in the words of each language; `text` may be named."""
    model, native = (outcome(one, *arguments, **keywords) for one in (tokens.estimate_text, _native.estimate_text))

    assert model[0] == native[0]


@pytest.mark.parametrize("path", PATHS)
def test_reading_is_the_same_by_every_path(path: str) -> None:
    """What the speed is measured against really reads all bytes: one that differs, wherever it stands, shows."""
    text = "a" * 1000
    changed = [text[:at] + "b" + text[at + 1 :] for at in range(1000)]

    assert _native.read_bytes(text, "scalar") == _native.read_bytes(text, path)
    assert {_native.read_bytes(text, path)}.isdisjoint(_native.read_bytes(one, path) for one in changed)


@pytest.mark.parametrize("function", [_native.bound_units, _native.read_bytes])
def test_a_path_that_the_machine_has_not_is_refused(function: object) -> None:
    """The error says where the names are to be had."""
    arguments = ("a", "any", "sse9") if function is _native.bound_units else ("a", "sse9")

    with pytest.raises(ValueError, match=r"sse9 is none of this machine; see bound_paths\(\)"):
        function(*arguments)  # type: ignore[operator]


def outcome(function: object, *arguments: object, **keywords: object) -> tuple[str, object]:
    """What came back, or the class and the words of the error."""
    try:
        return "tokens", function(*arguments, **keywords)  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 (whatever it is, both have to raise it)
        return type(error).__name__, str(error)
