"""The option `--family`: a published name, or a file that `keel-ref calibrate` wrote."""

from __future__ import annotations

import os

from keel_ref.adapters.load_family import load_family
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.families import FAMILIES, Family


def read_family(name: str) -> Family:
    """The family that is meant. A published name comes before a file of that name.

    Raises `InvalidArgumentError` for what is neither, or a file that holds no table.
    """
    if name in FAMILIES:
        return FAMILIES[name]
    if os.path.lexists(name):
        return load_family(name)
    known = ", ".join(FAMILIES)
    raise InvalidArgumentError(
        "--family", f"{name!r} is no file and none of {known}; `keel-ref calibrate` makes a file of your own"
    )
