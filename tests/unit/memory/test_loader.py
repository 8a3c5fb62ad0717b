"""Includes: their depth, their place, their bounds, and which of them are allowed."""

import pytest
from attrs import evolve

from keel_ref.adapters.in_memory import FOLDER, Node, file_node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.ports import EntryKind
from tests.unit.memory.loading import ASKED, Files, load, paths, reasons


def chain(count: int) -> Files:
    """A file that leads over so many hops to the last one."""
    files: Files = {f"/r/{number}": f"@{number + 1}" for number in range(1, count)}
    return {"/r/CLAUDE.md": "@1", **files, f"/r/{count}": "end"}


@clause("MEM-080")
@pytest.mark.parametrize(
    ("loaded", "hops", "count"), [(3, "4", 3), (4, "4", 4), (4, "4", 5), (4, "5", 4), (5, "5", 5), (5, "5", 6)]
)
def test_includes_go_as_deep_as_the_choice_says(loaded: int, hops: str, count: int) -> None:
    """The last hop loads, the next one is reported, and what lies behind it is not looked at."""
    found = load(chain(count), include_hops=hops)

    assert ["/r/CLAUDE.md", *(f"/r/{number}" for number in range(1, loaded + 1))] == paths(found)
    assert list(range(loaded + 1)) == [file.depth for file in found.files]
    assert ({f"/r/{loaded + 1}": "include-depth"} if count > loaded else {}) == reasons(found)


@clause("MEM-081")
def test_a_file_at_the_last_depth_hides_its_includes() -> None:
    """Also when it is named by a shorter way later: its first place stands."""
    found = load({**chain(4), "/r/CLAUDE.md": "@1 @4", "/r/4": "@5", "/r/5": "no"})

    assert "/r/5" not in paths(found)


@clause("MEM-086")
def test_a_refused_include_loads_by_a_way_that_is_allowed() -> None:
    """Refused for its depth first, met again by a shorter way, no longer reported."""
    found = load({**chain(5), "/r/CLAUDE.md": "@1 @5"})

    assert "/r/5" in paths(found)
    assert {} == reasons(found)


@clause("MEM-084")
def test_cycles_end_and_a_shared_include_loads_at_its_first_place() -> None:
    """Files that mention themselves and one another, and two that mention a third."""
    found = load(
        {"/r/CLAUDE.md": "@CLAUDE.md @a.md @b.md", "/r/a.md": "@s.md @b.md", "/r/b.md": "@s.md @a.md", "/r/s.md": "S"}
    )

    assert ["/r/CLAUDE.md", "/r/a.md", "/r/s.md", "/r/b.md"] == paths(found)
    assert [None, "/r/CLAUDE.md", "/r/a.md", "/r/a.md"] == [file.parent for file in found.files]
    assert {} == reasons(found)


@clause("MEM-083")
def test_includes_stand_behind_or_before_their_file() -> None:
    """Depth first, in the order of the text, under either value."""
    files: Files = {
        "/r/CLAUDE.md": "@b.md @a.md",
        "/r/b.md": "@c.md @d.md",
        "/r/a.md": "@c.md",
        "/r/c.md": "C",
        "/r/d.md": "D",
    }
    names = [path.removeprefix("/r/") for path in paths(load(files, include_order="child-first"))]

    assert ["CLAUDE.md", "b.md", "c.md", "d.md", "a.md"] == [p.removeprefix("/r/") for p in paths(load(files))]
    assert ["c.md", "d.md", "b.md", "a.md", "CLAUDE.md"] == names


@clause("MEM-085")
def test_a_link_and_its_target_are_two_files_or_one() -> None:
    """Under `path` a link that loads takes its target along, a target does not take its links along."""
    files: Files = {
        "/r/CLAUDE.md": "X",
        "/r/.claude/CLAUDE.md": link_node("../CLAUDE.md"),
        "/r/CLAUDE.local.md": "@l.md @real.md",
        "/r/l.md": link_node("real.md"),
        "/r/real.md": "R",
    }

    assert ["/r/CLAUDE.md", "/r/.claude/CLAUDE.md", "/r/CLAUDE.local.md", "/r/l.md"] == paths(load(files))
    assert ["/r/CLAUDE.md", "/r/CLAUDE.local.md", "/r/l.md"] == paths(load(files, identity="real"))
    assert "duplicate" == reasons(load(files))["/r/real.md"]


