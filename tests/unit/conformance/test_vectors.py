"""Vector files: what is read, what the lint says, and what a digest covers."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.exits import SuiteError, UsageError
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import digest_all, load_vectors
from tests.unit.conformance.toy_suite import ECHOES, REGISTRIES, echo, make_suite, write_spec


def problems(folder: Path, **changes: object) -> tuple[str, ...]:
    """What the lint says of one vector."""
    return make_suite(folder, [echo("toy-one", 1, **changes)]).vectors[0].problems


def test_vectors_come_sorted_by_id(tmp_path: Path) -> None:
    """Whatever the order in their files."""
    suite = make_suite(tmp_path, [echo("toy-b", 1), echo("toy-a", 1), echo("toy-c", 1)])

    assert ["toy-a", "toy-b", "toy-c"] == [vector.id for vector in suite.vectors]


def test_the_area_is_the_folder(tmp_path: Path) -> None:
    """Who knows the area's name finds its tests."""
    vector = make_suite(tmp_path).vectors[0]

    assert ("memory", "vectors/memory/toy.json") == (vector.area, vector.path)


def test_a_good_vector_has_no_problems(tmp_path: Path) -> None:
    """The lint is silent where nothing is wrong."""

    assert () == problems(tmp_path, seen=["B001"], bug={"type": "order"})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "Toy One"}, "id: words"),
        ({"id": "toy"}, "id: words"),
        ({"clauses": []}, "clauses: a list"),
        ({"clauses": ["MEM-999"]}, "clauses: MEM-999 is no clause"),
        ({"needs": []}, "needs: a list"),
        ({"needs": ["nothing"]}, "needs: nothing is no capability"),
        ({"needs": ["later"]}, "needs: later is no capability"),
        ({"needs": "memory"}, "needs: a list"),
        ({"why": ""}, "why:"),
        ({"call": {}}, "call: an object"),
        ({"call": {"fn": "toy.unknown", "args": {}}}, "call: toy.unknown is no function"),
        ({"call": {"fn": "toy.echo", "args": []}}, "call: an object"),
        ({"call": {"fn": "toy.echo", "args": {"x": 0.5}}}, "call: the number"),
        ({"expect": {}}, "expect:"),
        ({"expect": {"subset": {}}}, "asserts nothing"),
        ({"expect": {"error": "no_such_kind"}}, "expect: no_such_kind is no kind"),
        ({"expect": {"one_of": [{"error": "no_such_kind"}, {"eq": {}}]}}, "expect: no_such_kind is no kind"),
        ({"expect": {"choice": "memory.identity", "cases": {"up": {"eq": {}}}}}, "memory.identity=up is no registered"),
        ({"expect": {"choice": "no.choice", "cases": {"up": {"eq": {}}}}}, "no.choice=up is no registered"),
        ({"pattern": "x"}, "pattern: unknown field"),
    ],
)
def test_the_lint_names_what_is_wrong(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    """Each fault of a vector has its own words."""

    assert any(words in problem for problem in problems(tmp_path, **changes))


def test_an_id_that_is_used_twice_spoils_both(tmp_path: Path) -> None:
    """Neither can be told from the other."""
    suite = make_suite(tmp_path, [echo("toy-a", 1), echo("toy-a", 2), echo("toy-b", 1)])

    assert [("id: used twice",), ("id: used twice",), ()] == [vector.problems for vector in suite.vectors]


@pytest.mark.parametrize(
    "content", ["{", "[]", "{}", '{"schema":"other","vectors":[]}', '{"schema":"keel-vectors/1","vectors":[{}]}']
)
def test_a_file_that_is_no_vector_file_stops_the_suite(tmp_path: Path, content: str) -> None:
    """With its name, and as our fault."""
    spec = write_spec(tmp_path / "spec", ECHOES)
    (spec / "vectors" / "memory" / "bad.json").write_text(content, encoding="utf-8")

    with pytest.raises(SuiteError, match=r"vectors/memory/bad\.json"):
        load_vectors(spec)


def test_a_digest_covers_what_is_tested_and_no_prose(tmp_path: Path) -> None:
    """Another reason keeps it, another call or expectation changes it."""
    variants = [
        echo("toy-a", 1),
        echo("toy-b", 1, why="another reason", seen=["B002"], blessed=[], bug={}),
        echo("toy-c", 2),
        echo("toy-d", 1, expect={"eq": {"value": 1}}),
        echo("toy-e", 1, clauses=["MEM-002"]),
    ]
    digests = [vector.digest for vector in make_suite(tmp_path, variants).vectors]

    assert digests[0] == digests[1]
    assert 4 == len(set(digests))


def test_the_digest_of_the_suite_does_not_mind_order(tmp_path: Path) -> None:
    """The same tests, however they are listed."""
    vectors = make_suite(tmp_path).vectors

    assert digest_all(vectors) == digest_all(vectors[::-1])
    assert digest_all(vectors) != digest_all(vectors[1:])


def test_a_test_is_as_binding_as_its_most_binding_clause(tmp_path: Path) -> None:
    """MUST before SHOULD before MAY."""
    suite = make_suite(
        tmp_path,
        [
            echo("toy-a", 1, clauses=["MEM-003", "MEM-001"]),
            echo("toy-b", 1, clauses=["MEM-003", "MEM-002"]),
            echo("toy-c", 1, clauses=["MEM-003"]),
        ],
    )

    assert [Level.MUST, Level.SHOULD, Level.MAY] == [suite.level_of(vector) for vector in suite.vectors]


@pytest.mark.parametrize("name", sorted(REGISTRIES))
def test_a_missing_registry_stops_the_suite(tmp_path: Path, name: str) -> None:
    """Without it nothing can be linted."""
    spec = write_spec(tmp_path / "spec", ECHOES)
    (spec / name).unlink()

    with pytest.raises(SuiteError, match=name):
        load_suite(spec)


def write_errata(folder: Path) -> Path:
    """An errata file that takes one test back."""
    path = folder / "errata.json"
    row = {"id": "toy-a-echo", "date": "2026-11-30", "reason": "the clause says otherwise"}
    path.write_text(json.dumps({"schema": "keel-errata/1", "withdrawn": [row]}), encoding="utf-8")
    return path


def test_errata_withdraw_tests(tmp_path: Path) -> None:
    """The folder's own by default, none on request, another file by name."""
    spec = write_spec(tmp_path / "spec", ECHOES)
    reason = {"toy-a-echo": "the clause says otherwise"}
    other = write_errata(tmp_path)

    assert {} == load_suite(spec).withdrawn
    assert reason == load_suite(spec, errata=str(other)).withdrawn
    write_errata(spec)
    assert reason == load_suite(spec).withdrawn
    assert {} == load_suite(spec, errata="none").withdrawn


def test_errata_that_cannot_be_read_are_the_callers_fault(tmp_path: Path) -> None:
    """A file that was named must be one."""
    spec = write_spec(tmp_path / "spec", ECHOES)

    with pytest.raises(UsageError, match="--errata"):
        load_suite(spec, errata=str(tmp_path / "missing.json"))
