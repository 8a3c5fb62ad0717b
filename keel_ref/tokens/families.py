"""Families of tokenizers: the weights of their bound, the cost of frames and pictures. Spec: EST-030, EST-032."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import field, frozen

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.weights import BYTE_WEIGHTS, CLASS_COUNT, FRAMES, PAIR_WEIGHTS

BYTE_VALUES: Final = 256
LARGEST_COST: Final = 2**32 - 1
"""Tokens for a frame or a picture at most; sums of them stay whole numbers of a machine."""
ANY: Final = "any"
"""The default: fitted to the largest count of all the others' tokenizers. Not the maximum of their tables."""


@frozen(kw_only=True)
class Family:
    """The table of one family; what `family` may be beside a name."""

    name: str
    byte_weights: bytes = field(repr=False)
    """What each value of a byte weighs, in parts of a token; 256 of them."""
    pair_weights: bytes = field(repr=False)
    """What a byte weighs more behind another, by the classes of both; 100 of them."""
    list_tokens: int
    """Tokens for a list of rows as a whole."""
    row_tokens: int
    """Tokens for each row."""
    block_tokens: int
    """Tokens for each block that is no text block."""
    image_tokens: int
    """Tokens of an image or document."""

    def __attrs_post_init__(self) -> None:
        """The sizes that the sums rely on."""
        if len(self.byte_weights) != BYTE_VALUES or len(self.pair_weights) != CLASS_COUNT**2:
            raise InvalidArgumentError("family", f"{self.name}: a table has 256 byte weights and 100 pair weights")
        if 0 in self.byte_weights:
            raise InvalidArgumentError("family", f"{self.name}: the weight of a byte is at least 1")
        costs = (self.list_tokens, self.row_tokens, self.block_tokens, self.image_tokens)
        if not all(0 <= cost <= LARGEST_COST for cost in costs):
            problem = f"{self.name}: a frame or a picture costs 0 to {LARGEST_COST:,} tokens"
            raise InvalidArgumentError("family", problem)


def _published(name: str) -> Family:
    per_list, per_row, per_block, image = FRAMES[name]
    return Family(
        name=name,
        byte_weights=bytes(BYTE_WEIGHTS[name]),
        pair_weights=bytes(PAIR_WEIGHTS[name]),
        list_tokens=per_list,
        row_tokens=per_row,
        block_tokens=per_block,
        image_tokens=image,
    )


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType({name: _published(name) for name in BYTE_WEIGHTS})
"""The published families by name."""


def family_of(family: str | Family) -> Family:
    """The family of that name, or the one given. Raises `InvalidArgumentError` for a name that is not published."""
    if isinstance(family, Family):
        return family
    name: object = family  # what is no text may not even be hashable
    found = FAMILIES.get(name) if isinstance(name, str) else None
    if found is None:
        raise InvalidArgumentError("family", f"{family!r} is none of {', '.join(FAMILIES)}")
    return found