@clause("MEM-034")
def test_a_waiting_rule_comes_back_as_an_include_of_its_own_include() -> None:
    """The include stands at the rule's place, and the rule behind it, no longer reported."""
    found = load(
        {
            "/r/.claude/rules/a.md": "---\npaths: src\n---\nA @x.md",
            "/r/.claude/rules/b.md": "B",
            "/r/.claude/rules/x.md": "X @a.md",
        }
    )
    rule, include = "/r/.claude/rules/a.md", "/r/.claude/rules/x.md"

    assert [include, rule, "/r/.claude/rules/b.md"] == paths(found)
    assert [rule, include, None] == [file.parent for file in found.files]
    assert [1, 2, 0] == [file.depth for file in found.files]
    assert {} == reasons(found)


@clause("MEM-042", "MEM-091")
def test_an_included_rule_loads_whatever_its_patterns_are() -> None:
    """With the layer of its includer, and it counts as loaded."""
    found = load({"/r/CLAUDE.md": "@.claude/rules/c.md", "/r/.claude/rules/c.md": "---\npaths: x\n---\nC"})

    assert [("/r/CLAUDE.md", None), ("/r/.claude/rules/c.md", "/r/CLAUDE.md")] == [
        (f.path, f.parent) for f in found.files
    ]
    assert () == found.held


@clause("MEM-092")
@pytest.mark.parametrize(("is_bound_reached", "count"), [(False, 39), (False, 40), (True, 41)])
def test_as_many_mentions_are_looked_up_as_the_bound(is_bound_reached: bool, count: int) -> None:
    """Repetitions count; beyond it files found directly still load."""
    found = load(
        {"/r/CLAUDE.md": "@a " * (count - 1) + "@b", "/r/a": "A", "/r/b": "B", "/r/CLAUDE.local.md": "L"}, numbers=TINY
    )
    expected = ["/r/CLAUDE.md", "/r/a", *([] if is_bound_reached else ["/r/b"]), "/r/CLAUDE.local.md"]

    assert expected == paths(found)
    assert is_bound_reached == ("bound-reached" in reasons(found).values())
    assert is_bound_reached == ("bound-reached" in {notice.kind for notice in found.notices})


@clause("MEM-104")
@pytest.mark.parametrize(
    ("is_warned", "text"), [(False, "x" * 20), (True, "x" * 21), (False, "😀" * 10), (True, "😀" * 11)]
)
def test_a_large_text_draws_a_warning(is_warned: bool, text: str) -> None:
    """At the limit, counted in UTF-16 units, it does not; above it is sent whole."""
    found = load({"/r/CLAUDE.md": f"\n {text} \n"}, numbers=TINY)

    assert [text] == [file.text for file in found.files]
    assert (["over-40000-characters"] if is_warned else []) == [notice.kind for notice in found.notices]


@clause("MEM-024")
@pytest.mark.parametrize(("is_read", "size"), [(True, 399), (True, 400), (False, 401)])
def test_a_file_above_the_limit_is_not_read(is_read: bool, size: int) -> None:
    """Be it found directly, as a rule, as an include or as the index."""
    content = file_node(b"x", size)
    index = "/h/.claude/projects/-r/memory/MEMORY.md"
    found = load(
        {
            "/r/CLAUDE.md": content,
            "/r/.claude/rules/a.md": content,
            "/r/CLAUDE.local.md": "@big",
            "/r/big": content,
            index: content,
        },
        numbers=TINY,
    )
    large = {"/r/CLAUDE.md", "/r/.claude/rules/a.md", "/r/big", index}

    assert (large if is_read else set()) == large & set(paths(found))
    assert ({} if is_read else dict.fromkeys(large, "too-large")) == reasons(found)


