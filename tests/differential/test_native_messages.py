"""The native counts and rounds of a list of messages are those of the model, for every list."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, note
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from keel_ref import _native
from keel_ref.errors import KeelError, NotSerialisableError
from keel_ref.messages import rounds
from keel_ref.strategies.messages import anything, json_values, library_rows, numbers, odd_values, row_lists
from keel_ref.strategies.text import any_text
from keel_ref.tokens import FAMILIES, Family, estimate_messages
from keel_ref.tokens.families import LARGEST_COST

Outcome = int | tuple[str, str]
METHODS = st.sampled_from(["documented", "bound"])
FAMILY = st.sampled_from([*FAMILIES, *FAMILIES.values()])


def outcome(count: Callable[[], int]) -> Outcome:
    """What a count gives, or how it fails."""
    try:
        return count()
    except (KeelError, TypeError, RuntimeError) as error:
        return type(error).__name__, str(error)


def by_model(messages: Any, method: Any = "bound", family: Any = "any") -> Outcome:
    """The outcome of the model."""
    return outcome(lambda: estimate_messages(messages, method=method, family=family).tokens)


def by_kernel(messages: Any, method: Any = "bound", family: Any = "any") -> Outcome:
    """The outcome of the native function."""
    return outcome(lambda: _native.estimate_messages(messages, method=method, family=family))


def call(given: Any) -> dict[str, Any]:
    """A row with one call of that input."""
    return {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": given}]}


@given(row_lists(), METHODS, FAMILY)
def test_any_list_costs_the_same(messages: list[Any], method: str, family: str | Family) -> None:
    """Whatever rows a list holds, whole, torn or none: the same tokens, or the same error at the same place."""
    found = by_kernel(messages, method, family)
    note(str(found))

    assert by_model(messages, method, family) == found


@given(st.lists(library_rows(), max_size=4), METHODS)
def test_objects_of_a_client_library_cost_the_same(messages: list[Any], method: str) -> None:
    """Fields that were set and fields beyond the type count, defaults do not."""

    assert by_model(messages, method) == by_kernel(messages, method)


@given(json_values(20) | odd_values(), METHODS)
def test_any_input_of_a_call_costs_the_same(given: Any, method: str) -> None:
    """A value of any depth, type and size has one serialised form, or none."""

    assert by_model([call(given)], method) == by_kernel([call(given)], method)


@given(st.lists(numbers(), min_size=1, max_size=4))
@example([1e21, 1e-7, 123456789.125, 1e22, 5e-324])
def test_any_number_costs_the_same(values: list[int | float]) -> None:
    """The bound weighs each digit, so equal costs mean equal digits."""
    found = [by_kernel([call(value * sign)]) for value in values for sign in (1, -1)]

    assert [by_model([call(value * sign)]) for value in values for sign in (1, -1)] == found


@pytest.mark.parametrize("digits", [18, 19, 20, 640, 3_999, 4_000, 4_001, 4_300, 4_301, 20_000])
def test_whole_numbers_of_many_digits(digits: int) -> None:
    """Also those that Python refuses to write without being asked twice."""
    messages = [call([10**digits, 10**digits - 1, -(10**digits), 3**digits])]

    assert by_model(messages) == by_kernel(messages)
    assert by_model(messages, "documented") == by_kernel(messages, "documented")


@given(any_text(), st.integers(0, 200), METHODS)
def test_any_text_inside_a_form_costs_the_same(text: str, padding: int, method: str) -> None:
    """What has to be escaped is found wherever it stands, in each storage of a text."""
    messages = [call({text: "x" * padding + text, "long": text * 9})]

    assert by_model(messages, method) == by_kernel(messages, method)


@given(anything(), st.sampled_from(["documented", "Bound", None, 3]), st.sampled_from(["any", "ANY", None, 3, "é"]))
def test_arguments_fail_alike(messages: Any, method: Any, family: Any) -> None:
    """What is no list, no method or no family is refused in the same words."""

    assert by_model(messages, method, family) == by_kernel(messages, method, family)


@given(row_lists(), st.integers(0, LARGEST_COST), st.binary(min_size=100, max_size=100))
def test_a_family_of_ones_own(messages: list[Any], tokens: int, pairs: bytes) -> None:
    """A table that nobody published is taken as it stands, the largest costs too."""
    family = evolve(
        FAMILIES["any"], name="own", pair_weights=pairs, list_tokens=tokens, row_tokens=tokens, image_tokens=tokens
    )

    assert by_model(messages, "bound", family) == by_kernel(messages, "bound", family)


def turned(value: Any, levels: int = 6) -> Any:
    """The value with the keys of each plain dict in the opposite order, as deep as blocks mostly stand."""
    if not levels:
        return value
    if type(value) is dict:
        return {key: turned(held, levels - 1) for key, held in reversed(value.items())}
    return [turned(item, levels - 1) for item in value] if type(value) is list else value


@given(row_lists(), METHODS)
def test_any_order_of_keys_costs_the_same(messages: list[Any], method: str) -> None:
    """What a row or block says may stand before or behind what kind of thing it is."""

    assert by_model(turned(messages), method) == by_kernel(turned(messages), method)


class Word(StrEnum):
    """Texts of another class."""

    ASSISTANT = "assistant"
    TEXT = "text"


class Digit(IntEnum):
    """Whole numbers of another class."""

    SEVEN = 7


class Fraction(float):
    """A float of another class."""


class Kind(str, Enum):  # noqa: UP042 (the older form is what many callers have)
    """Texts of another class, the older form."""

    CALL = "tool_use"


class Rows(list[Any]):
    """A list of another class that reads differently from what it holds."""

    def __iter__(self) -> Any:
        """Each item twice."""
        return (item for item in [*super().__iter__()] for _ in range(2))


class Upper(dict[str, Any]):
    """A dict of another class that answers differently from what it holds."""

    def get(self, key: str, default: Any = None) -> Any:
        """The text in capitals."""
        found = super().get(key, default)
        return found + "!!!!" if key == "text" else found


class Loose(BaseModel):
    """A block of a library that takes fields beyond its type."""

    model_config = ConfigDict(extra="allow")
    type: str = "tool_use"
    name: str | None = None
    input: Any = None


class Closed(BaseModel):
    """A block of a library that does not."""

    type: str
    text: str = "a default costs nothing"


class Same(str):
    """A text of another class that equals every other one and is found where `role` would be."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Always."""
        return True

    def __hash__(self) -> int:
        """That of the name for which it stands."""
        return hash("role")


