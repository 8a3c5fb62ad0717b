"""A family of somebody's own, from the file that `keel-ref calibrate` wrote: the public entry point. Spec: EST-030."""

from __future__ import annotations

import os
from typing import Final

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.families import Family
from keel_ref.tokens.family_file import family_from_object
from keel_ref.tokens.json_text import NotJson, parse_json

CAP_BYTES: Final = 1024 * 1024
"""More than any table with its provenance needs."""


def load_family(path: str | os.PathLike[str]) -> Family:
    """The family in the file, for the argument `family` of the estimators. Spec: EST-030.

    Raises `InvalidArgumentError` for a file that cannot be read or holds no table.
    """
    shown = os.fsdecode(path)
    try:
        with open(path, "rb") as file:
            data = file.read(CAP_BYTES + 1)
    except OSError as error:
        raise InvalidArgumentError("family", f"{shown} cannot be read ({error.strerror or error})") from error
    if len(data) > CAP_BYTES:
        raise InvalidArgumentError("family", f"{shown} holds more than {CAP_BYTES:,} bytes and so no table")
    try:
        return family_from_object(parse_json(data.decode("utf-8")))
    except (UnicodeDecodeError, NotJson) as error:
        raise InvalidArgumentError("family", f"{shown} is no JSON ({error})") from error
    except InvalidArgumentError as error:
        raise InvalidArgumentError("family", f"{shown}: {error.problem}") from error
