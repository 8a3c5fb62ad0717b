"""What is known of a model by its name."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from tests.literal.window.numbers import lower_ascii, trim

MODELS = Path(__file__).parents[3] / "spec" / "models.json"
"""The table. [WIN-006]"""

SUFFIX = "[1m]"
"""The suffix, with its letter lower-cased. [WIN-002]"""


@cache
def read_table() -> dict[str, dict[str, Any]]:
    """The rows by their names. Spec: WIN-006."""
    table = json.loads(MODELS.read_text(encoding="utf-8"))
    return {row["name"]: row for row in table["models"]}


def has_suffix(name: str | None) -> bool:
    """Whether the name ends in the suffix. Spec: WIN-002."""
    return name is not None and lower_ascii(trim(name)).endswith(SUFFIX)


def find_row(name: str | None) -> dict[str, Any] | None:
    """The row of a model, or none. Spec: WIN-006."""
    if name is None or name == "":
        return None  # an empty name is none
    text = lower_ascii(trim(name))  # step 1
    text = text.removesuffix(SUFFIX)
    text = text.rpartition("/")[2]  # step 2
    text = text.rpartition("anthropic.")[2]
    text = re.sub(r"-v[0-9]+(?::[0-9]+)?\Z", "", text)  # step 3
    text = text.removesuffix("@default").replace("@", "-")
    table = read_table()
    if text in table:
        return table[text]  # step 4
    alike = [other for other in table if without_date(other) == without_date(text)]
    return table[max(alike)] if alike else None


def without_date(name: str) -> str:
    """The name without an ending of `-` and eight digits. Spec: WIN-006."""
    return re.sub(r"-[0-9]{8}\Z", "", name)
