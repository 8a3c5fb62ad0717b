"""Programs on the wire, as tests of the suite, and in what is told about them."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance import reference
from keel_ref.conformance.answers import Misshapen, read_trace
from keel_ref.conformance.compare import NOTHING, find_place
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.exits import ExitCode, SuiteError
from keel_ref.conformance.failures import save_failures
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.oracle import plain_trace
from keel_ref.conformance.replay import Again, load_saved, replay
from keel_ref.conformance.report_terminal import render_run
from keel_ref.conformance.runner import Policy, Run, make_subject, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.serve import serve_streams
from keel_ref.conformance.show_call import show_question
from keel_ref.conformance.smoke import Colour, climb
from keel_ref.conformance.subject import Direction
from keel_ref.conformance.suite import Suite, load_suite
from keel_ref.conformance.vectors import MAX_STEPS
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem, WireError, request_from_object
from keel_ref.conformance.wiretap import LoneCalls, SchemaCheck
from keel_ref.conformance.workers import cut_batches
from keel_ref.resources import spec_folder
from tests.unit.conformance.adapters.program_toy import start_program
from tests.unit.conformance.program_toy_runs import PATIENT, command
from tests.unit.conformance.toy_suite import ECHOES, write_spec

STEPS = [["append", {"kind": "user", "tokens": 5}], ["observe", {}]]
RIGHT = {"subset": [{"ok": {"used": 5, "band": "ok"}}, {"ok": {"ids": [1]}}]}
TRACE = Ok(value=[{"ok": {"used": 5, "ids": [1, "summary"]}}, {"error": {"kind": "invalid_argument"}}])


def program(name: str = "toy-program", **changes: object) -> dict[str, Any]:
    """A test whose question is a program."""
    test: dict[str, Any] = {
        "id": name,
        "clauses": ["MEM-001"],
        "needs": ["program"],
        "why": "a row costs what it costs",
        "program": {"config": {}, "steps": STEPS},
        "expect": RIGHT,
        "blessed": ["reference"],
    }
    return {**test, **changes}


def suite_of(folder: Path, tests: Sequence[Mapping[str, Any]], corpus: Sequence[Mapping[str, Any]] = ()) -> Suite:
    """A suite of these tests, and of these in its corpus."""
    spec = write_spec(folder / "spec", tests)
    registry = json.loads((spec / "capabilities.json").read_bytes())
    registry["capabilities"].append({"name": "program", "needs": [], "clauses": ["MEM-001"], "about": "programs"})
    (spec / "capabilities.json").write_text(json.dumps(registry), encoding="utf-8")
    (spec / "corpus").mkdir()
    lines = "".join(json.dumps(one) + "\n" for one in corpus)
    (spec / "corpus" / "memory.ndjson").write_text(lines, encoding="utf-8")
    return load_suite(spec)


def run(suite: Suite, fault: str = "none", **selection: Any) -> Run:
    """The suite against the toy that runs programs."""
    policy = Policy(limits=PATIENT, shrink_seconds=0)
    return run_suite(suite, Selection(profile="full", **selection), command(fault), policy)


def ask(monkeypatch: pytest.MonkeyPatch, *lines: Mapping[str, Any]) -> list[Any]:
    """What the reference answers on its stream, with a model that repeats its steps."""

    def run_steps(config: Mapping[str, Any], steps: Sequence[Any], _: CallConfig) -> list[Mapping[str, Any]]:
        if config.get("window") == 0:
            raise WireError("no window")
        if config.get("window") == -1:
            raise ZeroDivisionError
        return [{"ok": {"step": step}} for step in steps]

    monkeypatch.setattr("keel_ref.conformance.serve.run_reference_program", run_steps)
    requests = io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    answers = io.BytesIO()
    serve_streams(requests, answers, CallConfig(), call=reference.call_reference)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_the_reference_answers_a_program_with_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A config that is wrong is an error of the whole; a crash is told; neither spoils the next program."""
    request = {"op": "program", "steps": STEPS}
    right, wrong, broken, again = ask(
        monkeypatch,
        {"id": 1, **request},
        {"id": 2, **request, "config": {"window": 0}},
        {"id": 3, **request, "config": {"window": -1}},
        {"id": 4, **request},
    )

    assert {"id": 1, "ok": {"trace": [{"ok": {"step": step}} for step in STEPS]}} == right
    assert "malformed_request" == wrong["error"]["kind"]
    assert broken["internal"]["message"].startswith("ZeroDivisionError")
    assert again["ok"] == right["ok"]


@pytest.mark.parametrize(
    "message", [{"id": 1, "op": "program"}, {"id": 1, "op": "program", "steps": {}}, {"op": "program", "steps": []}]
)
def test_a_program_without_steps_is_no_request(message: dict[str, Any]) -> None:
    """As with any other line that is none."""
    with pytest.raises(WireError):
        request_from_object(message)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({}, "2 steps were answered with no list `trace`"),
        ({"trace": [{"ok": {}}]}, "2 steps were answered with 1 outcomes"),
        ({"trace": [{"ok": {}}, {}]}, "[1]: an answer holds exactly one of"),
        ({"trace": [{"unsupported": {"capability": "x"}}, {"ok": {}}]}, "[0]: a step ends in ok or in an error"),
    ],
)
def test_a_trace_that_is_none_says_where(value: dict[str, Any], problem: str) -> None:
    """One outcome a step, each ok or an error."""
    found = read_trace(Ok(value=value), 2)

    assert isinstance(found, Misshapen)
    assert found.problem.startswith(problem)