@clause("MEM-019", "MEM-022", "MEM-082")
def test_an_include_that_cannot_load_is_passed_over() -> None:
    """Each with its reason; the text that mentions them does not change."""
    text = "@gone.md @docs @l @fifo @no.md @x.png @e.md @dot. @/out.md"
    found = load(
        {
            "/r/CLAUDE.md": text,
            "/r/docs": FOLDER,
            "/r/l": link_node("l"),
            "/r/fifo": Node(kind=EntryKind.OTHER, what="fifo"),
            "/r/no.md": Node(kind=EntryKind.FILE, data=b"x", may_read=False),
            "/r/x.png": "x",
            "/r/e.md": " ",
            "/r/dot.": "x",
            "/out.md": "x",
        }
    )

    assert [text] == [file.text for file in found.files]
    assert {
        "/r/gone.md": "not-found",
        "/r/docs": "not-regular",
        "/r/l": "link-loop",
        "/r/fifo": "not-regular",
        "/r/no.md": "unreadable",
        "/r/x.png": "include-type",
        "/r/e.md": "empty",
        "/r/dot.": "include-type",
        "/out.md": "include-external",
    } == reasons(found)


@clause("MEM-088", "MEM-089", "MEM-093")
def test_external_includes_need_an_approval_unless_they_are_the_users() -> None:
    """Judged by the path as written: a link inside cwd is inside, an include of a linked file is where that lies."""
    files: Files = {
        "/h/.claude/CLAUDE.md": "@/o/u.md",
        "/o/u.md": "U @v.md",
        "/o/v.md": "V",
        "/m/CLAUDE.md": "@b.md",
        "/m/b.md": "MB",
        "/r/CLAUDE.md": "@/o/p.md @in.md",
        "/o/p.md": "P",
        "/r/in.md": link_node("/o/in.md"),
        "/o/in.md": "IN @n.md",
        "/o/n.md": "N",
    }
    inside = ["/m/CLAUDE.md", "/h/.claude/CLAUDE.md", "/o/u.md", "/o/v.md", "/r/CLAUDE.md", "/r/in.md"]
    approved = load(files, evolve(ASKED, approve_external=True))

    assert inside == paths(load(files))
    assert {"/m/b.md", "/o/p.md", "/o/n.md"} == set(paths(approved)) - set(inside)


@clause("MEM-090")
@pytest.mark.parametrize(
    ("is_approved", "place", "key", "answer"),
    [
        (True, "/h/.claude.json", "/r", "true"),
        (False, "/h/.claude.json", "/r", '"true"'),
        (False, "/h/.claude.json", "/r", "1"),
        (False, "/h/.claude.json", "/r/s", "true"),
        (False, "/h/.claude/.claude.json", "/r", "true"),
        (False, "/h/.claude.json", "/", "true"),
    ],
)
def test_the_record_of_an_approval(is_approved: bool, place: str, key: str, answer: str) -> None:
    """Under the git root, in the home folder, and nothing but the value true."""
    record = f'{{"projects": {{"{key}": {{"hasClaudeMdExternalIncludesApproved": {answer}}}}}}}'
    files: Files = {"/r/.git": FOLDER, "/r/s/CLAUDE.md": "@/o.md", "/o.md": "O", place: record}

    assert is_approved == ("/o.md" in paths(load(files, evolve(ASKED, cwd="/r/s"))))


@clause("MEM-090", "MEM-004")
def test_the_record_lies_in_a_config_home_that_was_moved() -> None:
    """And no longer in the home folder; one that is broken is reported, once it is asked."""
    record = '{"projects": {"/r": {"hasClaudeMdExternalIncludesApproved": true}}}'
    files: Files = {"/r/CLAUDE.md": "@/o.md", "/o.md": "O"}
    moved = evolve(ASKED, config_dir="/c")

    assert "/o.md" in paths(load({**files, "/c/.claude.json": record}, moved))
    assert "/o.md" not in paths(load({**files, "/h/.claude.json": record}, moved))
    assert "settings-broken" == reasons(load({**files, "/c/.claude.json": "{"}, moved))["/c/.claude.json"]
