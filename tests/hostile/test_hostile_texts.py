"""Texts that are cheap to write and dear to read: includes, Markdown, comments."""

from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis.strategies import integers, text
from markdown_it.helpers import parseLinkDestination

from keel_ref.adapters.in_memory import InMemoryTree, file_node
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.memory.comments import strip_comments
from keel_ref.memory.includes import find_mentions
from keel_ref.memory.index import slug
from keel_ref.memory.markdown import _link_destination, size_blocks
from keel_ref.memory.meter import SpentError
from keel_ref.strategies.watched_tree import WatchedTree
from keel_ref.trace import Reason
from tests.hostile.place import Place

pytestmark = pytest.mark.usefixtures("within_time")

MILLION = 1_000_000
NESTED = "".join("<!-" * k + "<!--a-->" + "-c-->" * k for k in range(150))
"""Comments that uncover one another, a hundred and fifty times."""
SPECIAL = "\\`*_[]<>&!#-+=~|{}()@.:\"' \t1\r\0\f"
LINES = (
    "*",
    "#",
    "- a",
    "> a",
    "=",
    "1.",
    "[a]:",
    "[a]: b",
    "@a",
    "<!--",
    "<a",
    "<div>",
    "```",
    "    x",
    "a\n=",
    "- - -",
)
DEAR = (
    *("[", "![", "[](", "[a](", "![a](", "[a](b '", "[a][", "*a", "a*", "*a_", "**a", "_a ", "`a", "``a`", "\\[", "[`"),
    *(
        "<a b=",
        '<a b="',
        "<!",
        "<!--",
        "<![CDATA[",
        "<?",
        "</a ",
        "<http:a",
        "<a@b",
        "&#x",
        "&a",
        "[*",
        "](<",
        "[a]: <",
    ),
)


@clause("MEM-092")
def test_files_that_include_one_another_a_million_times(place: Place) -> None:
    """A thousand files with a thousand mentions each: a hundred thousand are looked up, the rest is reported."""
    for i in range(1_000):
        place.write(f"i/{i}.md", " ".join(f"@{(i + j) % 1_000}.md" for j in range(1_000)))
    place.write("CLAUDE.md", "\n".join(f"@i/{i}.md" for i in range(1_000)))
    place.write("CLAUDE.local.md", "still here")
    plan = place.plan()

    assert ["CLAUDE.md", "CLAUDE.local.md"] == [name for name in plan.files if not name.startswith("i/")]
    assert {"bound-reached", "include-depth"} == plan.reasons
    assert 1_000 == len({*plan.files, *plan.rows} - {"CLAUDE.md", "CLAUDE.local.md"})


@clause("MEM-092", "MEM-023")
def test_a_hundred_thousand_rows_in_half_a_gigabyte(place: Place) -> None:
    """A thousand mentions of what is not there, in each of a hundred files: a row each, in bounded memory."""
    for i in range(100):
        place.write(f"i/{i}.md", " ".join(f"@gone/{i}-{j}.md" for j in range(1_000)))
    place.write("CLAUDE.md", "\n".join(f"@i/{i}.md" for i in range(100)))
    plan = place.plan(memory=1 << 29)

    assert 101 == len(plan.files)
    assert 99_900 == list(plan.rows.values()).count("not-found")
    assert 0 == place.run(memory=1 << 29).code


