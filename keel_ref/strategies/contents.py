"""What memory files, indexes, settings and records may hold. Spec: MEM-020, MEM-040 to MEM-048, MEM-070 to MEM-079."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence

from attrs import frozen
from hypothesis import strategies as st

from keel_ref.memory.approval import APPROVAL
from keel_ref.strategies.places import HOME, OUTSIDE, REPOSITORY

PATTERNS = (
    "src",
    "s",
    "*.ts",
    "a.ts",
    "/a.ts",
    "s/a.ts",
    "**/*.ts",
    "**/d/**",
    "s/",
    "d/?.ts",
    "[a-c].ts",
    "[!a]*",
    "[^a]*",
    "{a,b}.ts",
    "{s/{a,b},x}.{ts,py}",
    "{a}{b}{c}{d}{e}{f}{g}{h}",
    "{a,b}{c,d}{e,f}",
    "src/{1,2,3,4,5}.ts",
    "**/{a,b,c}.{ts,py}",
    "\\a.ts",
    "../w/*",
    "!a.ts",
    "#src",
    "./s",
    "*",
    "**",
    "S/D",
)
EXCLUDES = (
    "**",
    "**/CLAUDE.md",
    "**/a.md",
    "**/rules/**",
    "/h/**",
    "/r/s/**",
    "/r/*.md",
    "/r/{s,.claude}/**",
    "/lnk/**",
    "/r/s/CLAUDE.local.m[c-e]",
    "CLAUDE.md",
    "r/**",
    "!**/a.md",
    "!/r/**",
    "/R/**",
    "",
)
WRONG_LISTS: tuple[object, ...] = ("x", 7, [None, "**/b.md"])
PROSE = (
    "keep it short",
    "mail me@a.md or (@a.md)",
    "@@a.md",
    "`@a.md`",
    "    @b.md",
    "```\n@a.md\n```",
    "~~~\n@b.md",
    "<div>\n@a.md\n</div>",
    "[@b.md](@a.md)",
    "&#64;a.md",
    "\\@a.md",
    "- item\n  @n.txt",
    "> quoted @n.txt",
    "*x*@b.md",
    "caf\u00e9 \U0001f600",
    "",
)
ODD_BYTES = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0", b"a\rb", b"\x1c@a.md", b" ")
COMMENTS = (
    "<!-- note @a.md -->",
    "<!--\n@b.md\n\n-->",
    "<!-- a --> rest @b.md",
    "text <!-- stays -->",
    "<!---->",
    "<!-->",
    "<!-- never closed",
    "- x\n  <!-- in a list -->",
    "<!-- a --><!<!-- b -->-- c -->",
)
MENTIONED = (
    "@./b.md",
    "@CLAUDE.md and @AGENTS.md",
    "@gone.md",
    "@d",
    "@a.md#part @a.md.",
    f"@{REPOSITORY}/a.md",
    "@/h/.claude/projects/-r/memory/MEMORY.md",
    "@/ @~ @#x",
)
TEMPLATES = (
    "@{relative}",
    "@{whole}",
    "see @{relative} and more",
    "- @{whole}",
    "# @{relative}\u00a0x",
    "**@{whole}**",
    "> @{relative}\u200bx",
    "@{whole},",
)
CROWDED = ("x" * 500, "@a.md " * 45, "[" * 150 + " @a.md")
"""Texts that are too much for the small numbers."""
PIECES = (*(text.encode() for text in PROSE + COMMENTS + MENTIONED), *ODD_BYTES)
MAX_GOALS = 15


def path_patterns() -> st.SearchStrategy[str]:
    """One pattern of a rule's `paths`: of every form, anchored, negated, for folders, or a comment."""
    return st.sampled_from(PATTERNS)


def frontmatters() -> st.SearchStrategy[str]:
    """A block between dashes: with patterns in every form, with none, broken, repaired, or never closed."""
    lists = st.lists(path_patterns(), min_size=1, max_size=3)
    quoted = lists.map(lambda found: [f'"{pattern}"' for pattern in found])
    return st.one_of(
        lists.map(lambda found: f"---\npaths: {', '.join(found)}\n---\n"),
        quoted.map(lambda found: f"---\npaths: [{', '.join(found)}]\n---\n"),
        quoted.map(lambda found: "---\r\npaths:\r\n" + "".join(f"  - {p}\r\n" for p in found) + "---\r\n"),
        lists.map(lambda found: f"---\n# a comment\nname: x\npaths:\t'{found[0]}'\n--- \n\n"),
        st.sampled_from(
            (
                "---\n---\n",
                "---\nglobs: src\n---\n",
                "---\npaths: 7\n---\n",
                '---\npaths: "**"\n---\n',
                "---\npaths: {a: b}\n---\n",
                "---\npaths: x\npaths: y\n---\n",
                "---\npaths:\n  - **/*.ts\n---\n",
                "---\npaths: [*nowhere]\n---\n",
                "---\npaths: src\n",
                "\n---\npaths: src\n---\n",
            )
        ),
    )


