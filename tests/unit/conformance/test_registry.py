"""The registries, read strictly."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance.faults import SpecFault
from keel_ref.conformance.registry import load_registries
from keel_ref.resources import spec_folder

FILES = ("choices.json", "capabilities.json", "errors.json", "functions.json", "coverage.json")


def lay(folder: Path, file: str, change: Any) -> Path:
    """A copy of the registries in which one file is changed in place."""
    for name in FILES:
        shutil.copyfile(spec_folder() / name, folder / name)
    content = json.loads((folder / file).read_text(encoding="utf-8"))
    change(content)
    (folder / file).write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_the_installed_registries_can_be_read() -> None:
    """Each has entries, and an entry keeps what its file says."""
    known = load_registries()

    assert ("skip", "read") == known.choices["memory.root"].values
    assert "skip" == known.choices["memory.root"].default
    assert known.capabilities["memory"].is_core
    assert ("memory",) == known.capabilities["memory.includes"].needs
    assert "MEM-080" == known.reasons["include-depth"].clause
    assert "memory" == known.functions["memory.load"].capability
    assert "cwd" == known.functions["memory.load"].arguments[0]["name"]
    assert "required" == known.functions["memory.load"].arguments[0]["default"]
    assert not known.gates["team_memory"].documented
    assert ("MEM-010", "MEM-011") == known.facts["M-09a"].clauses
    assert known.facts["M-63"].not_modelled


def test_advice_is_told_from_what_is_demanded() -> None:
    """No test asks for a warning that an implementation need not give."""
    warnings = load_registries().warnings

    assert warnings["index-cut"].is_demanded
    assert not warnings["import-typo"].is_demanded


@pytest.mark.parametrize(
    ("file", "key", "change", "problem"),
    [
        ("choices.json", "choices", {"name": 7}, "choices[0]: 'name' must be a text"),
        ("choices.json", "choices", {"default": "read"}, "choices[0]: the default of memory.root must be the first"),
        ("choices.json", "choices", {"meaning": {"skip": "x"}}, "every value of memory.root needs its meaning"),
        ("choices.json", "choices", {"values": "skip"}, "'values' must be a list of texts"),
        ("choices.json", "choices", {"name": "memory.bom"}, "memory.bom stands twice"),
        ("choices.json", "gates", {"documented": "off"}, "gates[0]: 'documented' must be true or false"),
        ("capabilities.json", "capabilities", {"needs": None}, "capabilities[0]: 'needs' must be a list of texts"),
        ("errors.json", "reasons", {"clause": ""}, "reasons[0]: 'clause' must be a text"),
        ("errors.json", "warnings", {"demanded": 1}, "warnings[0]: 'demanded' must be true or false"),
        ("functions.json", "functions", {"arguments": {}}, "functions[0]: 'arguments' must be a list"),
        ("functions.json", "functions", {"arguments": ["x"]}, "'argument' must be an object of texts"),
    ],
)
def test_an_ill_formed_entry_names_file_and_place(
    tmp_path: Path, file: str, key: str, change: dict[str, Any], problem: str
) -> None:
    """An entry that is read almost rightly would hold somebody to what nobody wrote."""
    folder = lay(tmp_path, file, lambda content: content[key][0].update(change))

    with pytest.raises(SpecFault) as caught:
        load_registries(folder)
    assert file == caught.value.path
    assert problem in caught.value.problem


@pytest.mark.parametrize("row", [[], {}, {"not_modelled": ""}, ["MEM-001", 7], "MEM-001", None])
def test_a_fact_has_clauses_or_a_reason(tmp_path: Path, row: object) -> None:
    """A row that says neither is a fact that was forgotten."""
    folder = lay(tmp_path, "coverage.json", lambda content: content.update({"M-01": row}))

    with pytest.raises(SpecFault, match=r"coverage\.json: M-01: a list of clauses, or"):
        load_registries(folder)


def test_a_registry_that_is_no_json_is_told(tmp_path: Path) -> None:
    """The fault names the file, whichever it is."""
    folder = lay(tmp_path, "coverage.json", lambda content: content.clear())
    (folder / "coverage.json").write_text("{")

    with pytest.raises(SpecFault, match=r"coverage\.json: no object can be read"):
        load_registries(folder)
