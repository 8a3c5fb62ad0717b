"""The golden table of path rules, and the edges of single patterns."""

import pytest

from keel_ref.choices import BraceNesting
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.patterns import rule_patterns
from keel_ref.memory.yaml_block import BlockValue

NESTED_BRACES = "{src/{a,b},lib/x}.{ts,py}"
MATCHING = [
    *((pattern, "src/a.ts") for pattern in ("src/**/*.ts", "src/**/*.{ts,tsx}", "lib/*.py, src/a.ts", "src", "src/")),
    *((pattern, "src/a.ts") for pattern in ("*.ts", "**/*.ts", "src/*", "/src/a.ts", "src/?.ts", "src/[ab].ts")),
    *((pattern, "src/a.ts") for pattern in ("src/[!a].ts", "{src,lib}/**/*.{ts,py}", "src/a.ts{,x}", "src/\\a.ts")),
    *((pattern, "src/a.ts") for pattern in ("SRC/**", "src/** ", "Src/A.ts", "src/[a-c]*", "src/a.ts,lib/x.py")),
    *((pattern, "src/a.ts") for pattern in ("src/a.ts , lib/x.py", "s?c/**", NESTED_BRACES)),
    ("src/*", "src/deep/er/b.tsx"),
    ("**/er/**", "src/deep/er/b.tsx"),
    ("*/h.ts", ".hidden/h.ts"),
    (".hidden/**", ".hidden/h.ts"),
    ("src/sp ace/*.ts", "src/sp ace/q.ts"),
    ("src/*/c.ts", "src/b/c.ts"),
    ("b", "src/b/c.ts"),
    ("src/**/c.ts", "src/b/c.ts"),
]
FAILING = [
    *((pattern, "src/a.ts") for pattern in ("/a.ts", "./src/a.ts", "src/{a.ts", "../outside/*.ts", "!src/a.ts")),
    *((pattern, "src/a.ts") for pattern in ("src/a.ts;lib/x.py", "#src", "src/a.ts/", "./src/**", "~/x")),
    *((pattern, "src/a.ts") for pattern in ("src/a.ts\nlib/x.py\n", "/r/src/**")),
    ("src/{1..3}.ts", "src/1.ts"),
    ("b/c.ts", "src/b/c.ts"),
    ("/b", "src/b/c.ts"),
    (NESTED_BRACES, "lib/x.py"),
]


def matches(text: str, path: str, nesting: BraceNesting = BraceNesting.FIRST_CLOSE) -> bool:
    """Does a rule with this text as `paths` match?"""
    return matches_rule(rule_patterns(BlockValue(text=text), nesting, DEFAULT).patterns, path)


@clause("MEM-050", "MEM-051", "MEM-052", "MEM-059")
@pytest.mark.parametrize(("pattern", "path"), MATCHING)
def test_rows_that_match(pattern: str, path: str) -> None:
    """The upper part of the table, for the path in either case."""

    assert matches(pattern, path)
    assert matches(pattern, path.upper())


@clause("MEM-050", "MEM-054", "MEM-059")
@pytest.mark.parametrize(("pattern", "path"), FAILING)
def test_rows_that_do_not_match(pattern: str, path: str) -> None:
    """The lower part of the table, for the path in either case."""

    assert not matches(pattern, path)
    assert not matches(pattern, path.upper())


@clause("MEM-055", "MEM-059")
def test_nested_braces_reach_the_other_alternative_under_nested_only() -> None:
    """The one row of the table on which the two values of the choice differ."""

    assert matches(NESTED_BRACES, "lib/x.py", BraceNesting.NESTED)
    assert matches(NESTED_BRACES, "src/a.ts", BraceNesting.NESTED)


@clause("MEM-053")
@pytest.mark.parametrize(
    ("expected", "patterns"),
    [
        (True, ["src", "!src/a.ts"]),
        (False, ["src/*.ts", "!src/a.ts"]),
        (True, ["src/*.ts", "!src/a.ts", "a.ts"]),
        (True, ["!src/a.ts", "src/*.ts"]),
        (False, ["!src/a.ts"]),
        (False, ["src", "!src"]),
        (True, ["*", "!*.ts"]),
        (False, ["*.ts", "!a.*"]),
    ],
)
def test_the_last_match_decides_but_a_matched_folder_stays(expected: bool, patterns: list[str]) -> None:
    """A negation takes back a file, and nothing that lies below a matched folder."""

    assert expected == matches_rule(patterns, "src/a.ts")


@clause("MEM-054")
@pytest.mark.parametrize(
    ("expected", "pattern", "path"),
    [
        (True, "[a-c].ts", "b.ts"),
        (False, "[^a].ts", "a.ts"),
        (True, "[^a].ts", "b.ts"),
        (True, "[!a].ts", "!.ts"),
        (True, "[\\]].ts", "].ts"),
        (False, "[c-a].ts", "b.ts"),
        (True, "[c-ax].ts", "x.ts"),
        (True, "[a.ts", "[a.ts"),
        (True, "[].ts", "[].ts"),
        (False, "s[/]a", "s/a"),
        (True, "\\#a", "#a"),
        (True, "\\!a", "!a"),
        (False, "#a", "#a"),
        (False, "/", "a"),
        (False, "a\\", "a"),
        (False, "a\\", "a\\"),
        (True, "a\\\\", "a\\"),
        (True, "\\*", "*"),
        (False, "\\*", "a"),
        (True, "a?c", "abc"),
        (False, "a?c", "a/c"),
        (True, "(a)+$", "(a)+$"),
        (True, "a{b", "a{b"),
    ],
)
def test_escapes_classes_and_odd_characters(expected: bool, pattern: str, path: str) -> None:
    """A `^` negates a class and a `!` does not; what is no class, no escape and no wildcard is literal."""

    assert expected == matches_rule([pattern], path)


@clause("MEM-052")
@pytest.mark.parametrize(
    ("expected", "pattern", "path"),
    [
        (True, "**", "a"),
        (True, "**/a", "a"),
        (True, "a/**/b", "a/b"),
        (True, "a/**/b", "a/x/y/b"),
        (False, "a/**", "a"),
        (True, "a/**", "a/b"),
        (True, "a**b", "axxb"),
        (False, "a/**b", "a/x/b"),
        (True, "*", ".a"),
        (True, "d/", "x/d/a"),
        (False, "/d/", "x/d/a"),
        (False, "x/d/", "y/x/d/a"),
    ],
)
def test_slashes_anchor_and_stars_go_deep(expected: bool, pattern: str, path: str) -> None:
    """Two stars are a path only as a whole component; a slash at the end alone does not anchor."""

    assert expected == matches_rule([pattern], path)
