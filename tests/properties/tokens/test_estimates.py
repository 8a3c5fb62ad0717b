"""Estimates of texts and lists: how they grow, how parts add up, and what the two methods share."""

from typing import Any

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import fast
from keel_ref.choices import Choices, JsonResults, MessagePad, Unit
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.messages import json_rows, short_text
from keel_ref.strategies.text import any_text
from keel_ref.text import size_utf8, size_utf16
from keel_ref.tokens import FAMILIES, estimate_messages, estimate_text
from keel_ref.tokens.bound import bound_tokens
from keel_ref.tokens.rough import rough_tokens
from keel_ref.units import div_ceil

LISTS = conversations() | json_rows()
METHODS = st.sampled_from(["documented", "bound"])
FAMILY = st.sampled_from([*FAMILIES])
HAN = "".join(map(chr, range(0x4E00, 0xA000)))


def cost(messages: list[Any], method: str = "documented", **options: Any) -> int:
    """Tokens of a list by the model."""
    return estimate_messages(messages, method=method, **options).tokens


@clause("EST-001", "EST-002", "EST-029")
@given(any_text(), any_text(), st.booleans())
def test_joined_texts_cost_what_the_parts_cost(one: str, other: str, is_json: bool) -> None:
    """The estimate of two texts joined differs from the sum by at most 1."""
    parts = rough_tokens(one, is_json=is_json) + rough_tokens(other, is_json=is_json)

    assert abs(parts - rough_tokens(one + other, is_json=is_json)) <= 1


@clause("EST-029")
@given(any_text(), any_text(), st.integers(0, 50), METHODS)
def test_an_estimate_never_falls_when_text_is_added(text: str, more: str, place: int, method: str) -> None:
    """Documented anywhere in the text, bound at its end."""
    cut = place if method == "documented" else len(text)

    assert estimate_text(text, method=method) <= estimate_text(text[:cut] + more + text[cut:], method=method)


@clause("EST-001", "EST-029")
@given(any_text())
def test_units_are_never_more_than_bytes(text: str) -> None:
    """UTF-16 gives at most what UTF-8 gives, and the same for ASCII."""
    in_units, in_bytes = rough_tokens(text, unit=Unit.UTF16), rough_tokens(text, unit=Unit.UTF8)

    assert in_units <= in_bytes
    assert not text.isascii() or in_units == in_bytes


@clause("EST-003", "EST-029")
@given(any_text())
def test_json_costs_at_least_as_much(text: str) -> None:
    """Ratio 2 never gives less than ratio 4."""

    assert rough_tokens(text) <= rough_tokens(text, is_json=True)


@clause("EST-025")
@given(any_text())
def test_every_text_has_a_size(text: str) -> None:
    """Lone surrogates and control characters included, at once and without an error, by both methods (B166, B180)."""

    assert (size_utf16(text) + 2) // 4 == estimate_text(text, method="documented")
    assert (1 if text else 0) <= estimate_text(text, method="bound") <= 4 * size_utf8(text)


@clause("EST-025", "EST-031")
@given(st.characters(), st.integers(1, 400), FAMILY)
def test_runs_of_one_character_cost_in_proportion(letter: str, count: int, family: str) -> None:
    """A run twice as long costs twice as much, but for one pair: nothing grows faster than the text (B176)."""
    once, twice = bound_tokens(letter * count, family), bound_tokens(letter * count * 2, family)

    assert abs(twice - 2 * once) <= 3 + 1  # a pair weighs less than 2 tokens; each of the two sums rounds up once


@clause("EST-012")
@given(LISTS, LISTS, METHODS)
def test_a_list_is_the_sum_of_its_rows(one: list[Any], other: list[Any], method: str) -> None:
    """Lists joined cost what they cost apart, but for what a list adds by itself."""
    framed = FAMILIES["any"].list_tokens if method == "bound" and one and other else 0

    assert cost(one, method) + cost(other, method) - framed == cost([*one, *other], method)


@clause("EST-029", "EST-032")
@given(LISTS, METHODS)
def test_a_list_never_falls_when_rows_are_added(messages: list[Any], method: str) -> None:
    """The first rows cost no more than all of them."""
    costs = [cost(messages[:count], method) for count in range(len(messages) + 1)]

    assert sorted(costs) == costs
    assert costs[0] == 0


