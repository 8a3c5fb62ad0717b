"""The size of a context with any usage: what it stands on, what never enters it, and the percentage."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, Fragments
from keel_ref.conformance.marks import clause
from keel_ref.messages.rows import as_object, is_boundary
from keel_ref.messages.view import view_start
from keel_ref.strategies.conversations import BOUNDARY, conversations
from keel_ref.strategies.messages import json_rows, sound_usages, usages
from keel_ref.tokens import context_size, estimate_messages, read_usage, used_percentage

LISTS = conversations() | json_rows()
CHOICES = st.sampled_from([Choices(fragments=value) for value in Fragments])


def without_usage(row: Any) -> Any:
    """The row as it would be had nobody measured it."""
    return {key: value for key, value in row.items() if key != "usage"} if isinstance(row, dict) else row


@clause("EST-016")
@given(LISTS, CHOICES)
def test_both_parts_add_up(messages: list[Any], choices: Choices) -> None:
    """`measured` and `estimated` are at least 0, and `tokens` is their sum."""
    size = context_size(messages, choices=choices)

    assert size.measured + size.estimated == size.tokens
    assert min(size.measured, size.estimated) >= 0


@clause("EST-019")
@given(LISTS, CHOICES)
def test_without_usage_it_is_the_sum_over_the_view(messages: list[Any], choices: Choices) -> None:
    """Nothing measured, so everything is estimated, and nothing is added."""
    bare = [without_usage(row) for row in messages]
    size = context_size(bare, choices=choices)

    assert 0 == size.measured
    assert estimate_messages(bare[view_start(bare) :], method="documented").tokens == size.estimated


@clause("EST-020", "MSG-002")
@given(LISTS, LISTS, CHOICES)
def test_what_stands_before_the_boundary_has_no_influence(
    before: list[Any], messages: list[Any], choices: Choices
) -> None:
    """Any rows may be put in front of a boundary."""
    after = [BOUNDARY, *messages]
    plain, behind = context_size(after, choices=choices), context_size([*before, *after], choices=choices)

    assert (plain.measured, plain.estimated) == (behind.measured, behind.estimated)


@clause("EST-019", "EST-020")
@given(LISTS, st.sampled_from(["kept", "error"]), CHOICES)
def test_void_usage_is_no_usage(messages: list[Any], mark: str, choices: Choices) -> None:
    """A list whose rows are all kept or all errors has nothing measured in it."""
    marked = [{**row, mark: True} if isinstance(row, dict) else row for row in messages]

    assert 0 == context_size(marked, choices=choices).measured


@clause("EST-016")
@given(LISTS, json_rows(1), CHOICES)
def test_a_row_without_usage_never_lowers_it(messages: list[Any], more: list[Any], choices: Choices) -> None:
    """Unless it is a boundary, a row that is appended makes a context larger or leaves it."""
    bare = [without_usage(row) for row in more]
    if any(is_boundary(row) for row in bare):
        return

    assert context_size(messages, choices=choices).tokens <= context_size([*messages, *bare], choices=choices).tokens


@clause("EST-018")
@given(LISTS)
def test_leaving_fragments_out_never_gives_more(messages: list[Any]) -> None:
    """`skip` is at most `count`, and both stand on the same usage."""
    counted = context_size(messages, choices=Choices(fragments=Fragments.COUNT))
    skipped = context_size(messages, choices=Choices(fragments=Fragments.SKIP))

    assert counted.measured == skipped.measured
    assert skipped.estimated <= counted.estimated


@clause("EST-017")
@given(st.permutations(["A", "B", "C"]), st.permutations(range(4)), sound_usages(), CHOICES)
def test_fragments_may_stand_anywhere_among_results(
    order: list[str], places: list[int], usage: dict[str, int], choices: Choices
) -> None:
    """As long as one stands first, no result is lost: each counts once, wherever the later fragments stand."""
    fragment = {"role": "assistant", "id": "m", "usage": usage, "content": [{"type": "text", "text": "ab"}]}
    mixed: list[Any] = [{"role": "user", "content": [{"type": "tool_result", "content": name * 40}]} for name in order]
    for place in places[:2]:
        mixed.insert(place, fragment)
    size = context_size([{"role": "user", "text": "x" * 400}, fragment, *mixed], choices=choices)
    later = 2 if choices.fragments is Fragments.COUNT else 0

    assert 3 * 10 + later == size.estimated


@clause("EST-013", "EST-014", "EST-015")
@given(usages(), st.integers(1, 1_000_000))
def test_the_percentage_is_a_percentage(usage: Any, window: int) -> None:
    """Between 0 and 100 whatever was recorded, of a sum that is at most the total."""
    percent, _ = used_percentage(usage, window)
    read = read_usage(usage)

    assert 0 <= percent <= 100
    assert read is None or read.input_total <= read.total
    assert (read is None) == (as_object(usage) is None)


@clause("EST-014")
@given(sound_usages(), st.integers(1, 1_000_000))
def test_the_output_moves_no_gauge(usage: dict[str, int], window: int) -> None:
    """The same input gives the same percentage, whatever came out."""

    assert used_percentage({**usage, "output_tokens": 0}, window) == used_percentage(usage, window)


@clause("EST-016", "EST-015")
@given(LISTS, sound_usages(), CHOICES)
def test_the_last_measurement_counts(messages: list[Any], usage: dict[str, int], choices: Choices) -> None:
    """A response that ends the list is all that is measured, and nothing behind it is left to estimate (B183)."""
    last = {"role": "assistant", "id": "the last one", "text": "done", "usage": usage}
    size = context_size([*messages, last], choices=choices)

    assert (sum(usage.values()), 0) == (size.measured, size.estimated)
