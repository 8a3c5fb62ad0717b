"""The nodes that a document is parsed into."""

import attrs


@attrs.frozen(kw_only=True)
class Properties:
    """Tag and anchor of a node."""

    tag: str | None = None
    """As it is written; none if there is none."""
    anchor: str | None = None
    """Without its sign; none if there is none."""


@attrs.frozen
class Scalar:
    """A text."""

    text: str
    """After folding and escapes."""
    is_plain: bool = attrs.field(default=False, kw_only=True)
    """Whether it stood without quotes, so that it may be no string."""
    is_missing: bool = attrs.field(default=False, kw_only=True)
    """Whether nothing stood there at all."""
    properties: Properties = attrs.field(default=Properties(), kw_only=True)
    """Its tag and anchor."""


@attrs.frozen
class Sequence:
    """A list."""

    items: "tuple[Node, ...]"
    """In order."""
    properties: Properties = attrs.field(default=Properties(), kw_only=True)
    """Its tag and anchor."""


@attrs.frozen
class Mapping:
    """Keys with values."""

    pairs: "tuple[tuple[Node, Node], ...]"
    """In order."""
    properties: Properties = attrs.field(default=Properties(), kw_only=True)
    """Its tag and anchor."""


@attrs.frozen
class Alias:
    """A node that stands for another."""

    anchor: str
    """Without its sign."""


Node = Scalar | Sequence | Mapping | Alias
"""Anything that may stand in a document."""

MISSING = Scalar("", is_plain=True, is_missing=True)
"""[106] e-node"""

Found = tuple[Node, int]
"""A node and the index behind it."""
