"""What the released client was seen to load, record by record, on a real disk and in memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.cli import main
from keel_ref.memory import MemoryFile, MemoryRequest, MemorySession, Source
from tests.observations.scenario import Scenario, read_back

RECORDS = json.loads((Path(__file__).parent / "loader.json").read_text(encoding="utf-8"))


@pytest.fixture
def scenario(request: pytest.FixtureRequest, tmp_path: Path) -> Scenario:
    """One record, laid out on the disk."""
    laid = Scenario(record=request.param, base=tmp_path.resolve() / "b")
    laid.lay_out()
    return laid


every_record = pytest.mark.parametrize("scenario", RECORDS, ids=[record["id"] for record in RECORDS], indirect=True)


@every_record
def test_the_command_reproduces_the_observation(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`keel-ref memory --json` gives the files of the record: paths, order, layers, texts, warnings, attached files."""
    for name, value in scenario.env.items():
        monkeypatch.setenv(name, value)
    managed = [] if "managed" in scenario.record else ["--managed-dir", str(scenario.managed)]

    assert main(["memory", scenario.cwd, "--json", *managed, *scenario.flags]) == 0

    plan = json.loads(capsys.readouterr().out)
    assert scenario.expected_start == [(f["path"], f["layer"], f["text"], f["warned"]) for f in plan["files"]]
    assert scenario.reads == list(plan["read"])
    assert scenario.expected_nested == [(f["path"], f["text"]) for found in plan["read"].values() for f in found]


@every_record
def test_the_model_in_memory_reproduces_the_observation(scenario: Scenario) -> None:
    """The same tree held in memory gives the same files."""
    session = MemorySession(read_back(scenario.base, *_existing(scenario.managed)), _request(scenario))
    attached = [file for path in scenario.reads for file in session.touch(path).load.files]

    assert scenario.expected_start == [_seen(file) for file in session.start.files]
    assert scenario.expected_nested == [(file.path, file.text) for file in attached]


def _existing(folder: Path) -> list[Path]:
    return [folder] if folder.is_dir() else []


def _seen(file: MemoryFile) -> tuple[str, str, str, bool]:
    return file.path, str(file.layer), file.text, file.is_warned


def _request(scenario: Scenario) -> MemoryRequest:
    options: dict[str, Any] = {"add_dirs": ()}
    words = list(scenario.flags)
    while words:
        match words.pop(0):
            case "--add-dir":
                options["add_dirs"] += (words.pop(0),)
            case "--sources":
                options["sources"] = Source.parse(filter(None, words.pop(0).split(",")))
            case "--managed-dir":
                options["managed_dir"] = words.pop(0)
            case "--reads":
                words.pop(0)
            case flag:
                options[flag.removeprefix("--").replace("-", "_")] = True
    return MemoryRequest(cwd=scenario.cwd, home=scenario.env["HOME"], env=scenario.env, **options)