def test_messages_of_errors_are_not_part_of_a_trace() -> None:
    """They are never compared."""
    said = {"error": {"kind": "invalid_argument", "message": "no"}}

    assert Ok(value=[{"error": {"kind": "invalid_argument"}}]) == read_trace(Ok(value={"trace": [said]}), 1)
    assert [{"error": {"kind": "invalid_argument"}}] == plain_trace([said])
    assert ErrorAnswer(kind="x") == read_trace(ErrorAnswer(kind="x"), 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("[0].ok.used", 5),
        ("[0].ok.ids[1]", "summary"),
        ("[1].error.kind", "invalid_argument"),
        ("[2].ok", NOTHING),
        ("[0].ok.none", NOTHING),
        ("[0].ok.used.more", NOTHING),
        ("[0].ok.used[0]", NOTHING),
    ],
)
def test_a_place_of_a_trace_is_found(key: str, value: object) -> None:
    """Or nothing is, where it is not there."""

    assert find_place(TRACE.value, key) == value


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"subset": [{"ok": {"used": 5}}, {}]}, None),
        ({"subset": [{"ok": {"used": 6}}, {}]}, "[0].ok.used: expected 6, got 5"),
        ({"subset": [{}]}, '[1]: expected nothing, got {"error": {"kind": "invalid_argument"}}'),
        ({"between": {"[0].ok.used": [5, 5]}}, None),
        ({"between": {"[0].ok.used": [6, 9]}}, "[0].ok.used: expected [6, 9], got 5"),
        ({"has": {"[0].ok.ids": ["summary"]}}, None),
        ({"has": {"[0].ok.ids": [2]}}, "[0].ok.ids: expected 2, got nothing"),
        ({"lacks": {"[0].ok.ids": [1]}}, "[0].ok.ids[0]: expected nothing, got 1"),
        ({"error": "invalid_argument"}, "error: expected invalid_argument, got a result"),
    ],
)
def test_matchers_apply_to_a_trace(expect: dict[str, Any], message: str | None) -> None:
    """The same as for a call; keys are places."""
    found = find_mismatch(parse_expectation(expect), TRACE)

    assert (found and found.message[: len(message or "")]) == message


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"call": {"fn": "toy.echo", "args": {}}}, "a call or a program, not both"),
        ({"needs": ["memory"]}, "needs: program is missing"),
        ({"program": {"steps": []}}, "program: an object"),
        ({"program": {"steps": STEPS * MAX_STEPS}}, "program: an object"),
        ({"program": {"steps": STEPS, "config": []}}, "program: an object"),
        ({"program": {"steps": [["append", {"tokens": 0.5}]]}}, "program: the number 0.5 is not whole"),
    ],
)
def test_a_broken_program_is_a_problem_of_its_test(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    """And of no other."""
    broken, sound = suite_of(tmp_path, [program(**changes), program("toy-sound-program")]).vectors

    assert broken.problems
    assert broken.problems[0].startswith(problem)
    assert () == sound.problems


def test_a_program_is_a_message_of_its_own(tmp_path: Path) -> None:
    """Calls around it still go out together."""
    vectors = suite_of(tmp_path, [*ECHOES[:3], program("toy-b-program"), *ECHOES[3:5]]).vectors
    batches = [[vector.id for vector in batch] for batch in cut_batches(vectors)]

    assert ["toy-b-program"] in batches
    assert 5 == sum(len(batch) for batch in batches if "toy-b-program" not in batch)


def test_programs_pass_and_fail_like_calls(tmp_path: Path) -> None:
    """A right trace passes; a wrong one is shown by its steps, saved, and replayed."""
    wrong = program("toy-wrong-program", expect={"subset": [{}, {"ok": {"used": 6}}]})
    suite = suite_of(tmp_path, [program(), wrong])
    found = run(suite)
    (saved,) = save_failures(found, tmp_path / "failures").values()
    text = render_run(found, {})
    subject = make_subject(suite, command(), PATIENT)
    try:
        subject.start()
        again = replay(load_saved(saved.path), subject, suite).again
    finally:
        subject.close()

    assert ["pass", "fail"] == [result.verdict.value for result in found.results]
    assert "1  append kind=user tokens=5" in text
    assert "expected [1].ok.used  6" in text
    assert Again.STILL_FAILS is again
    assert b'"op":"program"' in saved.path.with_suffix(".ndjson").read_bytes()


@pytest.mark.parametrize(("fault", "kind"), [("short", "protocol"), ("unclaimed", "not_claimed")])
def test_a_program_that_is_not_run(tmp_path: Path, fault: str, kind: str) -> None:
    """A trace too short breaks the wire; what is not claimed is not asked."""
    (result,) = run(suite_of(tmp_path, [program()]), fault).results

    assert kind == (result.failure.kind.value if result.failure else result.verdict.value)


def test_a_right_model_makes_a_failing_program_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it does for calls; what is right for the smaller one is the model's word."""
    monkeypatch.setattr(
        "keel_ref.conformance.explore_model.start_reference_program", lambda config, _: start_program(config)
    )
    steps = [["append", {"s": "b", "kind": "user", "tokens": 7}], *STEPS]
    test = program(program={"config": {}, "steps": steps}, expect={"subset": [{}, {"ok": {"used": 5}}, {}]})
    suite = suite_of(tmp_path, [test])
    found = run_suite(suite, Selection(), command("leak"), Policy(limits=PATIENT))
    minimal = found.minimal["toy-program"]

    assert isinstance(minimal.question, ProgramItem)
    assert 2 == len(minimal.question.steps)
    assert "minimal  2 steps (shrunk from 3, one-minimal)" in render_run(found, {})


def test_the_corpus_is_a_tier_of_its_own(tmp_path: Path) -> None:
    """It runs by default, and can be chosen or left out."""
    suite = suite_of(tmp_path, [program()], [program("corpus-one"), program("corpus-two")])

    assert ["corpus-one", "corpus-two", "toy-program"] == [result.vector.id for result in run(suite).results]
    assert ["corpus-one", "corpus-two"] == [result.vector.id for result in run(suite, tiers=("K",)).results]
    assert ["toy-program"] == [result.vector.id for result in run(suite, tiers=("V",)).results]
    assert ExitCode.CONFORMANT is run(suite).conclusion.code


def test_a_corpus_that_cannot_be_read_is_a_fault_of_the_suite(tmp_path: Path) -> None:
    """With the file's name."""
    suite_of(tmp_path, [program()])
    (tmp_path / "spec" / "corpus" / "memory.ndjson").write_text("{", encoding="utf-8")
    with pytest.raises(SuiteError, match=r"corpus/memory\.ndjson"):
        load_suite(tmp_path / "spec")


def test_a_program_is_shown_step_by_step() -> None:
    """Numbered from one, what is no step as JSON, and of a long one the beginning."""
    shown = [*show_question(ProgramItem(config={"window": 9}, steps=(["observe", {}], 7, ["x"])))]
    long = [*show_question(ProgramItem(steps=(["observe", {}],) * 50))]

    assert ["  1  observe", "  2  7", '  3  ["x"]', 'under {"window": 9}'] == shown
    assert "… and 10 more" == long[-1]


@pytest.mark.parametrize(
    ("fault", "colour", "words"),
    [
        ("none", Colour.GREEN, ""),
        ("unclaimed", Colour.SKIPPED, "not claimed"),
        ("short", Colour.RED, "3 steps were answered with 2 outcomes"),
        ("deaf", Colour.RED, "[1]: a step that nobody has ends in an error"),
        ("sums-twice", Colour.RED, "append and observe gave [200, 200]"),
    ],
)
def test_the_seventh_rung_runs_a_program(fault: str, colour: Colour, words: str) -> None:
    """It is skipped with a word where programs are not claimed."""
    rungs = {rung.number: rung for rung in climb(command(fault), load_suite(), limits=PATIENT)}

    assert colour is rungs[7].colour
    assert words in rungs[7].note
    assert (8 in rungs) is (colour is not Colour.RED)


def test_the_lines_of_a_lone_program_are_kept(tmp_path: Path) -> None:
    """As those of a call that was put alone."""
    (vector,) = suite_of(tmp_path, [program()]).vectors
    tap = LoneCalls()
    subject = make_subject(load_suite(), command(), PATIENT, tap)
    try:
        subject.start()
        subject.ask(vector.question)
    finally:
        subject.close()
    sent, received, *_ = tap.lines_of(vector, is_revealed=False)

    assert sent.startswith(b"> ")
    assert b'"op":"program"' in sent
    assert b'"trace"' in received


def test_both_directions_of_a_program_keep_to_the_schema(tmp_path: Path) -> None:
    """A trace whose steps hold two things at once, or none, breaks it."""
    (vector,) = suite_of(tmp_path, [program()]).vectors
    assert isinstance(vector.question, ProgramItem)
    check = SchemaCheck(spec_folder())
    request = {"id": 1, "op": "program", "config": {}, "steps": [*vector.question.steps]}
    check(Direction.SENT, json.dumps(request).encode())
    check(Direction.RECEIVED, json.dumps({"id": 1, "ok": {"trace": [{"ok": {}}, {"error": {"kind": "x"}}]}}).encode())
    broken: tuple[object, ...] = ([{}], [{"ok": {}, "error": {"kind": "x"}}], [{"ok": 7}], {})
    for trace in broken:
        with pytest.raises(WireError, match="breaks the schema"):
            check(Direction.RECEIVED, json.dumps({"id": 1, "ok": {"trace": trace}}).encode())
