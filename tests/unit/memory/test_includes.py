"""Which words of a text name a file, and which file."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory.extensions import extension_of, is_text_name
from keel_ref.memory.includes import find_mentions, resolve_mention
from keel_ref.paths import Flavour


def mentions(text: str) -> tuple[str, ...]:
    """The paths that a text mentions."""
    return find_mentions(text, DEFAULT).paths


@clause("MEM-071", "MEM-072", "MEM-073", "MEM-074", "MEM-075", "MEM-076")
@pytest.mark.parametrize(
    ("paths", "text"),
    [
        (("a.md",), "@a.md"),
        (("a.md", "b.md"), "see @a.md and\n@b.md"),
        (("a.md",), "\u00a0@a.md\u3000x"),
        (("a.md\u200bx",), "@a.md\u200bx"),
        (("a\x1cb", "c"), "@a\x1cb \v@c"),
        (("a b.md",), "@a\\ b.md#sec"),
        (("c",), "@c#d.md"),
        (("a b",), "@a\\ b#x\\ y.md"),
        (("e",), "@e f.md"),
        (("_a", "-b", ".c", "1", "/d", "~/e"), "@_a @-b @.c @1 @/d @~/e"),
        (("a.md.", "b(1)[2]{3}%20.md", 'c"'), '@a.md. @b(1)[2]{3}%20.md @c"'),
        (("aé.md",), "@aé.md"),
        (("d.md",), "*x*@d.md"),
        (("f.md",), "`c`@f.md"),
        (("h.md",), "[t](u)@h.md"),
        (("b.md",), "**@b.md**"),
        (("a.md",), "\\*@a.md"),
        (("e",), "@e\\#f.md"),
        (("a\\b",), "@a\\b"),
        (("a", "b"), "@a\\\n@b"),
        (("a_b_c.md",), "@a_b_c.md"),
        (("a*b",), "@a*b"),
    ],
)
def test_mentions(paths: tuple[str, ...], text: str) -> None:
    """From an `@` at the start of a run or behind white space to the next white space, the fragment cut first."""

    assert paths == mentions(text)


@clause("MEM-072", "MEM-073", "MEM-075", "MEM-077", "MEM-079")
@pytest.mark.parametrize(
    "text",
    [
        "me@a.md (@a.md) \"@a.md\" '@a.md' @@a.md",
        "https://x.y/@z.md ssh dev@192.0.2.10",
        "@émile.md @#c @~ @~x @ @/",
        "&nbsp;@c.md &#64;x.md",
        "\\@x.md",
        "`@a.md` ``x ` @a.md``",
        "```\n@a.md\n```",
        "~~~ @b.md\n@a.md",
        "    @a.md",
        "- x\n\n      @a.md",
        "<div>\n@a.md\n</div>",
        '<b title=" @a.md">',
        "x <!-- @a.md --> y",
        "[x](@a.md '@b.md')",
        "[x]: @a.md",
        "<https://x/@a.md>",
        "![@a.md](u)",
    ],
)
def test_no_mentions(text: str) -> None:
    """Part of a word, a wrong first character, an entity, an escape, code, HTML, targets and titles, images."""

    assert () == mentions(text)


@clause("MEM-078")
@pytest.mark.parametrize(
    "text",
    [
        "# @a.md",
        "@a.md\n====",
        "- x\n  @a.md",
        "> > @a.md",
        "| x | @a.md |\n|---|---|",
        "~~ @a.md ~~",
        "<b>@a.md</b>",
        "[@a.md](u)",
        "_@a.md_",
        "1. - > @a.md",
        "x\n@a.md",
        "> " * 25 + "@a.md",
    ],
)
def test_mentions_are_found_wherever_there_is_prose(text: str) -> None:
    """Headings, lists, quotes at any depth, emphasis, the text of links, tables, between tags."""

    assert ("a.md",) == mentions(text)


@clause("MEM-070")
@pytest.mark.parametrize(
    ("resolved", "path", "home", "flavour"),
    [
        ("/r/a.md", "a.md", "/h", Flavour.POSIX),
        ("/r/a.md", "./a.md", "/h", Flavour.POSIX),
        ("/a.md", "../../../a.md", "/h", Flavour.POSIX),
        ("/x/a.md", "/x/./a.md", "/h", Flavour.POSIX),
        ("/h/a.md", "~/a.md", "/h", Flavour.POSIX),
        (None, "~/a.md", "", Flavour.POSIX),
        ("/r/docs", "docs/", "/h", Flavour.POSIX),
        ("/r/C:\\x", "C:\\x", "/h", Flavour.POSIX),
        ("C:\\r\\d\\a.md", "d/a.md", "C:\\h", Flavour.WINDOWS),
        ("C:\\r\\d\\a.md", "d\\a.md", "C:\\h", Flavour.WINDOWS),
        ("D:\\x", "D:/x", "C:\\h", Flavour.WINDOWS),
        ("C:\\h\\a.md", "~/a.md", "C:\\h", Flavour.WINDOWS),
    ],
)
def test_a_mention_leads_to_a_path(resolved: str | None, path: str, home: str, flavour: Flavour) -> None:
    """Relative to the folder of the file, to the home folder, or absolute; `..` is worked out as text."""
    folder = "/r" if flavour is Flavour.POSIX else "C:\\r"

    assert resolved == resolve_mention(path, folder, home, flavour)


@clause("MEM-092")
@pytest.mark.parametrize(("is_complete", "count"), [(True, 199), (True, 200), (False, 201)])
def test_a_text_holds_as_much_markup_as_the_bound(is_complete: bool, count: int) -> None:
    """Above it the text stays unsearched."""
    text = "*" * count + " @a.md"

    assert is_complete == find_mentions(text, TINY).is_complete
    assert (("a.md",) if is_complete else ()) == find_mentions(text, TINY).paths


@clause("MEM-092")
def test_markup_without_a_mention_does_not_count() -> None:
    """What cannot hold a mention need not be searched."""

    assert find_mentions("*" * 1_000, TINY).is_complete


@clause("MEM-087")
@pytest.mark.parametrize(
    ("extension", "name"),
    [
        ("md", "a.md"),
        ("py", "a.PY"),
        ("md", "a.b.md"),
        ("gz", "x.tar.gz"),
        ("", "dot."),
        (None, ".env"),
        (None, ".md"),
        (None, "Makefile"),
        ("bak", ".env.bak"),
    ],
)
def test_the_extension_stands_behind_the_last_dot(extension: str | None, name: str) -> None:
    """In lower case; a dot at the head of a name begins none."""

    assert extension == extension_of(name)


@clause("MEM-087")
def test_only_texts_are_included() -> None:
    """What is on the list, and names without an extension."""
    texts = [
        "md",
        "markdown",
        "txt",
        "text",
        "rst",
        "adoc",
        "org",
        "tex",
        "py",
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "vue",
        "svelte",
        "rs",
        "go",
        "java",
        "kt",
        "scala",
        "swift",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "rb",
        "php",
        "lua",
        "r",
        "sh",
        "bat",
        "ps1",
        "fish",
        "zsh",
        "yml",
        "yaml",
        "toml",
        "json",
        "xml",
        "html",
        "css",
        "csv",
        "sql",
        "ini",
        "cfg",
        "conf",
        "env",
        "properties",
        "gradle",
        "cmake",
        "log",
        "lock",
        "proto",
        "graphql",
        "diff",
        "patch",
    ]
    others = [
        "png",
        "jpg",
        "gif",
        "svg",
        "pdf",
        "zip",
        "gz",
        "docx",
        "bin",
        "so",
        "wasm",
        "map",
        "exe",
        "ipynb",
        "jl",
        "plist",
        "mk",
        "dockerfile",
        "json5",
        "jsonc",
        "jsonl",
        "ndjson",
    ]

    assert [] == [name for name in texts if not is_text_name(f"a.{name}")]
    assert [] == [name for name in others if is_text_name(f"a.{name}")]
    assert is_text_name("Makefile")
    assert not is_text_name("dot.")