@clause("EST-001", "EST-029")
@given(LISTS, st.sampled_from(list(JsonResults)))
def test_a_list_costs_no_more_in_units_than_in_bytes(messages: list[Any], json_results: JsonResults) -> None:
    """What holds for a text holds for the sum."""
    in_units, in_bytes = (
        cost(messages, choices=evolve(Choices(), unit=unit, json_results=json_results))
        for unit in (Unit.UTF16, Unit.UTF8)
    )

    assert in_units <= in_bytes


@clause("EST-004", "EST-029")
@given(LISTS)
def test_results_cost_no_less_as_json(messages: list[Any]) -> None:
    """Value 2 of `tokens.json_results` never gives less than value 4 (B171)."""
    four, two = (
        cost(messages, choices=evolve(Choices(), json_results=value)) for value in (JsonResults.FOUR, JsonResults.TWO)
    )

    assert four <= two


@clause("EST-021")
@given(LISTS)
def test_padding_is_rounded_up_once(messages: list[Any]) -> None:
    """Four thirds of the sum under one value, nothing under the other; the bound is never padded."""
    plain, bound = cost(messages), cost(messages, "bound")
    none = Choices(message_pad=MessagePad.NONE)

    assert div_ceil(plain * 4, 3) == cost(messages, is_padded=True, choices=Choices(message_pad=MessagePad.FOUR_THIRDS))
    assert plain == cost(messages, is_padded=True, choices=none)
    assert bound == cost(messages, "bound", is_padded=True)


@clause("EST-011", "EST-032")
@given(LISTS, st.sampled_from(["image", "document"]), short_text(), st.integers(1, 3), FAMILY)
def test_media_are_flat(messages: list[Any], kind: str, payload: str, count: int, family: str) -> None:
    """Each picture adds the same, whatever its payload, in a message and in a result (B167, B169)."""
    media = [{"type": kind, "source": {"type": "base64", "data": payload * 50}, "content": payload}] * count
    results: list[Any] = [{"type": "tool_result", "content": inner} for inner in ([], media)]
    table = FAMILIES[family]

    assert cost([*messages, {"role": "user", "content": media}]) == cost(messages) + count * DEFAULT.image_tokens
    for one, other in (([], media), (results[:1], results[1:])):
        without, with_media = (
            cost([{"role": "user", "content": content}, *messages], "bound", family=family) for content in (one, other)
        )
        assert with_media == without + count * (table.image_tokens + table.block_tokens)


@clause("EST-031")
@given(st.characters(min_codepoint=0x10000))
def test_a_character_beyond_the_basic_plane_costs_at_least_one(letter: str) -> None:
    """Four bytes are never less than a token, in the default table (B165)."""

    assert bound_tokens(letter) >= 1


@clause("EST-031")
def test_ideographs_cost_more_than_one_on_the_average() -> None:
    """20,992 of them, each once: no share of four characters to a token can hold there (B163)."""

    assert bound_tokens(HAN) > len(HAN)


@clause("EST-007", "EST-026", "EST-029")
@given(st.text(max_size=8), st.integers(0, 3_000), METHODS)
def test_a_call_costs_its_input(name: str, size: int, method: str) -> None:
    """The larger the input, the more it costs; a call never costs its name alone (B172)."""
    call = {"type": "tool_use", "id": "t", "name": name, "input": {"content": "x" * size}}
    bare = {"type": "tool_use", "id": "t", "name": name}
    with_input, without = (cost([{"role": "assistant", "content": [block]}], method) for block in (call, bare))

    assert with_input >= without
    assert method == "bound" or abs(with_input - without - size / 4) <= 4  # {"content":""} for {} is 12 units more


@clause("EST-026")
@given(LISTS, st.sampled_from([None, {}, [], "", 0, False]), METHODS)
def test_what_is_missing_or_odd_never_fails(messages: list[Any], odd: Any, method: str) -> None:
    """A null, an empty object or a bare value in the place of a row, of content or of a block is counted (B173)."""
    for disturbed in (
        [odd, *messages],
        [*messages, {"role": "user", "content": odd}, {"role": "user", "content": [odd]}],
    ):
        assert cost(disturbed, method) >= cost(messages, method)


@clause("EST-001", "EST-032")
@given(LISTS, METHODS, FAMILY)
def test_the_public_name_gives_the_sum(messages: list[Any], method: str, family: str) -> None:
    """What the package gives is what the model gives, and the same again."""
    expected = cost(messages, method, family=family)

    assert expected == fast.estimate_messages(messages, method=method, family=family)
    assert expected == fast.estimate_messages(tuple(messages), method=method, family=family)
