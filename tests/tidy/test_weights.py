"""The weights of the bound are written down three times, and say the same three times."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from keel_ref.tokens import weights

ROOT = Path(__file__).parents[2]
PUBLISHED: dict[str, Any] = json.loads((ROOT / "spec/weights.json").read_text(encoding="utf-8"))
RUST = (ROOT / "rust/core/src/weights.rs").read_text(encoding="utf-8")
FRAME_NAMES = ("list", "row", "block", "image")

Entry = tuple[str, dict[str, tuple[int, ...]]]
"""A family's name, and its numbers by name."""


def numbers(text: str) -> tuple[int, ...]:
    """The whole numbers of a text."""
    return tuple(map(int, re.findall(r"\d+", text)))


def in_module() -> Iterator[Entry]:
    """The families of the Python module, in order."""
    for family, by_byte in weights.BYTE_WEIGHTS.items():
        frames = dict(zip(FRAME_NAMES, ((one,) for one in weights.FRAMES[family]), strict=True))
        yield family, {"bytes": by_byte, "pairs": weights.PAIR_WEIGHTS[family], **frames}


def in_json() -> Iterator[Entry]:
    """The families of the published file, in order."""
    for family, entry in PUBLISHED["families"].items():
        tables = {name: tuple(entry[name]) for name in ("bytes", "pairs")}
        yield family, tables | {name: (entry[name],) for name in FRAME_NAMES}


def in_rust() -> Iterator[Entry]:
    """The families of the native kernels, in order."""
    for family, body in re.findall(r'\(\s*"([^"]+)",\s*Table \{(.*?)\n        \}', RUST, re.DOTALL):
        tables = re.findall(r"(bytes|pairs): \[([^]]*)\]", body)
        frames = re.findall(r"(list|row|block|image): (\d+),", body)
        yield family, {name: numbers(text) for name, text in (*tables, *frames)}


@pytest.mark.parametrize("other", [in_json, in_rust])
def test_the_families_are_the_same(other: Any) -> None:
    """Names, order, tables and constants agree with the Python module."""

    assert list(in_module()) == list(other())


def test_the_units_are_the_same() -> None:
    """A weight of 1 is the same part of a token everywhere."""
    found = re.search(r"pub const UNIT: u64 = (\d+);", RUST)

    assert found is not None
    assert weights.UNIT == int(found[1])
    assert weights.UNIT == PUBLISHED["unit"]


def test_the_classes_are_the_same() -> None:
    """Each byte is in the same class everywhere."""
    found = re.search(r"CLASSES: \[u8; 256\] = \[([^]]*)\]", RUST)

    assert found is not None
    assert weights.BYTE_CLASSES == numbers(found[1])
    assert weights.BYTE_CLASSES == tuple(PUBLISHED["classes"])


def test_the_published_file_says_where_its_numbers_come_from() -> None:
    """Its form, the day, the texts, and what each family stands on."""

    assert "keel-weights/1" == PUBLISHED["schema"]
    assert (weights.MADE, weights.CORPUS_SHA256) == (PUBLISHED["made"], PUBLISHED["corpus_sha256"])
    assert all(entry["evidence"] for entry in PUBLISHED["families"].values())


def test_each_family_stands_on_a_line_of_its_own() -> None:
    """A change of one family is a change of one line."""
    lines = (ROOT / "spec/weights.json").read_text(encoding="utf-8").splitlines()

    assert list(weights.BYTE_WEIGHTS) == [
        json.loads(f"[{found[0]}]")[0] for line in lines if (found := re.match(r'"[^"]+"(?=: \{"bytes")', line))
    ]
