"""The tables of the bound: sizes, ranges, classes, and the constants of frames."""

from itertools import pairwise

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.tokens.weights import (
    BYTE_CLASSES,
    BYTE_WEIGHTS,
    CLASS_COUNT,
    CORPUS_SHA256,
    FRAMES,
    MADE,
    PAIR_WEIGHTS,
    UNIT,
)

FAMILIES = (
    *("openai-cl100k", "openai-o200k", "claude", "claude-4.7", "llama3", "qwen"),
    *("gemma", "mistral", "deepseek", "glm", "kimi", "any"),
)
LARGEST = 255
DEAREST_BYTE_TOKENS = 4

CONTROL = {*range(0x20), 0x7F}
CLASSES = (
    frozenset(b"aeiou"),
    frozenset(b"bcdfghjklmnpqrstvwxyz"),
    frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    frozenset(b"0123456789"),
    frozenset(b" "),
    frozenset(CONTROL),
    frozenset(range(0x80, 0xC0)),
    frozenset(range(0xC0, 0x100)),
    frozenset(b"_-'."),
    frozenset(b'!"#$%&()*+,/:;<=>?@[\\]^`{|}~'),
)
"""The bytes of each class, as the section The bound of the chapter on tokens lists them."""


@clause("EST-030")
@pytest.mark.parametrize("table", [BYTE_WEIGHTS, PAIR_WEIGHTS, FRAMES], ids=["bytes", "pairs", "frames"])
def test_the_families(table: dict[str, tuple[int, ...]]) -> None:
    """Each table has the same families, in one order, and `any` last."""

    assert list(FAMILIES) == list(table)


@clause("EST-031")
@pytest.mark.parametrize("number", range(10))
def test_a_class_has_its_bytes(number: int) -> None:
    """The bytes of a class are those of the specification."""

    assert CLASSES[number] == frozenset(byte for byte in range(256) if BYTE_CLASSES[byte] == number)


@clause("EST-031")
def test_the_scale_and_the_sizes() -> None:
    """Weights are of 1/128 token; there are ten classes and 256 bytes."""

    assert (128, 10, 256) == (UNIT, CLASS_COUNT, len(BYTE_CLASSES))


@clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_a_weight_for_all_bytes_and_pairs(family: str) -> None:
    """256 byte weights and 100 pair weights."""

    assert (256, CLASS_COUNT**2) == (len(BYTE_WEIGHTS[family]), len(PAIR_WEIGHTS[family]))


@clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_weights_fit_a_byte(family: str) -> None:
    """From 0 to 255, and no byte is for nothing."""

    assert min(BYTE_WEIGHTS[family]) >= 1
    assert min(PAIR_WEIGHTS[family]) >= 0
    assert max(*BYTE_WEIGHTS[family], *PAIR_WEIGHTS[family]) <= LARGEST


@clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_no_byte_costs_more_than_four_tokens(family: str) -> None:
    """The dearest byte behind its dearest neighbour stays at or below 4 tokens."""
    dearest = max(
        weight + PAIR_WEIGHTS[family][before * CLASS_COUNT + BYTE_CLASSES[byte]]
        for byte, weight in enumerate(BYTE_WEIGHTS[family])
        for before in range(CLASS_COUNT)
    )

    assert dearest <= DEAREST_BYTE_TOKENS * UNIT


@clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_a_byte_that_no_utf8_text_has_still_costs_something(family: str) -> None:
    """0xC0, 0xC1 and what lies above 0xF4 stand for no text, and weigh more than the least."""

    assert all(BYTE_WEIGHTS[family][byte] > 1 for byte in (0xC0, 0xC1, *range(0xF5, 0x100)))


@clause("EST-032")
def test_the_constants_of_frames() -> None:
    """A list 8, a row 8, a block 16; a picture 1,568 for Claude up to 4.6, else 4,784."""

    assert {family: (8, 8, 16, 1568 if family == "claude" else 4784) for family in FAMILIES} == FRAMES


@clause("EST-031")
def test_ideographs_cost_more_than_one_token_on_the_average() -> None:
    """Each ideograph from U+4E00 to U+9FFF, written once, by the table of `any`."""
    by_byte, by_pair = BYTE_WEIGHTS["any"], PAIR_WEIGHTS["any"]
    data = b"\n" + "".join(map(chr, range(0x4E00, 0xA000))).encode()
    units = sum(
        by_byte[now] + by_pair[BYTE_CLASSES[before] * CLASS_COUNT + BYTE_CLASSES[now]] for before, now in pairwise(data)
    )

    assert units > UNIT * (0xA000 - 0x4E00)


@clause("EST-031")
@pytest.mark.parametrize("family", FAMILIES)
def test_a_character_beyond_the_basic_plane_costs_at_least_one(family: str) -> None:
    """The cheapest four bytes of one, behind the cheapest class, weigh a token or more before any rounding."""
    weights, pairs = BYTE_WEIGHTS[family], PAIR_WEIGHTS[family]
    lead, continuation = BYTE_CLASSES[0xF0], BYTE_CLASSES[0x80]
    following = pairs[lead * CLASS_COUNT + continuation] + 2 * pairs[continuation * CLASS_COUNT + continuation]
    before = min(pairs[klass * CLASS_COUNT + lead] for klass in range(CLASS_COUNT))
    inner = min(weights[0x80:0xC0])
    cheapest = min(
        weights[0xF0] + min(weights[0x90:0xC0]),
        min(weights[0xF1:0xF4]) + inner,
        weights[0xF4] + min(weights[0x80:0x90]),
    )

    assert before + cheapest + following + 2 * inner >= UNIT


@clause("EST-030")
def test_the_tables_say_where_they_come_from() -> None:
    """The day, and the digest of the texts."""
    year, month, day = MADE.split("-")

    assert (4, 2, 2) == (len(year), len(month), len(day))
    assert bytes.fromhex(CORPUS_SHA256).hex() == CORPUS_SHA256
    assert 64 == len(CORPUS_SHA256)