def looped() -> dict[str, Any]:
    """A call whose input contains itself."""
    fields: dict[str, Any] = {"a": 1}
    fields["b"] = (fields,)
    return call(fields)


SUBCLASSES: list[Any] = [
    {"role": Word.ASSISTANT, "id": "m", "content": [{"type": Word.TEXT, "text": "12345678"}]},
    {
        "role": "user",
        "content": [{"type": Kind.CALL, "name": Word.TEXT, "input": {"n": Digit.SEVEN, "f": Fraction(2)}}],
    },
    OrderedDict(role="user", content=[defaultdict(str, type="text", text="12345678")]),
    defaultdict(str),
    {"role": "user", "content": Rows([{"type": "text", "text": "12345678"}])},
    {"role": "user", "content": [Upper(type="text", text="1234"), Upper(type="x", text="1234")]},
    {"role": "user", "content": [Loose(name="f", input={"a": 1}), Loose(type="x", other=[Closed(type="text")])]},  # type: ignore[call-arg]
    {"role": "user", "content": [Closed(type="text"), Closed(type="text", text="12345678"), Closed]},
    Closed(type="text"),
    Closed,
    {Same("x"): "system", "content": "12345678"},
    {1: "system", None: 2, "role": "user", "content": "12345678"},
    {
        "role": "user",
        "content": [{Word.TEXT: "1234", 2: 3, "type": "text"}, {2: 3, "type": "text", "text": "12345678"}],
    },
    {"role": Digit.SEVEN, "content": ({"type": "text", "text": Word.ASSISTANT}, {"type": None, "text": "x"}, {}, None)},
    {"role": None, "content": None, "text": ["x", 1, None, True, 0.5, {"type": "text"}, {"type": 5}]},
    call({"\ud800": "\udc00\x00", "é": "\x7f", "你": ["\U0001f600\n"], "deep": ({"": ()}, [[]], {})}),
    call({"a": True, "b": None, "c": -(2**63), "d": 2**63 - 1, "e": 2**63, "f": float("nan"), "g": -0.0}),
    call([Digit.SEVEN, Fraction(2), Word.TEXT, OrderedDict(a=1), Rows([1])]),
    call({"a": {1: 2}}),
    looped(),
]


@pytest.mark.parametrize("method", ["documented", "bound"])
@pytest.mark.parametrize("row", SUBCLASSES, ids=range(len(SUBCLASSES)))
def test_values_of_other_classes(row: Any, method: str) -> None:
    """A subclass of a type of JSON, or an object that keeps its fields by name, counts as in the model."""

    assert by_model([row], method) == by_kernel([row], method)


def test_key_order_of_a_dict_that_keeps_its_own() -> None:
    """Keys are weighed in the order in which the object gives them."""
    given = OrderedDict(A="1", bb="2", ccc=3)
    given.move_to_end("A")

    assert by_model([call(given)]) == by_kernel([call(given)])