@clause("MEM-092")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("@a " * (64 * MILLION // 3), "bound-reached"),
        ("@a\n" * 5 * MILLION, "bound-reached"),
        ("x" * 10 * MILLION + " @a", "not-found"),
        ("word " * 2 * MILLION + " @a", "not-found"),
        ("@" + "a" * 10 * MILLION, "not-found"),
        ("@" + "a/" * MILLION + "x.md", "not-found"),
        ("@a" + "\\ " * 40_000, "not-found"),
        ("@a" + "#" * 10 * MILLION, "not-found"),
        ("@" + "./" * 10_000 + "a", "not-found"),
        ("@" + "../" * 10_000 + "a", "include-external"),
        ("@a\0b @a/\0", "not-found"),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_mentions_without_end(place: Place, text: str, reason: str) -> None:
    """Sixty-four megabytes of mentions, a mention of ten megabytes: the file is sent whole, with a row."""
    place.write("CLAUDE.md", text)
    plan = place.plan(memory=1 << 30)

    assert ["CLAUDE.md"] == plan.files
    assert reason in plan.reasons
    assert len(text.strip()) == len(plan.text("CLAUDE.md"))


@clause("MEM-092", "MEM-101")
def test_a_line_of_each_special_character(place: Place) -> None:
    """Much of each in one line, and in many: every file loads, searched or with a row."""
    names: list[str] = []
    for i, char in enumerate(SPECIAL):
        names.append(place.write(f".claude/rules/{i:03}-line.md", "x" + char * 300_000 + " @../../i.md").name)
    for i, line in enumerate(LINES):
        names.append(place.write(f".claude/rules/{i:03}-lines.md", f"{line}\n" * 120_000 + "@../../i.md").name)
    plan = place.plan()

    assert sorted(names) == [name.rpartition("/")[2] for name in plan.files]
    assert {"bound-reached", "not-found"} == plan.reasons


@clause("MEM-092")
@pytest.mark.parametrize("dear", DEAR)
def test_searching_costs_no_more_than_its_share(dear: str, work: Callable[[Callable[[], object]], int]) -> None:
    """Four times as much of what makes a parser think takes about four times the work, and is searched to its end."""

    def search(count: int) -> int:
        text = f"a {(dear + 'x' * 20) * count} @a"
        found = find_mentions(text, DEFAULT)

        assert found.is_complete
        return work(lambda: find_mentions(text, DEFAULT))

    assert search(800) < 6 * search(200)


@clause("MEM-073")
@given(text(alphabet="[]()\\<>! ab\n\t\x7f", max_size=80), integers(0, 80))
def test_a_destination_is_found_as_the_parser_finds_it(text: str, start: int) -> None:
    """What is spared the parser is what it would find nothing in."""
    place = min(start, len(text))
    own, found = parseLinkDestination(text, place, len(text)), _link_destination(text, place, len(text))

    assert (own.ok, own.pos, own.str) == (found.ok, found.pos, found.str)


@clause("MEM-092", "MEM-103")
@pytest.mark.parametrize(
    "text",
    [*(f"{line}\n" for line in LINES), "> > > > a\n", "- - - - a\n", "> - > - a\n", "[a]: b '\n", "[x\n\n", "<!-- a\n"],
)
def test_blocks_cost_what_they_are_said_to_cost(text: str, work: Callable[[Callable[[], object]], int]) -> None:
    """The work of parting a text into blocks stays in proportion to the measure that bounds it."""

    def share(count: int) -> float:
        whole = text * count + "\n@a"
        return work(lambda: find_mentions(whole, DEFAULT)) / size_blocks(whole)

    assert share(1_600) < 400
    assert share(1_600) < 2 * share(400)


@clause("MEM-092")
def test_lines_that_continue_a_deep_quotation_are_dear() -> None:
    """Each level looks at such a line once more, so the measure counts them so."""
    plain, deep = "> a\n" + "a\n" * 1_000, "> " * 100 + "a\n" + "a\n" * 1_000

    assert 20 * size_blocks(plain) < size_blocks(deep)
    assert not find_mentions(("> " * 100 + "a\n" + "a\n" * 10_000) + "@a", DEFAULT).is_complete


@clause("MEM-103", "MEM-092")
@pytest.mark.parametrize(
    ("fate", "text"),
    [
        ("removed", "<!-- a -->\n\n" * 20_000),
        ("removed", "<!--" * 250_000 + "-->"),
        ("kept", "<!--" * 250_000),
        ("kept", "<!-- -->" + "<!--" * 250_000),
        ("kept", "<!-" * 5_000 + "<!-- x -->" + "- x -->" * 5_000),
        ("kept", "<![CDATA[" * 100_000),
        ("bounded", "<!-- a -->\n\n" * 100_000),
        ("bounded", "<!-- a -->\n\ntext @a\n\n" * 50_000),
        ("bounded", "<!--\n" * 200_000),
        ("bounded", "<!-- " + "-->" * 300_000),
        ("bounded", "<!-- --> " * 100_000),
        ("bounded", NESTED),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_comments_without_end(place: Place, fate: str, text: str) -> None:
    """A hundred thousand of them, or openings alone, or one inside the other: removed, or left, or left with a row."""
    place.write("CLAUDE.md", text)
    place.write("CLAUDE.local.md", "still here")
    plan = place.plan()
    is_whole = "CLAUDE.md" in plan.files and plan.text("CLAUDE.md") in {text.strip(), "<!--" * 250_000}
    row = {"removed": "empty", "kept": None, "bounded": "bound-reached"}[fate]

    assert "still here" == plan.text("CLAUDE.local.md")
    assert row == plan.rows.get("CLAUDE.md")
    assert (fate == "removed") != is_whole


@clause("MEM-103")
def test_what_takes_too_many_passes_stays_as_it_is() -> None:
    """Comments that uncover one another a hundred and fifty times are not half removed: nothing is."""
    load = load_memory(InMemoryTree.of({"/r/CLAUDE.md": NESTED, "/r/CLAUDE.local.md": "L"}), MemoryRequest(cwd="/r"))
    is_whole = NESTED == load.files[0].text

    assert is_whole
    assert [("/r/CLAUDE.md", Reason.BOUND_REACHED)] == [(row.path, row.reason) for row in load.skipped]
    assert "bound-reached" in [notice.kind for notice in load.notices]
    with pytest.raises(SpentError):
        strip_comments(NESTED)


@clause("MEM-103")
@pytest.mark.parametrize("text", ["<!--\n", "<!-- a -->\n\n", "<!-- a --> b\n", "a <!-- b -->\n", "<!--<!--\n"])
def test_removal_costs_no_more_than_its_share(text: str, work: Callable[[Callable[[], object]], int]) -> None:
    """Four times as many comments take about four times the work."""

    assert work(lambda: strip_comments(text * 2_000)) < 6 * work(lambda: strip_comments(text * 500))


@clause("MEM-092")
def test_one_load_searches_so_much_and_no_more() -> None:
    """Many files that are each within the bound are searched until the bound of the load; all of them load."""
    files = {f"/r/.claude/rules/{i:02}.md": "@../../i.md\n" + "#\n" * 90 + "*a " * 90 for i in range(20)}
    constants = evolve(DEFAULT, markup_cap=1_000, block_cap=1_000, load_cap_scan=1_000)
    load = load_memory(InMemoryTree.of({**files, "/r/i.md": "I"}), MemoryRequest(cwd="/r"), constants=constants)
    bounded = [row.path for row in load.skipped if row.reason is Reason.BOUND_REACHED]

    assert {*files, "/r/i.md"} == {file.path for file in load.files}
    assert sorted(files)[len(files) - len(bounded) :] == sorted(bounded)
    assert 0 < len(bounded) < len(files)


@clause("MEM-024", "MEM-019")
def test_what_is_too_large_is_asked_for_once() -> None:
    """A hundred mentions of a file that is too large ask for its size, and never for more than the cap of bytes."""
    tree = WatchedTree(
        InMemoryTree.of({"/r/CLAUDE.md": "@big.md\n" * 100, "/r/big.md": file_node(b"", 5 << 30)}),
    )
    load = load_memory(tree, MemoryRequest(cwd="/r"))

    assert [("/r/big.md", Reason.TOO_LARGE)] == [(row.path, row.reason) for row in load.skipped]


@clause("MEM-106", "MEM-100")
def test_bytes_of_every_kind(place: Place) -> None:
    """NUL bytes, stray bytes, half characters and marks of byte order, a megabyte of each, are text in the end."""
    kinds = (
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98",
        b"\xef\xbb\xbf",
        b"\xfe\xff",
        b"\r",
        "😀".encode(),
    )
    for i, kind in enumerate(kinds):
        place.write(f".claude/rules/{i}.md", b"x" + kind * (MILLION // len(kind)) + b" @../../i.md x")
    plan = place.plan()

    assert [f".claude/rules/{i}.md" for i in range(len(kinds))] == plan.files
    assert {"i.md": "not-found"} == plan.rows


@clause("MEM-121", "MEM-024")
@pytest.mark.parametrize(
    "data",
    ["x" * 60 * MILLION, "x\n" * 30 * MILLION, "😀" * 15 * MILLION, "\0" * MILLION, "\n" * 30 * MILLION + "x"],
    ids=lambda data: repr(data[:3]),
)
def test_an_index_of_sixty_megabytes(place: Place, data: str) -> None:
    """It is cut to its limits, whatever it is made of."""
    place.write(f"~/.claude/projects/{slug(str(place.project))}/memory/MEMORY.md", data)
    plan = place.plan(memory=3 << 29)
    (file,) = plan.whole["files"]

    assert len(file["text"]) <= 25_000
    assert file["warned"] == (len(data.strip()) > 25_000)
