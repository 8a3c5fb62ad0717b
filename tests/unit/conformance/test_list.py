"""The registries as lists, and the files to take along."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.cli import main
from keel_ref.cli.list_ import KINDS
from keel_ref.conformance.clauses import load_clauses
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.suite import load_suite
from keel_ref.resources import spec_folder

SUITE = load_suite()
FIRST = {
    "tests": SUITE.vectors[0].id,
    "clauses": next(iter(load_clauses())),
    "capabilities": "text",
    "choices": "memory.root",
    "errors": "invalid_argument",
    "functions": "text.sizes",
}


def listed(kind: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """The entries of a kind, as a program gets them."""
    assert ExitCode.CONFORMANT == main(["list", kind, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert ("keel-list/1", kind) == (document["schema"], document["kind"])
    entries: list[dict[str, Any]] = document["entries"]
    return entries


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_listed_for_people_and_for_programs(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One row for each entry, in the same order, whoever reads it."""
    entries = listed(kind, capsys)
    main(["list", kind])
    rows = capsys.readouterr().out.splitlines()
    names = [entry.get("id") or entry["name"] for entry in entries]

    assert FIRST[kind] == names[0]
    assert names == [row.split()[0] for row in rows]
    assert all(len(row.split()) > 1 for row in rows)


def test_all_tests_and_clauses_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left out, and each test says its clauses, its needs and its digest."""
    tests = listed("tests", capsys)

    assert {vector.id: vector.digest for vector in SUITE.vectors} == {test["id"]: test["digest"] for test in tests}
    assert all(test["clauses"] and test["needs"] and test["level"] for test in tests)
    assert [*SUITE.clauses] == [clause["id"] for clause in listed("clauses", capsys)]


def test_gates_stand_beside_choices_and_reasons_beside_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """What belongs to one file is one list, each entry with its kind."""
    choices = {entry["name"]: entry["kind"] for entry in listed("choices", capsys)}
    errors = {(entry["kind"], entry["name"]) for entry in listed("errors", capsys)}

    assert ("choice", "gate") == (choices["memory.root"], choices["team_memory"])
    assert {("error", "not_a_folder"), ("reason", "excluded"), ("warning", "index-cut")} <= errors


def test_export_copies_the_files_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Vectors and schemas, byte for byte, in their folders."""
    folder = tmp_path / "new" / "suite"
    code = main(["list", "tests", "--export", str(folder)])
    copies = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    assert ExitCode.CONFORMANT == code
    assert f"{len(copies)} files in {folder}\n" == capsys.readouterr().out
    assert {"vectors/text/sizes.json", "schema/vectors.json", "protocol.md"} <= copies
    for name in copies:
        assert (spec_folder() / name).read_bytes() == (folder / name).read_bytes()


def test_export_and_json_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one document stays alone on stdout."""
    main(["list", "choices", "--json", "--export", str(tmp_path)])

    assert "choices" == json.loads(capsys.readouterr().out)["kind"]
    assert ["choices.json"] == [path.name for path in tmp_path.iterdir()]


def test_export_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that holds anything is somebody's."""
    (tmp_path / "mine").touch()
    code = main(["list", "clauses", "--export", str(tmp_path)])

    assert ExitCode.USAGE == code
    assert "it is not empty, and nothing is overwritten" in capsys.readouterr().err
    assert ["mine"] == [path.name for path in tmp_path.iterdir()]


def test_export_to_a_place_that_cannot_be_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in the way is wrong usage, not a crash."""
    (tmp_path / "file").touch()
    code = main(["list", "clauses", "--export", str(tmp_path / "file" / "below")])

    assert ExitCode.USAGE == code
    assert "cannot be written to" in capsys.readouterr().err


def test_a_kind_that_nobody_has_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names those there are."""

    with pytest.raises(SystemExit) as caught:
        main(["list", "mutants"])
    assert ExitCode.USAGE == caught.value.code
    assert "tests" in capsys.readouterr().err