@pytest.mark.parametrize("method", ["documented", "bound"])
@pytest.mark.parametrize("levels", [99, 100, 101, 197, 198, 199, 200, 201, 10_000])
@pytest.mark.parametrize("form", ["lists", "objects", "results"])
def test_levels(form: str, levels: int, method: str) -> None:
    """Nesting ends at the same level in both, in values and in results; ten thousand levels are no danger."""
    value: Any = "x"
    for _ in range(levels):
        match form:
            case "lists":
                value = [value]
            case "objects":
                value = {"k": value}
            case _:
                value = [{"type": "tool_result", "content": value}]
    messages = [{"role": "user", "content": value}] if form == "results" else [call(value)]

    assert by_model(messages, method) == by_kernel(messages, method)


def test_the_error_names_the_place() -> None:
    """The native error is the error of the package, with its fields."""
    with pytest.raises(NotSerialisableError, match=r"messages\[1\]\.content\[0\]") as caught:
        _native.estimate_messages([None, call(b"x")])

    assert ("messages[1].content[0]", "a value of the type bytes has no JSON form") == (
        caught.value.place,
        caught.value.problem,
    )


class Meddler:
    """An object that changes the list and the dict in which it stands when it is looked at."""

    def __init__(self, hold: list[Any], fields: dict[str, Any]) -> None:
        self.hold, self.fields = hold, fields

    def __getattr__(self, name: str) -> Any:
        """Called by whoever asks for a field."""
        self.hold.clear()
        self.fields.clear()
        raise AttributeError(name)


@pytest.mark.parametrize("method", ["documented", "bound"])
def test_a_list_that_changes_while_it_is_read(method: str) -> None:
    """Python code that empties what is being walked leaves nothing dangling; the odd object is the error."""
    hold: list[Any] = []
    fields: dict[str, Any] = {"a": "x" * 50}
    fields |= {"b": [Meddler(hold, fields)], "c": "y" * 50}
    hold += [call(fields), call({}), {"role": "user", "content": "x"}]

    with pytest.raises(NotSerialisableError, match="Meddler"):
        _native.estimate_messages(hold, method=method)


@given(row_lists(12))
def test_any_list_has_the_same_rounds(messages: list[Any]) -> None:
    """Whatever rows a list holds, it falls into the same rounds."""

    assert rounds.api_rounds(messages) == _native.api_rounds(messages)


ROLES = st.sampled_from(["assistant", "assistant", "user", "system", "", "Assistant", "é", Word.ASSISTANT, None, 1])
IDS = st.sampled_from(["a", "b", "é", "你", "\U0001f600", "\ud800", "", Word.TEXT, None, 1, ["a"]])


@st.composite
def rows_with_ids(draw: st.DrawFn) -> dict[Any, Any]:
    """A row with a role and an id, each of them perhaps missing, in any order, among other keys."""
    fields: list[tuple[Any, Any]] = [("role", draw(ROLES)), ("id", draw(IDS)), ("content", []), ("x", 1)]
    return dict(draw(st.lists(st.sampled_from(fields), unique_by=lambda field: str(field[0]), min_size=1)))


@given(st.lists(rows_with_ids(), max_size=40))
def test_any_ids_have_the_same_rounds(messages: list[Any]) -> None:
    """An id is compared by its characters, in a list that is longer than what is looked at at once."""

    assert rounds.api_rounds(messages) == _native.api_rounds(messages)


@pytest.mark.parametrize("odd", [None, "x", 1, [], (), Closed(type="text"), OrderedDict(role="assistant"), *SUBCLASSES])
@pytest.mark.parametrize("place", [0, 5, 19])
def test_rounds_of_a_list_with_an_odd_row(odd: Any, place: int) -> None:
    """What is no plain row changes nothing about the rows around it."""
    messages: list[Any] = [{"role": "assistant", "id": f"m{row // 3}"} for row in range(20)]
    messages[place] = odd

    assert rounds.api_rounds(messages) == _native.api_rounds(messages)
    assert rounds.api_rounds(tuple(messages)) == _native.api_rounds(tuple(messages))


def test_rounds_of_a_list_that_changes_while_it_is_read() -> None:
    """What a row does when it is looked at leaves nothing dangling: the rows so far have their rounds."""
    hold: list[Any] = []
    hold += [*({"role": "assistant", "id": f"m{row}"} for row in range(9)), Meddler(hold, {}), {"role": "assistant"}]

    assert [(row, row + 1) for row in range(8)] + [(8, 10)] == _native.api_rounds(hold)


@given(st.lists(library_rows(), max_size=6))
def test_rounds_of_objects_of_a_client_library(messages: list[Any]) -> None:
    """Messages of the library carry their response ids."""

    assert rounds.api_rounds(messages) == _native.api_rounds(messages)


@given(anything())
def test_rounds_of_what_is_no_list_fail_alike(messages: Any) -> None:
    """The argument is refused in the same words."""
    found = outcome(lambda: len(_native.api_rounds(messages)))

    assert outcome(lambda: len(rounds.api_rounds(messages))) == found
