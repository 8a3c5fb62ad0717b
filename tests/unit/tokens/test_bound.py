"""The bound: its form, its edges, and the shape of its tables."""

from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.errors import InvalidArgumentError
from keel_ref.strategies.text import any_text
from keel_ref.text import utf8_form
from keel_ref.tokens import families
from keel_ref.tokens.bound import bound_tokens, bound_units
from keel_ref.tokens.weights import BYTE_CLASSES, BYTE_WEIGHTS, CLASS_COUNT, PAIR_WEIGHTS, UNIT

FAMILIES = tuple(families.FAMILIES)
TEXTS = any_text()
FAMILY = st.sampled_from(FAMILIES)
LARGEST_WEIGHT = 255
EMOJI = "\N{GRINNING FACE}"


@pytest.mark.clause("EST-031")
@given(TEXTS, FAMILY)
def test_a_sum_over_bytes_and_their_neighbours(text: str, family: str) -> None:
    """Counting each byte and each pair by itself, behind a line end, gives the same sum."""
    data = b"\n" + text.encode("utf-8", "surrogatepass")
    singles = sum(data[1:].count(byte) * BYTE_WEIGHTS[family][byte] for byte in set(data))
    neighbours = [(BYTE_CLASSES[one], BYTE_CLASSES[other]) for one, other in pairwise(data)]
    pairs = sum(neighbours.count((a, b)) * PAIR_WEIGHTS[family][a * CLASS_COUNT + b] for a, b in set(neighbours))

    assert ceil((singles + pairs) / UNIT) == bound_tokens(text, family)


@pytest.mark.clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_costs_nothing(family: str) -> None:
    """The empty text is 0, in either form."""

    assert bound_tokens("", family) == 0
    assert bound_tokens(b"", family) == 0


@pytest.mark.clause("EST-029")
@given(TEXTS, TEXTS, FAMILY)
def test_adding_to_the_end_never_lowers_it(text: str, more: str, family: str) -> None:
    """A text that grows at its end never costs less."""

    assert bound_tokens(text, family) <= bound_tokens(text + more, family)


@pytest.mark.clause("EST-031")
@given(TEXTS, TEXTS.filter(bool), FAMILY)
def test_parts_differ_from_the_whole_by_one_pair(left: str, right: str, family: str) -> None:
    """Where two parts meet, the pair of their ends takes the place of the pair with a line end."""
    first = BYTE_CLASSES[utf8_form(right)[0]]
    before = BYTE_CLASSES[utf8_form("\n" + left)[-1]]
    met = PAIR_WEIGHTS[family][before * CLASS_COUNT + first]
    apart = PAIR_WEIGHTS[family][BYTE_CLASSES[ord("\n")] * CLASS_COUNT + first]

    assert bound_units(left + right, family) == bound_units(left, family) + bound_units(right, family) + met - apart


@pytest.mark.clause("EST-025")
@given(TEXTS, FAMILY)
def test_text_is_its_utf8_form(text: str, family: str) -> None:
    """A text and the bytes of its UTF-8 form cost the same; broken bytes are mended first."""
    data = text.encode("utf-8", "surrogatepass")

    assert bound_tokens(data.decode("utf-8", "replace"), family) == bound_tokens(data, family)


@pytest.mark.clause("EST-025")
@pytest.mark.parametrize("data", ["\0", "\ud83d", "\ude00\ud83d", b"\xff\xfe", b"\x80", b"\xf0\x9f"])
def test_odd_text_has_a_size(data: str | bytes) -> None:
    """NUL, surrogates and bytes that are no UTF-8 cost something and never fail."""

    assert bound_tokens(data) >= 1


@pytest.mark.clause("EST-031")
def test_an_unknown_family_is_refused() -> None:
    """The message names the families that there are."""
    with pytest.raises(InvalidArgumentError, match="gemma") as caught:
        bound_tokens("text", "gpt-2")

    assert caught.value.argument == "family"


@pytest.mark.clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_tables_are_whole(family: str) -> None:
    """A weight for every byte and every pair of classes, each fit for one byte; a class for every byte."""
    weights = (*BYTE_WEIGHTS[family], *PAIR_WEIGHTS[family])

    assert (256, 256, CLASS_COUNT**2) == (len(BYTE_CLASSES), len(BYTE_WEIGHTS[family]), len(PAIR_WEIGHTS[family]))
    assert 0 <= min(weights)
    assert max(weights) <= LARGEST_WEIGHT
    assert set(range(CLASS_COUNT)) == set(BYTE_CLASSES)


@pytest.mark.clause("EST-030")
@pytest.mark.parametrize("family", FAMILIES)
def test_known_shortcomings_of_the_documented_rule_do_not_recur(family: str) -> None:
    """Ideographs, emoji, base64 and digits cost more than one token in four characters."""
    texts = (
        "漢字仮名交じり文の例です。" * 100,
        EMOJI * 200,
        "3q2+7wABAgMEBQYHCAkKCwwNDg8QERIT" * 30,
        "31415926535897932384" * 50,
    )

    assert all(bound_tokens(text, family) > len(text) // 4 for text in texts)


@pytest.mark.clause("EST-030")
@pytest.mark.parametrize("family", FAMILIES)
def test_plain_english_stays_within_reason(family: str) -> None:
    """A bound that is far above is of no use: English prose stays below one token in two characters."""
    text = "The bound of a text is a sum over its bytes, and it is rounded up once, at the end of the whole text. " * 20

    assert len(text) // 6 < bound_tokens(text, family) < len(text) // 2
