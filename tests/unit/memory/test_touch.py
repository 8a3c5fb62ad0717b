"""A session that reads files."""

import pytest
from attrs import evolve

from keel_ref.adapters.in_memory import InMemoryTree, Node, link_node
from keel_ref.choices import Choices
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory import LoadReason, MemoryFile, MemoryRequest, MemorySession, Source

ASKED = MemoryRequest(cwd="/r", home="/h", managed_dir="/m")
Files = dict[str, str | bytes | Node]


def session(
    files: Files, asked: MemoryRequest = ASKED, *, numbers: Constants = DEFAULT, **choices: str
) -> MemorySession:
    """A session on a tree; choices are given without their prefix."""
    chosen = Choices.of({f"memory.{name}": value for name, value in choices.items()})
    return MemorySession(InMemoryTree.of({"/r/unused": "", **files}), asked, choices=chosen, constants=numbers)


def attached(opened: MemorySession, path: str) -> list[str]:
    """The paths of what a read attaches."""
    return [file.path for file in opened.touch(path).load.files]


def conditional(patterns: str, text: str) -> str:
    """A rule that waits."""
    return f'---\npaths: "{patterns}"\n---\n{text}'


@clause("MEM-035", "MEM-057", "MEM-141", "MEM-146")
def test_the_order_for_one_target() -> None:
    """Managed and user rules, the folders on the way with local before rules, the chain; each with its reason."""
    opened = session(
        {
            "/m/.claude/rules/m.md": conditional("*.ts", "1"),
            "/h/.claude/rules/u.md": conditional("/s/**", "2"),
            "/r/s/CLAUDE.md": "3 @i.md",
            "/r/s/i.md": "4",
            "/r/s/.claude/CLAUDE.md": "5",
            "/r/s/CLAUDE.local.md": "6",
            "/r/s/.claude/rules/a.md": conditional("zzz", "waits @j.md"),
            "/r/s/.claude/rules/j.md": "7",
            "/r/s/.claude/rules/u.md": "8",
            "/r/s/.claude/rules/c.md": conditional("d/k.ts", "9"),
            "/r/s/d/CLAUDE.md": "10",
            "/r/.claude/rules/p.md": conditional("*.ts", "11"),
        }
    )
    found = opened.touch("/r/s/d/k.ts").load.files
    nested, include, glob = LoadReason.NESTED_TRAVERSAL, LoadReason.INCLUDE, LoadReason.PATH_GLOB_MATCH

    assert [str(number) for number in range(1, 12)] == [file.text.split(" ")[0] for file in found]
    assert [glob, glob, nested, include, nested, nested, include, nested, glob, nested, glob] == [
        f.reason for f in found
    ]
    assert [("*.ts",), ("/s",), ("d/k.ts",), ("*.ts",)] == [file.globs for file in found if file.globs]


@clause("MEM-140", "MEM-058")
@pytest.mark.parametrize("target", ["/o/z.ts", "/r2/z.ts", "/r/../o/z.ts", "/r", "/z.ts"])
def test_a_target_outside_attaches_nothing(target: str) -> None:
    """By whole components, after `..` was worked out; the working folder itself is no file in it."""
    opened = session({"/o/CLAUDE.md": "O", "/h/.claude/rules/u.md": conditional("*", "U"), "/r2/CLAUDE.md": "R2"})

    assert [] == attached(opened, target)


@clause("MEM-058")
def test_a_name_that_begins_with_two_dots_never_matches() -> None:
    """As seen from the base it looks like a way out."""
    opened = session(
        {"/r/.claude/rules/a.md": conditional("*", "A"), "/.claude/rules/b.md": conditional("*", "B")}, root="read"
    )

    assert ["/.claude/rules/b.md"] == attached(opened, "/r/..a/k.ts")


@clause("MEM-143")
def test_each_file_comes_once_until_a_compaction() -> None:
    """What loaded at start, what a read attached; a rule that did not match still comes with a later target."""
    opened = session(
        {
            "/r/CLAUDE.md": "P @s/CLAUDE.md",
            "/r/s/CLAUDE.md": "S",
            "/r/s/CLAUDE.local.md": "L",
            "/r/.claude/rules/b.md": conditional("b.ts", "B"),
        }
    )
    reads = ["/r/s/a.ts", "/r/s/b.ts", "/r/s/a.ts"]
    first = [attached(opened, path) for path in reads]
    start = opened.compact()

    assert [["/r/s/CLAUDE.local.md"], ["/r/.claude/rules/b.md"], []] == first
    assert [LoadReason.COMPACT, LoadReason.INCLUDE] == [file.reason for file in start.files]
    assert first == [attached(opened, path) for path in reads]