@frozen
class Mention:
    """An include whose path is written down once it is known what there is to be mentioned."""

    template: str
    """The text around it: `{relative}` or `{whole}` stands for the path."""
    number: int
    """Which of the goals it names, counted round and round."""

    def written(self, path: str, goals: Sequence[str]) -> str:
        """The text, in the file of that path."""
        goal = goals[self.number % len(goals)]
        return self.template.format(
            relative=_shown(posixpath.relpath(goal, posixpath.dirname(path))),
            whole=_shown("~" + goal.removeprefix(HOME) if goal.startswith(HOME + "/") else goal),
        )


def _shown(path: str) -> str:
    return path.encode("utf-8", "replace").decode().replace(" ", "\\ ")


@frozen(kw_only=True)
class MemoryText:
    """A memory file in pieces."""

    head: str
    """A byte order mark, or frontmatter, or nothing."""
    pieces: tuple[bytes | Mention, ...]
    """The body: mentions, prose in which nothing is one, comments, odd bytes."""
    between: str
    """What stands between the pieces."""

    def written(self, path: str, goals: Sequence[str]) -> bytes:
        """The bytes of the file of that path, when there are such goals to be mentioned."""
        body = (p.written(path, goals).encode() if isinstance(p, Mention) else p for p in self.pieces)
        return self.head.encode() + self.between.encode().join(body)


def memory_texts() -> st.SearchStrategy[MemoryText]:
    """Any memory file."""
    mentions = st.builds(Mention, st.sampled_from(TEMPLATES), st.integers(0, MAX_GOALS))
    return st.builds(
        MemoryText,
        head=st.sampled_from(("", "\ufeff")) | frontmatters(),
        pieces=st.lists(mentions | st.sampled_from(PIECES), min_size=1, max_size=3).map(tuple),
        between=st.sampled_from(("\n", "\n\n", "\r\n")),
    )


def index_texts() -> st.SearchStrategy[bytes]:
    """The bytes of an index: a few lines, many, or long ones."""
    lines = st.lists(st.sampled_from(("- [a](a.md)", "", "é" * 9, "\U0001f600" * 5, "@a.md", "x\u2028y\r")), max_size=9)
    long = st.builds(str.__mul__, st.sampled_from(("0123456789\n", "é", "\U0001f600", "x\n")), st.integers(0, 30_000))
    return (lines.map("\n".join) | long).map(str.encode) | st.sampled_from(PIECES)


def settings_texts() -> st.SearchStrategy[bytes]:
    """The bytes of a settings file: sound, with values of the wrong type, or broken."""
    values = st.fixed_dictionaries(
        {},
        optional={
            "claudeMdExcludes": st.lists(st.sampled_from(EXCLUDES), max_size=3) | st.sampled_from(WRONG_LISTS),
            "autoMemoryEnabled": st.booleans() | st.just("yes"),
            "autoMemoryDirectory": st.sampled_from(("~/notes", "/h/notes", "notes", "/e", 7)),
            "other": st.none(),
        },
    )
    sound = values.map(lambda found: json.dumps(found).encode())
    return sound | st.sampled_from((b"", b"[]", b"{", b'\xef\xbb\xbf{"autoMemoryEnabled": false}', b'{"a": "\xff"}'))


def record_texts() -> st.SearchStrategy[bytes]:
    """The bytes of the file with the user's answers."""
    keys = st.sampled_from((REPOSITORY, "/r/s", OUTSIDE, "/"))
    answers = st.dictionaries(
        keys, st.fixed_dictionaries({APPROVAL: st.sampled_from((True, False, "true"))}), max_size=2
    )
    return answers.map(lambda found: json.dumps({"projects": found}).encode()) | st.sampled_from((b"{", b"{}", b"7"))
