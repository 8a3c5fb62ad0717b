# mypy: ignore-errors
# ruff: noqa: E501 -- the first line of the module stands in one piece
"""The module of constants that ships, keel_ref/tokens/weights.py, laid out as it stands there."""

import numpy as np
from families import FRAMES
from model import CLASS_COUNT, CLASSES, UNIT

PER_LINE = 22


def rows_of(numbers: np.ndarray, indent: str, per_line: int = PER_LINE) -> str:
    """Numbers laid out in lines."""
    lines = [", ".join(str(int(one)) for one in numbers[at : at + per_line]) for at in range(0, len(numbers), per_line)]
    return "".join(f"{indent}{line},\n" for line in lines)


def module(out: dict, weights: dict[str, np.ndarray]) -> str:
    """The module of constants."""
    bytes_part = "".join(
        f'    "{family}": (\n{rows_of(row[:256], "        ")}    ),\n' for family, row in weights.items()
    )
    pairs_part = "".join(
        f'    "{family}": (\n{rows_of(row[256:], "        ", 2 * CLASS_COUNT)}    ),\n'
        for family, row in weights.items()
    )
    frames_part = "".join(f'    "{family}": {FRAMES[family]},\n' for family in weights)
    named = ", ".join(out["tokenizers"])
    return f'''"""The weights of the bound, made by benches/calibration/calibrate.py (`make calibrate`); not to be edited by hand.

Made from texts of {out["kinds"]} kinds, {out["extent"]} extent, counted with these tokenizers:
{wrapped(named)}
What they are worth, and on what: benches/calibration/RESULTS.md. Spec: EST-030 to EST-032.
"""

from typing import Final

# fmt: off
MADE: Final = "{out["date"]}"
"""The day on which the weights were made."""

CORPUS_SHA256: Final = "{out["corpus_sha256"]}"
"""Over the digests of the texts."""

UNIT: Final = {UNIT}
"""Units in one token."""

CLASS_COUNT: Final = {CLASS_COUNT}
"""Classes of bytes: vowel, small letter, capital, digit, blank, control, continuation, lead, joiner, punctuation."""

BYTE_CLASSES: Final[tuple[int, ...]] = (
{rows_of(CLASSES, "    ", 32)})
"""The class of each byte."""

BYTE_WEIGHTS: Final[dict[str, tuple[int, ...]]] = {{
{bytes_part}}}
"""Family -> what each byte weighs, in units."""

PAIR_WEIGHTS: Final[dict[str, tuple[int, ...]]] = {{
{pairs_part}}}
"""Family -> what a byte weighs more behind another, in units; at class before times CLASS_COUNT plus class now."""

FRAMES: Final[dict[str, tuple[int, int, int, int]]] = {{
{frames_part}}}
"""Family -> what a list, a row, a block that is no text, and an image or document add, in tokens."""
# fmt: on
'''


def wrapped(text: str, width: int = 110) -> str:
    """A list in lines."""
    lines, held = [], ""
    for word in text.split(" "):
        if len(held) + len(word) > width:
            lines.append(held.strip())
            held = ""
        held += word + " "
    return "\n".join([*lines, held.strip() + "."])
