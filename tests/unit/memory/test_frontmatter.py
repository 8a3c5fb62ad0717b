"""The block at the head of a memory file, and what it says."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory.frontmatter import Split, read_paths, repair, split_frontmatter
from keel_ref.memory.yaml_block import BlockFailure, BlockValue


@clause("MEM-040")
@pytest.mark.parametrize(
    ("block", "body", "text"),
    [
        ("a: b\n", "A", "---\na: b\n---\nA"),
        ("a: b\n", "A\n\n---\nB", "---\na: b\n--- \n\n\n  A\n\n---\nB"),
        ("a: b\r\n", "A", "---\r\na: b\r\n---\r\n\r\nA"),
        ("", "A", "--- \t\n---\t\nA"),
        ("a: b\n", "", "---\na: b\n---"),
        ("...\n", "A", "---\n...\n---\nA"),
        ("----\n --- \n", "A", "---\n----\n --- \n---\nA"),
        ("x\n---\u00a0\n", "A", "---\nx\n---\u00a0\n---\n\u00a0\n\u3000A"),
    ],
)
def test_a_block_goes_with_the_white_space_behind_it(block: str, body: str, text: str) -> None:
    """The first later line of three dashes closes it; blanks and tabs may stand behind the dashes."""

    assert Split(block=block, body=body) == split_frontmatter(text)


@clause("MEM-040", "MEM-101")
@pytest.mark.parametrize(
    "text",
    [
        "\n---\na: b\n---\nA",
        " ---\na: b\n---\nA",
        "<!-- c -->\n---\na: b\n---\nA",
        "\ufeff---\na: b\n---\nA",
        "---\nno end",
        "---",
        "---\n",
        "---x\na: b\n---\nA",
        "----\na: b\n----\nA",
        "---\u00a0\na: b\n---\nA",
        "---\na: b\n...\nA",
        "---\ra: b\r---\rA",
    ],
)
def test_what_is_no_block_stays(text: str) -> None:
    """Anything before the first line, no end, other dashes, another end."""

    assert Split(block=None, body=text) == split_frontmatter(text)


@clause("MEM-044")
@pytest.mark.parametrize(
    ("repaired", "line"),
    [
        ('paths: "**/*.ts"', "paths: **/*.ts"),
        ('paths: "{a,b}/**"', "paths:  {a,b}/** "),
        ('paths: "[unclosed"', "paths: [unclosed\r"),
        ('paths: "a: b"', "paths: a: b"),
        ('paths: "a \\" \\\\ *"', 'paths: a " \\ *'),
        ('a-b_C: "x|y"', "a-b_C:\tx|y"),
        ('paths: "\\"a\\" *"', 'paths: "a" *'),
        ("paths: src", "paths: src"),
        ('paths: "*"', 'paths: "*"'),
        ("paths: '*'", "paths: '*'"),
        ("paths: a:b", "paths: a:b"),
        (" paths: *", " paths: *"),
        ("- *", "- *"),
        ("paths:*", "paths:*"),
        ("p1: *", "p1: *"),
        ("paths:", "paths:"),
    ],
)
def test_lines_are_repaired_one_by_one(repaired: str, line: str) -> None:
    """A key in the first column with an unquoted value that YAML would take for syntax; all other lines stay."""

    assert repaired == repair(line)
    assert f"x\n{repaired}\ny" == repair(f"x\n{line}\ny")


@clause("MEM-041", "MEM-043", "MEM-044")
@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("src", "paths: src"),
        ("**/*.ts", "paths: **/*.ts"),
        ("{a,b}/**", "paths: {a,b}/**"),
        ("[src/*.ts, **/*.py]", "paths: [src/*.ts, **/*.py]"),
        ("src/*", "paths:\t'src/*'"),
        ("on", "paths: on"),
        ("1:30", "paths: 1:30"),
        ("2001-01-01", "paths: 2001-01-01"),
        ("7", "paths: '7'"),
        ("7", "paths: !!str 7"),
        ("a\nb\n", "paths: |\n  a\n  b\n"),
        ("a b\n", "paths: >\n  a\n  b\n"),
        ("x", "name: &n x\npaths: *n"),
        (None, "paths: 7"),
        (None, "paths: 0o17"),
        (None, "paths: .inf"),
        (None, "paths: True"),
        (None, "paths: ~"),
        (None, "paths:"),
        (None, "paths: !src/t"),
        (None, "paths: {a: b}"),
        (None, "Paths: src"),
        (None, "globs: src"),
        (None, "- src"),
        (None, "src"),
        (None, ""),
        (None, "# only a comment"),
    ],
)
def test_the_value_of_paths(text: str | None, block: str) -> None:
    """YAML 1.2 with the core schema, repaired where it fails; what is no string has no text."""
    value = read_paths(block, DEFAULT)

    assert isinstance(value, BlockValue)
    assert text == value.text


@clause("MEM-041", "MEM-047")
def test_a_list_keeps_its_strings_in_order() -> None:
    """Items that are no strings are left out later; here they have no text."""
    value = read_paths("paths:\n  - 'a'\n  - 7\n  - [b]\n  - \"c\"\n", DEFAULT)

    assert isinstance(value, BlockValue)
    assert ["a", None, None, "c"] == [item.text for item in value.items or ()]


@clause("MEM-045", "MEM-046")
@pytest.mark.parametrize(
    "block",
    [
        "paths: x\npaths: y",
        "paths:\n  - **/*.ts",
        "x:\n  - *nowhere\npaths:\n  - a",
        "paths:\n  - !odd src",
        "x:\n  - &a\n    - *a\npaths:\n  - b",
        "paths: x\n---\npaths: y",
        "paths:\n\t- a",
    ],
)
def test_a_block_that_fails_twice_says_why(block: str) -> None:
    """A duplicate key, an item that is no YAML, an unknown alias or tag, an anchor still open, a second document."""
    value = read_paths(block, DEFAULT)

    assert isinstance(value, BlockFailure)
    assert value.why
    assert "\n" not in value.why
