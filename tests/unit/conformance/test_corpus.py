"""The frozen corpus: what it says of itself, and what it has to show to be worth its time."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.cli import main
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ProgramItem
from keel_ref.resources import spec_folder
from keel_ref.strategies.draws import SeededDraw
from keel_ref.strategies.program_config import Thresholds
from keel_ref.strategies.program_drawing import draw_program
from tests.corpus.fill import MOST, Candidate, choose, expectation, features, record
from tests.unit.conformance.adapters.program_toy import start_program

CORPUS = tuple(vector for vector in load_suite().vectors if vector.tier == "K")
LONGEST = 60


def traces(expect: Mapping[str, Any]) -> list[list[Mapping[str, Any]]]:
    """Every trace of an expectation, one for each value of each choice that it names."""
    if "subset" in expect:
        return [expect["subset"]]
    return [trace for case in expect["cases"].values() for trace in traces(case)]


def outcomes() -> list[tuple[Any, Mapping[str, Any]]]:
    """Every step of the corpus with what came of it, under the defaults."""
    found: list[tuple[Any, Mapping[str, Any]]] = []
    for vector in CORPUS:
        assert isinstance(vector.question, ProgramItem)
        found.extend(zip(vector.question.steps, traces(vector.expect)[0], strict=True))
    return found


@pytest.mark.parametrize("vector", CORPUS, ids=[vector.id for vector in CORPUS])
def test_an_id_is_made_from_what_the_program_says(vector: Vector) -> None:
    """So a changed program is another test, and none is there twice. Each trace has an outcome for each step."""
    digest = hashlib.sha256(json.dumps(vector.source["program"], sort_keys=True).encode()).hexdigest()

    assert f"corpus-{digest[:8]}" == vector.id
    assert isinstance(vector.question, ProgramItem)
    assert {len(vector.question.steps)} == {len(trace) for trace in traces(vector.expect)}
    assert len(vector.question.steps) <= LONGEST


def test_the_corpus_is_large_enough_and_no_larger() -> None:
    """A check runs it every time."""

    assert 100 <= len(CORPUS) <= MOST


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("band", {"ok", "warning", "auto", "blocking"}),
        ("end", {"sent", "blocked", "stopped", "retry", "error"}),
        ("compact", {"compacted", "failed", "not-due", "breaker-open", "refill-guard", "aborted", "auto-off"}),
        ("why", {"compacted", "failed", "aborted", "nothing-to-summarise", "compact-disabled"}),
        ("by", {None, "reactive"}),
        ("calls", {0, 1, 2}),
        ("failures", {0, 1, 3}),
        ("suppressed", {True, False}),
    ],
)
def test_the_corpus_shows_what_a_session_can_come_to(key: str, values: set[object]) -> None:
    """Each decision and each state, in at least one program."""
    seen = {outcome["ok"].get(key, "nothing") for _, outcome in outcomes() if "ok" in outcome}

    assert values <= seen


def test_each_layer_acts_and_each_kind_of_row_comes_back() -> None:
    """Also the layers that are shut unless a gate is opened."""
    oks = [outcome["ok"] for _, outcome in outcomes() if "ok" in outcome]
    acted = {layer for ok in oks for layer in ok.get("acted", ())}
    rows = {
        row.partition(":")[0] for ok in oks for row in (*ok.get("ids", ()), *ok.get("sent", ())) if isinstance(row, str)
    }

    assert {"results", "snip", "micro", "compact", "blocking"} <= acted
    assert {"summary", "file", "skill"} <= rows


def test_each_threshold_is_met_from_below_at_it_and_above() -> None:
    """A size that is off by one changes some trace."""
    found: set[tuple[int, int]] = set()
    for vector in CORPUS:
        assert isinstance(vector.question, ProgramItem)
        sizes = Thresholds.of(vector.question.config).context
        used = {step["ok"].get("used") for step in traces(vector.expect)[0] if "ok" in step}
        found |= {(place, by) for place, size in enumerate(sizes) for by in (-1, 0, 1) if size + by in used}

    assert {(place, by) for place in range(3) for by in (-1, 0, 1)} <= found


def test_choosing_keeps_everything_that_is_shown() -> None:
    """Fewer programs than there were, and no feature is lost; the same ones each time."""
    pool = []
    for index in range(60):
        drawn = draw_program(SeededDraw(1, index), start_program, longest=10)
        pool.append(Candidate(drawn=drawn, features=frozenset(features(drawn))))
    chosen = choose(pool)

    assert len(chosen) < len(pool)
    assert {one for candidate in pool for one in candidate.features} == {
        one for candidate in chosen for one in candidate.features
    }
    assert chosen == choose(pool)


def test_a_choice_that_changes_a_trace_has_a_case_for_each_value() -> None:
    """One that changes nothing is not named."""
    steps = (["append", {"kind": "user", "tokens": 720}], ["pass", {"summary": [{"fail": "abort"}]}], ["observe", {}])
    config = {"window": 1_000, "max_output": 200, "auto_buffer": 80, "warning_buffer": 60, "blocking_buffer": 40}
    aborted = expectation(ProgramItem(config=config, steps=steps))
    plain = expectation(ProgramItem(config=config, steps=steps[:1]))

    assert aborted is not None
    assert "compaction.abort_counts" == aborted["choice"]
    assert ["yes", "no"] == [*aborted["cases"]]
    assert plain is not None
    assert ["subset"] == [*plain]


def test_a_line_of_the_corpus_is_a_test_like_any_other() -> None:
    """Filling one by hand gives the line that is there."""
    vector = CORPUS[0]
    assert isinstance(vector.question, ProgramItem)
    trace = traces(vector.expect)[0]
    drawn = draw_program(SeededDraw(0, 0), start_program)
    again = type(drawn)(config=vector.question.config, steps=vector.question.steps, trace=trace)
    line = record(Candidate(drawn=again, features=frozenset(features(again))))

    assert line is not None
    assert {key: vector.source[key] for key in ("id", "program", "expect", "clauses")} == {
        key: line[key] for key in ("id", "program", "expect", "clauses")
    }


def test_each_line_keeps_to_the_schema_of_a_test() -> None:
    """Whoever runs vectors without us runs the corpus too."""
    definitions = json.loads((spec_folder() / "schema" / "vectors.json").read_bytes())["$defs"]
    validator = Draft202012Validator({"$defs": definitions, "$ref": "#/$defs/vector"})

    assert [] == [vector.id for vector in CORPUS if list(validator.iter_errors(vector.source))]


def test_a_program_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """With its clauses and its steps."""
    vector = CORPUS[0]

    assert 0 == main(["explain", vector.id])
    text = capsys.readouterr().out
    assert all(clause in text for clause in vector.clauses)
    assert "program" in text
    assert '"steps"' in text
