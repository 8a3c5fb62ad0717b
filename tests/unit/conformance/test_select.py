"""Which tests a run is about; a selector that matches nothing is never a pass."""

from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.select import Selection, Shard, describe_selection, parse_shard, select_vectors
from keel_ref.conformance.suite import Suite
from tests.unit.conformance.toy_suite import echo, make_suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Four tests of three levels."""
    return make_suite(
        tmp_path,
        [
            echo("toy-a-one", 1),
            echo("toy-a-two", 1, clauses=["MEM-002"]),
            echo("toy-b-one", 1, clauses=["MEM-003"]),
            echo("toy-b-two", 1, clauses=["MEM-001", "MEM-002"]),
        ],
    )


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (Selection(), "toy-a-one toy-a-two toy-b-one toy-b-two"),
        (Selection(revision="2026.11"), "toy-a-one toy-a-two toy-b-one toy-b-two"),
        (Selection(profile="core"), "toy-a-one toy-a-two toy-b-one toy-b-two"),
        (Selection(areas=("memory",)), "toy-a-one toy-a-two toy-b-one toy-b-two"),
        (Selection(levels=(Level.MUST,)), "toy-a-one toy-b-two"),
        (Selection(levels=(Level.SHOULD, Level.MAY)), "toy-a-two toy-b-one"),
        (Selection(globs=("*-one",)), "toy-a-one toy-b-one"),
        (Selection(globs=("toy-a-*", "toy-b-two")), "toy-a-one toy-a-two toy-b-two"),
        (Selection(ids=("toy-b-one",)), "toy-b-one"),
        (Selection(clauses=("MEM-002",)), "toy-a-two toy-b-two"),
        (Selection(globs=("*-two",), clauses=("MEM-001",)), "toy-b-two"),
        (Selection(tiers=("V",)), "toy-a-one toy-a-two toy-b-one toy-b-two"),
    ],
)
def test_selectors_select(suite: Suite, selection: Selection, names: str) -> None:
    """Each by itself, and all together."""

    assert names.split() == [vector.id for vector in select_vectors(suite, selection)]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"globs": ("nothing*",)}, "-k nothing"),
        ({"areas": ("window",)}, "--area window"),
        ({"profile": "tokens"}, "--profile tokens"),
        ({"tiers": ("K",)}, "--tier K"),
        ({"ids": ("toy-a-one",), "clauses": ("MEM-002",)}, "--id toy-a-one --clause MEM-002"),
        ({"ids": ("no-such-test",)}, "no such test"),
        ({"clauses": ("MEM-999",)}, "no such clause"),
        ({"profile": "everything"}, "--profile everything"),
        ({"revision": "1999.01"}, "--revision 1999.01"),
        ({"tiers": ("Z",)}, "--tier Z"),
        ({"tiers": ("V", "Y")}, "there are V, K, X"),
    ],
)
def test_what_matches_nothing_is_the_callers_mistake(suite: Suite, changes: dict[str, Any], words: str) -> None:
    """And the message names the selector."""

    with pytest.raises(UsageError, match=words):
        select_vectors(suite, Selection(**changes))


def test_shards_are_parts_of_the_whole(tmp_path: Path) -> None:
    """Every test is in exactly one of them."""
    suite = make_suite(tmp_path)
    parts = [
        [vector.id for vector in select_vectors(suite, Selection(shard=Shard(number=number, count=3)))]
        for number in (1, 2, 3)
    ]

    assert [vector.id for vector in suite.vectors] == sorted(name for part in parts for name in part)


def test_a_new_test_moves_no_other(tmp_path: Path) -> None:
    """The shard of a test hangs on its own id alone."""
    few = make_suite(tmp_path / "few", [echo(f"toy-{number}", 1) for number in range(20)])
    more = make_suite(tmp_path / "more", [echo(f"toy-{number}", 1) for number in range(40)])
    shard = Shard(number=1, count=2)
    before = {vector.id for vector in select_vectors(few, Selection(shard=shard))}
    after = {vector.id for vector in select_vectors(more, Selection(shard=shard))}

    assert before == after & {vector.id for vector in few.vectors}


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2", "1/2/3"])
def test_an_odd_shard_is_refused(text: str) -> None:
    """Only i/n with i from 1 to n."""

    with pytest.raises(UsageError, match="--shard"):
        parse_shard(text)


def test_a_shard_is_read() -> None:
    """As people write it."""

    assert Shard(number=2, count=5) == parse_shard("2/5")


def test_a_selection_is_described_as_on_the_command_line() -> None:
    """So that a report says what was left out."""
    selection = Selection(areas=("memory",), levels=(Level.MUST,), globs=("a*",), shard=Shard(number=1, count=2))

    assert "--area memory --level must -k a* --shard 1/2" == describe_selection(selection)
    assert "" == describe_selection(Selection())


def test_a_selection_knows_whether_it_leaves_anything_out() -> None:
    """Naming the revision leaves nothing out."""

    assert not Selection(revision="2026.11").is_filtered
    assert Selection(globs=("*",)).is_filtered
