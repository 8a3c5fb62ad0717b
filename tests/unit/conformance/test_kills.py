"""Programs in the middle of which the process ends."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel_ref.adapters.program_store import Left, leave, take_up
from keel_ref.conformance.kills import cut_at_kills, without_kills
from keel_ref.conformance.limits import Limits
from keel_ref.conformance.runner import reference_command
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem, request_from_object
from keel_ref.errors import InvalidArgumentError

SMALL = {"window": 1000, "max_output": 200, "auto_buffer": 80, "warning_buffer": 60, "blocking_buffer": 40}
APPEND = ["append", {"kind": "user", "tokens": 7}]
FORGETFUL = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    steps = len(asked.get("steps", ())) + (asked["op"] == "resume")
    found = {"trace": [{"ok": {"pid": os.getpid(), "state": asked.get("state")}}] * steps}
    if asked["op"] == "hello":
        found = {"wire": 1, "nonce": asked["nonce"], "impl": {"name": "toy"}, "capabilities": {}, "choices": {}}
    print(json.dumps({"id": asked["id"], "ok": found}), flush=True)
"""


@pytest.fixture
def forgetful() -> Iterator[Subject]:
    """A process that says who it is, and remembers nothing."""
    yield from subject((sys.executable, "-c", FORGETFUL))


@pytest.fixture
def model() -> Iterator[Subject]:
    """The reference as a process."""
    yield from subject(reference_command())


def subject(command: tuple[str, ...]) -> Iterator[Subject]:
    """The process of a command, until the test is over."""
    made = Subject(command, limits=Limits(handshake_timeout_ms=60_000, timeout_ms=30_000), suite="s", revisions=("r",))
    made.start()
    yield made
    made.close()


def test_a_program_is_cut_where_the_process_ends() -> None:
    """Each part but the first begins with the session that is taken up."""
    item = ProgramItem(config=SMALL, steps=(APPEND, ["kill", {}], ["kill", {"s": "b"}], APPEND))
    parts = tuple(cut_at_kills(item, "/f"))

    assert [((APPEND,), None), ((), "a"), ((APPEND,), "b")] == [(part.item.steps, part.session) for part in parts]
    assert {("/f", json.dumps(SMALL))} == {(part.item.state, json.dumps(part.item.config)) for part in parts}


def test_to_one_process_a_kill_is_a_resume() -> None:
    """What the model is asked where nothing ends."""

    assert [APPEND, ["resume", {"s": "b"}]] == without_kills([APPEND, ["kill", {"s": "b"}]])


def test_the_process_is_another_one_behind_a_kill(forgetful: Subject) -> None:
    """The first is gone, and so is the folder when all is over."""
    outcome = forgetful.run_program(ProgramItem(steps=(APPEND, ["kill", {}], APPEND)))

    assert isinstance(outcome, Ok)
    first, taken_up, last = (step["ok"] for step in outcome.value)
    assert first["pid"] != taken_up["pid"] == last["pid"]
    assert first["state"] == last["state"]
    assert not Path(first["state"]).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(first["pid"], 0)


def test_the_model_goes_on_in_another_process(model: Subject) -> None:
    """Also twice, and with what was appended in between."""
    steps = (APPEND, ["kill", {}], APPEND, ["kill", {}], ["observe", {}])
    outcome = model.run_program(ProgramItem(config=SMALL, steps=steps))

    assert isinstance(outcome, Ok)
    assert [7, 7, 14, 14, 14] == [step["ok"]["used"] for step in outcome.value]
    assert [1, 2] == outcome.value[-1]["ok"]["ids"]


def test_a_folder_in_which_nothing_was_left_is_an_error(tmp_path: Path) -> None:
    """Of the whole request, and so is one that is not there or cannot be read."""
    (tmp_path / "program.json").write_text("[]", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "no"):
        with pytest.raises(InvalidArgumentError, match="state"):
            take_up(str(folder))
    with pytest.raises(InvalidArgumentError, match="cannot be written to"):
        leave(str(tmp_path / "no"), Left(config={}, steps=()))


def test_what_was_left_is_what_is_taken_up(tmp_path: Path) -> None:
    """A later word stands in the place of an earlier one."""
    for steps in ([], [APPEND]):
        leave(str(tmp_path), Left(config=SMALL, steps=steps))

    assert Left(config=SMALL, steps=[APPEND]) == take_up(str(tmp_path))
    assert ["program.json"] == os.listdir(tmp_path)


def test_a_failure_in_the_middle_is_the_outcome(model: Subject) -> None:
    """Of a config that cannot be used nothing is left, and nobody is ended."""
    outcome = model.run_program(ProgramItem(config={"window": "x"}, steps=(APPEND, ["kill", {}])))

    assert isinstance(outcome, ErrorAnswer)
    assert "invalid_argument" == outcome.kind


def test_a_resume_names_its_folder_and_its_session() -> None:
    """What is missing is a malformed request."""
    whole = {"id": 5, "op": "resume", "state": "/f", "s": "a", "steps": []}

    assert 5 == request_from_object(whole).id
    for name in ("state", "s", "steps"):
        with pytest.raises(Exception, match=name):
            request_from_object({key: value for key, value in whole.items() if key != name})
