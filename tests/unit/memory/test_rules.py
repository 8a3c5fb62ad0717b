"""Rules folders: what is a rule, in which order, and where links lead."""

from collections.abc import Mapping

import pytest

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node, file_node, link_node
from keel_ref.choices import Choices, Gates
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.memory.rules import RulesFound, find_rules
from keel_ref.memory.values import Layer
from keel_ref.memory.world import prepare
from keel_ref.ports import EntryKind

FIFO = Node(kind=EntryKind.OTHER, what="fifo")


def found(entries: Mapping[str, str | bytes | Node], numbers: Constants = DEFAULT) -> RulesFound:
    """The rules of `/r/.claude/rules`."""
    tree = InMemoryTree.of(entries)
    world = prepare(tree, MemoryRequest(cwd="/"), Choices(), Gates(), numbers)
    return find_rules(world, "/r/.claude/rules", Layer.PROJECT)


def rules(*names: str) -> dict[str, str | bytes | Node]:
    """Files below the rules folder."""
    return {f"/r/.claude/rules/{name}": "x" for name in names}


def reasons(result: RulesFound) -> dict[str, str]:
    """Each row's reason by the name in the rules folder."""
    return {row.path.removeprefix("/r/.claude/rules/"): row.reason for row in result.skipped}


@clause("MEM-030", "MEM-031")
def test_the_order_that_the_specification_shows() -> None:
    """Upper case before lower, digits before letters, a folder at its own name's place, whatever the creation order."""
    names = [".hd/x.md", ".hid.md", "10.md", "2.md", "B.md", "Q.md", "_u.md", "a.md", "c.md", "c0/x.md", "cc/x.md"]
    names += ["m.md", "z-1.md", "z.md", "é.md"]
    result = found(rules(*reversed(names)))

    assert names == [path.removeprefix("/r/.claude/rules/") for path in result.paths]


@clause("MEM-030")
def test_only_the_exact_ending_counts() -> None:
    """Another case or another ending is reported, `.md` alone is a rule, a folder may bear any name."""
    result = found(rules("UP.MD", "b.txt", ".md", "d.md/x.md", "noend") | {"/r/.claude/rules/f.md": FIFO})

    assert ("/r/.claude/rules/.md", "/r/.claude/rules/d.md/x.md") == result.paths
    assert {"UP.MD": "not-md", "b.txt": "not-md", "noend": "not-md", "f.md": "not-regular"} == reasons(result)


@clause("MEM-032")
def test_links_stand_at_their_own_place_under_their_real_path() -> None:
    """Linked files and folders are followed wherever they lead; a loop ends; what leads nowhere is no rule."""
    result = found(
        rules("b.md")
        | {
            "/shared/zz.md": "x",
            "/more/n.md": "x",
            "/r/.claude/rules/a.md": link_node("/shared/zz.md"),
            "/r/.claude/rules/c": link_node("../../../more"),
            "/r/.claude/rules/d": link_node("."),
            "/r/.claude/rules/e.md": link_node("/nowhere"),
            "/r/.claude/rules/l.md": link_node("l.md"),
            "/r/.claude/rules/t.txt": link_node("/shared/zz.md"),
        }
    )

    assert ("/shared/zz.md", "/r/.claude/rules/b.md", "/more/n.md") == result.paths
    assert "link-loop" == reasons(result)["l.md"]
    assert "not-md" == reasons(result)["t.txt"]


@clause("MEM-032")
def test_a_linked_rules_folder_and_a_linked_dot_folder_are_followed() -> None:
    """The rules are listed where they really lie."""

    assert ("/x/rules/a.md",) == found({"/x/rules/a.md": "x", "/r/.claude": link_node("/x")}).paths
    assert ("/y/a.md",) == found({"/y/a.md": "x", "/r/.claude/rules": link_node("/y")}).paths


@clause("MEM-022", "MEM-030")
@pytest.mark.parametrize(
    ("expected", "entry"),
    [
        ({}, FOLDER),
        ({}, link_node("/nowhere")),
        ({"/r/.claude/rules": "not-regular"}, FIFO),
        ({"/r/.claude/rules": "not-regular"}, file_node(b"a file")),
        ({"/r/.claude/rules": "link-loop"}, link_node("rules")),
        ({"/r/.claude/rules": "unreadable"}, Node(kind=EntryKind.FOLDER, may_list=False)),
    ],
)
def test_what_is_no_folder_of_rules_gives_none(expected: dict[str, str], entry: Node) -> None:
    """One that is empty or missing is silent; one that is no folder, or refuses to be listed, is named."""
    load = load_memory(InMemoryTree.of({"/r/.claude/rules": entry}), MemoryRequest(cwd="/r"))

    assert () == load.files
    assert expected == {row.path: row.reason for row in load.skipped}


@clause("MEM-036")
@pytest.mark.parametrize(("left_out", "count"), [(0, 3), (0, 4), (1, 5), (2, 6)])
def test_as_many_rules_as_the_bound_are_considered(left_out: int, count: int) -> None:
    """The first in order; each further one is reported, and what is no rule does not count."""
    result = found(rules(*(f"{i}.md" for i in range(count)), "0.txt", "sub/x.txt"), TINY)

    assert count - left_out == len(result.paths)
    assert left_out == list(reasons(result).values()).count("rules-bound")
    assert sorted(result.paths) == list(result.paths)


@clause("MEM-036")
def test_a_rules_folder_of_nothing_but_folders_ends() -> None:
    """Empty folders are no rules, and no reason to stop early."""
    result = found({f"/r/.claude/rules/{i}": FOLDER for i in range(9)} | rules("z.md"), TINY)

    assert ("/r/.claude/rules/z.md",) == result.paths
