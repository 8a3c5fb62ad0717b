"""Texts that the documented rule counts far too low, beside what a real tokenizer makes of them."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.tokens import estimate_text

COUNTED = {
    '{"id":"7f3a9c21-5b8e-4d2f-9a61-0c4e8b7d1f35","ok":true,"n":[0.123456,98.7,-3,1e-7]}': 59,
    "[[1,2],[3,4],[5,6],[7,8],[9,0]]": 21,
    "的一是不了人我在有他这为之大来以个中上们": 18,
    "3f2504e04f8911d39a0c0305e82c3301": 21,
}
"""Text -> what the vocabulary o200k makes of it, counted once."""


@clause("EST-023", "EST-030")
@pytest.mark.parametrize(("text", "tokens"), COUNTED.items())
def test_the_bound_lies_above_where_the_rule_lies_far_below(text: str, tokens: int) -> None:
    """JSON, digits and Han cost more than one and a half times the rough estimate, and at most the bound (B171)."""

    assert 3 * estimate_text(text, method="documented") < 2 * tokens
    assert tokens <= estimate_text(text, family="openai-o200k")
    assert tokens <= estimate_text(text, family="any")
