"""What is probably not meant."""

from keel_ref.adapters.in_memory import InMemoryTree, Node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.memory import MemoryRequest, MemorySession
from keel_ref.memory.lint import Lint, lint

Files = dict[str, str | bytes | Node]


def looked_at(files: Files, cwd: str = "/r") -> Lint:
    """A closer look at the load of a tree."""
    return lint(MemorySession(InMemoryTree.of({"/r/unused": "", **files}), MemoryRequest(cwd=cwd, home="/h")))


def kinds(files: Files) -> set[tuple[str, str]]:
    """The notices, each with its file."""
    return {(notice.kind, notice.path) for notice in looked_at(files).notices}


@clause("MEM-076")
def test_punctuation_behind_a_mention_is_a_typo_where_a_file_lies_without_it() -> None:
    """And nowhere else."""

    assert {("import-typo", "/r/a.md.")} == kinds({"/r/CLAUDE.md": "@a.md. @b.md.", "/r/a.md": "A"})
    assert {("import-typo", "/r/a.md)**")} == kinds({"/r/CLAUDE.md": "@a.md)** x", "/r/a.md": "A"})


@clause("MEM-005", "MEM-017", "MEM-018", "MEM-020")
def test_look_alikes_and_broken_settings_are_warned_of() -> None:
    """A name in another case, an AGENTS.md, a settings file."""

    assert {
        ("name-case", "/r/claude.md"),
        ("agents-file", "/r/AGENTS.md"),
        ("settings-broken", "/r/.claude/settings.json"),
    } == kinds({"/r/claude.md": "x", "/r/AGENTS.md": "x", "/r/.claude/settings.json": "{"})


@clause("MEM-050", "MEM-057")
def test_a_rule_that_no_file_could_wake_is_named() -> None:
    """Files below the working folder count, as seen from the base; what git keeps does not."""
    idle = {"/r/.claude/rules/a.md": "---\npaths: '*.ts'\n---\nA", "/r/.git/x.ts": "x"}

    assert {("rule-matches-nothing", "/r/.claude/rules/a.md")} == kinds({**idle})
    assert set() == kinds({**idle, "/r/s/k.ts": "x"})
    assert {("rule-matches-nothing", "/r/.claude/rules/a.md")} == kinds({**idle, "/w/k.ts": "x"})


@clause("MEM-016")
def test_texts_that_are_sent_twice_are_named() -> None:
    """At their second place."""

    assert {("same-text", "/r/CLAUDE.local.md")} == kinds({"/r/CLAUDE.md": "x", "/r/CLAUDE.local.md": "x"})


@clause("MEM-023", "MEM-140")
def test_memory_below_the_working_folder_waits() -> None:
    """Both names of it, in `.claude` too, links included; not what loads already, nor a link that leads nowhere."""
    found = looked_at(
        {
            "/r/CLAUDE.md": "@s/CLAUDE.md",
            "/r/s/CLAUDE.md": "S",
            "/r/s/d/CLAUDE.local.md": "L",
            "/r/t/.claude/CLAUDE.md": "T",
            "/r/u/CLAUDE.md": link_node("nowhere"),
            "/r/v/CLAUDE.md": link_node("../s/CLAUDE.md"),
            "/r/.git/CLAUDE.md": "no",
        }
    )

    assert ["/r/s/d/CLAUDE.local.md", "/r/t/.claude/CLAUDE.md", "/r/v/CLAUDE.md"] == sorted(
        row.path for row in found.skipped
    )
    assert {"on-demand"} == {str(row.reason) for row in found.skipped}


@clause("MEM-075")
def test_words_that_only_look_like_mentions_are_noise() -> None:
    """No file lies there, and the name is not one of a text."""
    found = looked_at({"/r/CLAUDE.md": "@param x @gone.md @x.png @Makefile", "/r/x.png": "x", "/r/Makefile": "M"})

    assert {"/r/param"} == {row.path for row in found.noise}


def test_notices_stand_in_one_order() -> None:
    """However the tree was made."""
    files: Files = {
        f"/r/{name}": "x" for name in ("claude.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "s/CLAUDE.md")
    }

    assert looked_at(files) == looked_at(dict(reversed(files.items())))
