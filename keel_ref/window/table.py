"""What is known of a model: a row of the published table, found by one of the names of the model. Spec: WIN-006."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import field, frozen
from attrs.validators import ge, optional

from keel_ref.text import trim_white_space
from keel_ref.window.models import ROWS

SUFFIX: Final = "[1m]"
"""Asks for the large window, at the end of a model's name. Spec: WIN-002."""
_VERSION: Final = re.compile(r"-v[0-9]+(?::[0-9]+)?\Z")
_DATE: Final = re.compile(r"-[0-9]{8}\Z")
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@frozen(kw_only=True)
class ModelRow:
    """One model of the table, or what a caller says in the place of it."""

    window: int | None = field(default=None, validator=optional(ge(1)))
    """Tokens of input and output together; None where nobody knows."""
    max_output: int | None = field(default=None, validator=optional(ge(1)))
    """Most tokens of one answer; None where nobody knows."""
    supports_1m: bool = False
    """Whether the large window can be asked for by a header."""
    note: str = ""
    """Who says otherwise."""


UNKNOWN: Final = ModelRow()
"""A model that the table does not have."""


def plain_name(model: str) -> str:
    """The name without white space around it, capital letters and the suffix. Spec: WIN-002, WIN-006."""
    return trim_white_space(model).translate(_LOWER).removesuffix(SUFFIX)


def has_suffix(model: str) -> bool:
    """Whether a model's name asks for the large window. Spec: WIN-002."""
    return trim_white_space(model).translate(_LOWER).endswith(SUFFIX)  # [WIN-002]


def table_name(model: str) -> str:
    """The name as the table would write it: without what providers put around it. Spec: WIN-006."""
    name = plain_name(model).rpartition("/")[2]
    name = name.rpartition("anthropic.")[2]
    name = _VERSION.sub("", name)
    return name.removesuffix("@default").replace("@", "-")  # [WIN-006]


def find_row(model: str, rows: Mapping[str, tuple[int, int, bool, str]] = ROWS) -> tuple[str, ModelRow]:
    """The name in the table and the row; an empty name and `UNKNOWN` where there is none. Spec: WIN-006."""
    wanted = table_name(model)
    if wanted not in rows:
        undated = _DATE.sub("", wanted)
        alike = [name for name in sorted(rows) if _DATE.sub("", name) == undated]
        if not alike:
            return "", UNKNOWN
        wanted = alike[-1]  # [WIN-006] the newest of that name
    window, max_output, supports_1m, note = rows[wanted]
    return wanted, ModelRow(window=window, max_output=max_output, supports_1m=supports_1m, note=note)
