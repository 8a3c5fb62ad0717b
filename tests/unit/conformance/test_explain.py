"""Everything that belongs to a name, from the clause to the line that decides."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.cli import main
from keel_ref.conformance import citations, explanation
from keel_ref.conformance.citations import Grain, Shown, find_code_citations, find_mentions, find_tests
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.conformance.explain import explain
from keel_ref.conformance.explanation import NO_TESTS, Explanation, reports_section
from keel_ref.conformance.near import find_near
from keel_ref.conformance.suite import load_suite

SUITE = load_suite()


def explained(name: str) -> dict[str, Any]:
    """The one meaning of a name, as a program gets it."""
    (found,) = explain(name, SUITE)
    return found.to_object()


def test_a_clause_is_explained_with_all_that_belongs_to_it() -> None:
    """Text, reason, basis, vectors, lines of code and public reports stand together."""
    found = explained("MEM-006")

    assert ("clause", ["MUST"], ["memory.root"]) == (found["kind"], found["level"], found["choice"])
    assert "Value `skip`" in found["text"]
    assert found["reason"]
    assert "observed (O-02)" in found["basis"]
    assert "memory-walk-root-file" in [vector["id"] for vector in found["vectors"]]
    assert "decides" in [line["grain"] for line in found["code"]]
    link = "https://github.com/anthropics/claude-code/issues/80202"
    assert {"id": "anthropics/claude-code#80202", "link": link} in found["seen"]
    assert found["examples"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("P-4", "principle"),
        ("memory.identity", "choice"),
        ("team_memory", "gate"),
        ("memory.includes", "capability"),
        ("memory.load", "function"),
        ("malformed_tree", "error"),
        ("include-depth", "reason"),
        ("pattern-literal", "warning"),
        ("memory-walk-root-file", "test"),
        ("B026", "bug"),
        ("anthropics/claude-code#80202", "bug"),
        ("O-02", "observation"),
        ("M-06", "fact"),
    ],
)
def test_every_kind_of_name_leads_to_clauses(name: str, kind: str) -> None:
    """Whatever one has in hand, from a failure or from a report, the way leads to the rule."""
    found = explained(name)

    assert (name, kind) == (found["id"], found["kind"])
    assert found["text"] or found["title"] or found["clauses"]
    assert kind == "error" or found["clauses"]


def test_a_fact_that_is_not_modelled_says_why() -> None:
    """A gap in the specification is a decision that can be read."""

    assert explained("M-63")["text"].startswith("Not modelled: ")


def test_a_name_with_two_meanings_is_explained_in_both() -> None:
    """A capability and the function that it stands for may share a name."""

    assert ["capability", "function"] == [found.kind for found in explain("memory.index", SUITE)]


def test_letter_case_of_an_id_does_not_matter() -> None:
    """Nobody remembers whether ids are written large."""

    assert explain("MEM-006", SUITE) == explain("mem-006", SUITE)


@pytest.mark.parametrize(
    ("name", "near"),
    [("memory.idenity", "memory.identity"), ("MEM-999", "MEM-"), ("memory-walk-root-fil", "memory-walk-root-file")],
)
def test_an_unknown_name_is_wrong_usage_with_names_that_resemble_it(
    name: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip of the pen costs one more line, not a search."""

    assert ExitCode.USAGE == main(["explain", name])
    assert f"keel-ref: {name} is no name of the specification; did you mean {near}" in capsys.readouterr().err


def test_what_resembles_nothing_is_offered_nothing() -> None:
    """A guess at any price would mislead."""

    with pytest.raises(UsageError, match=r"xyzzyx is no name of the specification$"):
        explain("xyzzyx", SUITE)


def test_near_names_are_the_likeliest_first_and_few() -> None:
    """A name that contains what was written counts, behind those that resemble it as a whole."""
    known = [*(f"memory-case-{letter}" for letter in "abcdefg"), "walk"]

    assert ("walk",) == find_near("wolk", known)
    assert 5 == len(find_near("case", known))


def test_the_terminal_gets_sections_and_a_program_gets_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The same answer twice; what is code stays as it was written."""
    assert ExitCode.CONFORMANT == main(["explain", "MEM-006"])
    text = capsys.readouterr().out
    assert ExitCode.CONFORMANT == main(["explain", "MEM-006", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert text.startswith("MEM-006  clause: The file-system root\n\n  Value `skip`")
    assert "\n  level       MUST\n" in text
    assert '\n  examples    {"call": {"fn": "memory.load"' in text
    assert ("keel-explain/1", "MEM-006") == (document["schema"], document["name"])
    assert [found.to_object() for found in explain("MEM-006", SUITE)] == document["found"]


def test_a_wheel_says_that_it_has_no_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty list would read as if nobody had tested it."""
    monkeypatch.setattr(explanation, "find_checkout", lambda: None)
    (clause,) = explain("MEM-006", SUITE)
    (report,) = explain("B026", SUITE)

    assert {NO_TESTS} == {note(clause), note(report)}


