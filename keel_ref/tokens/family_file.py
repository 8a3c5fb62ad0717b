"""A family of somebody's own as a JSON object: the form of one family of weights.json, and where it comes from.

Spec: EST-030.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.families import BYTE_VALUES, FAMILIES, Family
from keel_ref.tokens.weights import CLASS_COUNT, UNIT

SCHEMA: Final = "keel-family/1"
WEIGHT_CAP: Final = 255
"""The largest weight that a table holds."""


def family_as_object(family: Family, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The object that `family_from_object` reads again."""
    return {
        "schema": SCHEMA,
        "name": family.name,
        "unit": UNIT,
        "bytes": list(family.byte_weights),
        "pairs": list(family.pair_weights),
        "list": family.list_tokens,
        "row": family.row_tokens,
        "block": family.block_tokens,
        "image": family.image_tokens,
        "provenance": dict(provenance),
    }


def family_from_object(value: object) -> Family:
    """The family that the object says. Raises `InvalidArgumentError` that names the key at fault. Spec: EST-031."""
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise InvalidArgumentError("family", f"this is no table of a family (schema {SCHEMA})")
    name = value.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidArgumentError("family", "name is a text that is not empty")
    if name in FAMILIES:
        raise InvalidArgumentError(
            "family", f"name is {name!r}, which is a published family; give the table another, as in 'my-{name}'"
        )
    if value.get("unit") != UNIT:
        raise InvalidArgumentError("family", f"unit is {value.get('unit')!r}; only {UNIT} can be read")
    return Family(
        name=name,
        byte_weights=_weights(value, "bytes", BYTE_VALUES, lowest=1),
        pair_weights=_weights(value, "pairs", CLASS_COUNT**2, lowest=0),
        list_tokens=_tokens(value, "list"),
        row_tokens=_tokens(value, "row"),
        block_tokens=_tokens(value, "block"),
        image_tokens=_tokens(value, "image"),
    )


def _weights(table: Mapping[str, Any], key: str, count: int, *, lowest: int) -> bytes:
    found = table.get(key)
    if not isinstance(found, list) or len(found) != count or not all(map(_is_whole, found)):
        raise InvalidArgumentError("family", f"{key} is a list of {count} whole numbers")
    if not all(lowest <= weight <= WEIGHT_CAP for weight in found):
        raise InvalidArgumentError("family", f"{key} holds a weight that is not within {lowest} to {WEIGHT_CAP}")
    return bytes(found)


def _tokens(table: Mapping[str, Any], key: str) -> int:
    found = table.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise InvalidArgumentError("family", f"{key} is a whole number of tokens, at least 0")
    return found


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
