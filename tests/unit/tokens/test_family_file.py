"""A family as a file, written and read."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from keel_ref import load_family
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import FAMILIES
from keel_ref.tokens.family_file import family_as_object, family_from_object


def table(**changes: Any) -> dict[str, Any]:
    """The published table of `any` under another name as an object, with some keys changed."""
    return family_as_object(FAMILIES["any"], {"counter": "none"}) | {"name": "mine"} | changes


@clause("EST-030")
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_what_was_written_is_read(name: str, tmp_path: Path) -> None:
    """Every table comes back as it was."""
    path, family = tmp_path / "family.json", evolve(FAMILIES[name], name=f"my-{name}")
    path.write_text(json.dumps(family_as_object(family, {})), encoding="utf-8")

    assert family == load_family(path)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "no table"),
        ({}, "no table"),
        (table(schema="keel-family/2"), "no table"),
        (table(name=""), "name is a text"),
        (table(name="claude"), "published family; give the table another, as in 'my-claude'"),
        (table(unit=64), "only 128"),
        (table(bytes=[1] * 255), "bytes is a list of 256"),
        (table(bytes=[1] * 255 + [True]), "bytes is a list of 256"),
        (table(bytes=[1] * 255 + [0]), "within 1 to 255"),
        (table(pairs=[0] * 99 + [256]), "within 0 to 255"),
        (table(pairs=None), "pairs is a list of 100"),
        (table(row=-1), "row is a whole number"),
        (table(image=1.5), "image is a whole number"),
        (table(list=True), "list is a whole number"),
    ],
)
def test_what_is_no_table_is_refused(value: Any, said: str) -> None:
    """The message names the key at fault."""
    with pytest.raises(InvalidArgumentError, match=said):
        family_from_object(value)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff", "is no JSON"), (b"{", "is no JSON"), (b" " * 1_048_577, "holds more than"), (b"{}", "no table")],
)
def test_a_file_that_holds_no_table_is_named(content: bytes, said: str, tmp_path: Path) -> None:
    """The message has the path and the reason."""
    path = tmp_path / "family.json"
    path.write_bytes(content)

    with pytest.raises(InvalidArgumentError, match=rf"family\.json.*{said}"):
        load_family(path)
    with pytest.raises(InvalidArgumentError, match=r"gone cannot be read \(No such file"):
        load_family(tmp_path / "gone")