def note(found: Explanation) -> str:
    """What stands in the place of the tests."""
    (section,) = [section for section in found.sections if section.label == "tests"]
    assert section.lines == ()
    return section.note


def lay(root: Path, name: str, text: str) -> None:
    """A file of a small repository."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_code_cites_at_two_grains(tmp_path: Path) -> None:
    """A mark on a line decides, a line of a docstring describes; an id in other prose is no citation."""
    lay(
        tmp_path,
        "keel_ref/memory/walk.py",
        '"""Walk. Spec: MEM-005, MEM-006."""\n\nif root:  # [MEM-006] not read\n    # MEM-007 is about git\n    pass\n',
    )
    lay(tmp_path, "rust/core/src/lib.rs", "/// Sizes. Spec: MEM-123.\nfn f() {} // [MEM-122][MEM-121]\n")
    found = [(one.path, one.line, one.grain, one.id) for one in find_code_citations(tmp_path)]

    assert [
        ("keel_ref/memory/walk.py", 1, Grain.DESCRIBES, "MEM-005"),
        ("keel_ref/memory/walk.py", 1, Grain.DESCRIBES, "MEM-006"),
        ("keel_ref/memory/walk.py", 3, Grain.DECIDES, "MEM-006"),
        ("rust/core/src/lib.rs", 1, Grain.DESCRIBES, "MEM-123"),
        ("rust/core/src/lib.rs", 2, Grain.DECIDES, "MEM-122"),
        ("rust/core/src/lib.rs", 2, Grain.DECIDES, "MEM-121"),
    ] == found
    assert "if root:  # [MEM-006] not read" in [one.text for one in find_code_citations(tmp_path)]


def test_a_citing_test_is_found_by_mark_and_by_docstring(tmp_path: Path) -> None:
    """The mark of a class holds for its tests; a function that cites nothing is not listed."""
    lay(
        tmp_path,
        "tests/unit/test_walk.py",
        """
from keel_ref.conformance.marks import clause

@clause("MEM-005", "MEM-006")
def test_one() -> None:
    '''One claim.

    More about it.
    '''

def test_two() -> None:
    '''What MEM-007 says.'''

def test_three() -> None:
    '''Nothing of the kind.'''

@clause("MEM-008")
class TestFour:
    def test_five(self) -> None:
        '''Inherited.'''

@pytest.mark.clause("MEM-009")
def test_six() -> None: ...
""",
    )

    assert [
        Shown(ids=("MEM-005", "MEM-006"), path="tests/unit/test_walk.py", line=5, name="test_one", claim="One claim."),
        Shown(ids=("MEM-007",), path="tests/unit/test_walk.py", line=11, name="test_two", claim="What MEM-007 says."),
        Shown(
            ids=("MEM-008",), path="tests/unit/test_walk.py", line=19, name="TestFour::test_five", claim="Inherited."
        ),
        Shown(ids=("MEM-009",), path="tests/unit/test_walk.py", line=23, name="test_six", claim=""),
    ] == list(find_tests(tmp_path))


def test_a_mention_is_the_whole_name(tmp_path: Path) -> None:
    """`O-01` is not `O-011`; an observation includes its records, a record not the others."""
    lay(tmp_path, "tests/test_a.py", "# O-01/order\n# O-011\n# O-01/other\nx = 'O-01'\n# XO-01\n")

    assert [1, 3, 4] == [line for _, line in find_mentions(tmp_path, "O-01")]
    assert [("tests/test_a.py", 1)] == list(find_mentions(tmp_path, "O-01/order"))


def test_this_is_a_checkout_and_an_empty_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the specification lies in an installed package there is no project around it."""
    assert citations.find_checkout() == citations.code_root()
    monkeypatch.setattr(citations, "spec_folder", lambda: tmp_path / "keel_ref" / "_spec")

    assert citations.find_checkout() is None


def test_every_name_that_is_offered_can_be_explained() -> None:
    """Whatever a test was seen in, and whatever a clause rests on."""
    suite = load_suite()
    seen = {name for vector in suite.vectors for name in vector.seen}
    records = sorted(name for name in seen if name.startswith("record/"))
    found = [explain(name, suite)[0] for name in records[:3]]
    shown = [line.words for line in reports_section(sorted(seen)).lines]

    assert ["observation"] * 3 == [one.kind for one in found]
    assert len(seen) == len(shown)