@clause("MEM-142")
@pytest.mark.parametrize(
    ("names", "sources"),
    [
        (["u", "CLAUDE.md", "CLAUDE.local.md", "s", "p"], frozenset(Source)),
        (["CLAUDE.md", "s", "p"], frozenset({Source.PROJECT})),
        (["CLAUDE.local.md", "s", "p"], frozenset({Source.LOCAL})),
        (["u", "s", "p"], frozenset({Source.USER})),
        (["s", "p"], frozenset()),
    ],
)
def test_sources_on_demand(names: list[str], sources: frozenset[Source]) -> None:
    """They switch the CLAUDE.md kinds, local files and the user's rules, and never the project's rules."""
    opened = session(
        {
            "/h/.claude/rules/u": "no rule",
            "/h/.claude/rules/u.md": conditional("*.ts", "u"),
            "/r/s/CLAUDE.md": "CLAUDE.md",
            "/r/s/CLAUDE.local.md": "CLAUDE.local.md",
            "/r/s/.claude/rules/s.md": "s",
            "/r/.claude/rules/p.md": conditional("*.ts", "p"),
        },
        evolve(ASKED, sources=sources),
    )

    assert names == [file.text for file in opened.touch("/r/s/a.ts").load.files]


@clause("MEM-144")
def test_attached_texts_are_not_trimmed() -> None:
    """Frontmatter with the white space behind it and block comments go; a mention is looked for in what is left."""
    opened = session(
        {
            "/r/s/CLAUDE.md": "\n\n  body  \n\n",
            "/r/s/.claude/CLAUDE.md": "  \n",
            "/r/s/CLAUDE.local.md": "<!-- c -->\n\n    @x.md\n\n L \n\n",
            "/r/s/x.md": "code at the head of an untrimmed text mentions nothing",
            "/r/.claude/rules/c.md": "---\npaths: '*.ts'\n---\n\n\n rule \n\n",
        }
    )

    assert ["\n\n  body  \n\n", "    @x.md\n\n L \n\n", "rule \n\n"] == [
        file.text for file in opened.touch("/r/s/a.ts").load.files
    ]


def nested(text: str, cut: str = "on") -> MemoryFile:
    """A text that a read attaches, with small limits: two lines, twelve bytes."""
    (file,) = session({"/r/s/CLAUDE.md": text}, numbers=TINY, nested_cut=cut).touch("/r/s/a.ts").load.files
    return file


@clause("MEM-145")
@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ("a", "a"),
        ("a\nb", "a\nb"),
        ("a\nb\n", "a\nb\n"),
        ("a\nb", "a\nb\nc"),
        ("a\nb", "a\nb\nc\n"),
        ("x" * 12, "x" * 12),
        ("x" * 12, "x" * 13),
        ("x" * 11, "x" * 11 + "éy"),
        ("é" * 6, "é" * 7),
        ("😀" * 3, "😀" * 4),
        ("x" * 10 + "\ny", "x" * 10 + "\nyyy"),
    ],
)
def test_attached_texts_are_cut_like_surfaced_memories(kept: str, text: str) -> None:
    """First the lines, then the bytes, never inside a character; a note says so, on top of the limits."""
    file = nested(text)

    assert kept == file.text
    assert (kept != text) == file.is_warned
    assert not file.notice or "/r/s/CLAUDE.md" in file.notice
    assert text == nested(text, "off").text


@clause("MEM-088", "MEM-147")
def test_an_approval_does_not_count_on_demand() -> None:
    """The question was asked about what loads at start."""
    opened = session(
        {"/r/s/CLAUDE.md": "S @/o.md @in.md", "/o.md": "O", "/r/s/in.md": "IN"}, evolve(ASKED, approve_external=True)
    )

    assert ["/r/s/CLAUDE.md", "/r/s/in.md"] == attached(opened, "/r/s/a.ts")


@clause("MEM-014", "MEM-148")
@pytest.mark.parametrize(
    "asked",
    [
        evolve(ASKED, bare=True),
        evolve(ASKED, bare=True, add_dirs=("/e",)),
        evolve(ASKED, env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}),
    ],
)
def test_bare_mode_and_the_switch_attach_nothing(asked: MemoryRequest) -> None:
    """Whatever the choice about added folders is."""
    files: Files = {"/r/s/CLAUDE.md": "S", "/r/.claude/rules/c.md": conditional("*.ts", "C")}

    assert [] == attached(session(files, asked), "/r/s/a.ts")
    assert [] == attached(session(files, asked, bare_added="added-only"), "/r/s/a.ts")


@clause("MEM-009")
def test_a_suppressed_folder_gives_no_rules_on_demand() -> None:
    """The worktree holds the same rule."""
    files: Files = {
        "/r/.git/worktrees/w/commondir": "../..",
        "/r/wt/.git": "gitdir: /r/.git/worktrees/w",
        "/r/.claude/rules/c.md": conditional("*.ts", "outer"),
        "/r/wt/.claude/rules/c.md": conditional("*.ts", "inner"),
    }

    assert ["/r/wt/.claude/rules/c.md"] == attached(session(files, evolve(ASKED, cwd="/r/wt")), "/r/wt/a.ts")


@clause("MEM-008", "MEM-140")
def test_a_target_below_a_linked_working_folder_counts_below_its_real_path() -> None:
    """So does one that is given relative to it."""
    files: Files = {"/lnk": link_node("/r"), "/r/s/CLAUDE.md": "S"}

    assert ["/r/s/CLAUDE.md"] == attached(session(files, evolve(ASKED, cwd="/lnk")), "/lnk/s/a.ts")
    assert ["/r/s/CLAUDE.md"] == attached(session(files, evolve(ASKED, cwd="/lnk")), "s/a.ts")
    assert ["/r/s/CLAUDE.md"] == attached(session(files, evolve(ASKED, cwd="/lnk")), "/r/s/a.ts")
