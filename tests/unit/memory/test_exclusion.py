"""Exclusion patterns."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory.exclusion import first_match, parse_exclusion


def excludes(pattern: str, path: str, links: dict[str, str] | None = None) -> bool:
    """Does the pattern leave the path out, where these folders are links?"""
    return parse_exclusion(pattern, (links or {}).get, DEFAULT.pattern_cap).excludes(path)


@clause("MEM-062")
@pytest.mark.parametrize(
    ("expected", "pattern", "path"),
    [
        (True, "/r/CLAUDE.md", "/r/CLAUDE.md"),
        (False, "/r/claude.md", "/r/CLAUDE.md"),
        (True, "**", "/r/a.md"),
        (True, "**/CLAUDE.md", "/CLAUDE.md"),
        (True, "**/CLAUDE.md", "/h/.claude/CLAUDE.md"),
        (True, "/r/**", "/r/.a/b.md"),
        (True, "/r/**/b.md", "/r/b.md"),
        (True, "/r/*.md", "/r/.md"),
        (False, "/r/*.md", "/r/d/a.md"),
        (True, "/r/a**b", "/r/axb"),
        (False, "/r/a**b", "/r/a/b"),
        (True, "/r/?.md", "/r/a.md"),
        (True, "/r/[a-c].md", "/r/b.md"),
        (False, "/r/[^a-c].md", "/r/b.md"),
        (True, "/r/[!a].md", "/r/a.md"),
        (True, "/r/{a,b}.md", "/r/b.md"),
        (True, "/r/{a,{b,c}}.md", "/r/c.md"),
        (True, "/{r,s/t}/*.md", "/s/t/a.md"),
        (True, "/r/a{,x}.md", "/r/a.md"),
        (True, "/r/{a.md", "/r/{a.md"),
        (True, "/r/\\*.md", "/r/*.md"),
        (False, "/r/\\*.md", "/r/a.md"),
        (True, "C:/r/*.md", "C:/r/a.md"),
    ],
)
def test_patterns_are_compared_with_the_whole_path(expected: bool, pattern: str, path: str) -> None:
    """With regard to case, dots like any character, two stars a path only as a whole component."""

    assert expected == excludes(pattern, path)


@clause("MEM-064")
@pytest.mark.parametrize(
    ("expected", "pattern"),
    [
        (False, "a.md"),
        (False, "./a.md"),
        (False, "r/a.md"),
        (False, "*/a.md"),
        (False, "!/r/a.md"),
        (True, "!/r/b.md"),
        (True, "!a.md"),
        (True, "!!/r/a.md"),
        (False, "!!a.md"),
        (False, ""),
    ],
)
def test_relative_and_negated_patterns(expected: bool, pattern: str) -> None:
    """A relative pattern matches nothing, a negated one what it does not match without its mark."""

    assert expected == excludes(pattern, "/r/a.md")


@clause("MEM-063")
@pytest.mark.parametrize(
    ("expected", "pattern"),
    [
        (True, "/lnk/a.md"),
        (True, "/lnk/*.md"),
        (True, "/lnk/**"),
        (True, "/w/r/a.md"),
        (False, "/*/a.md"),
        (False, "/lnk/b.md"),
    ],
)
def test_the_folder_part_is_also_tried_with_its_links_resolved(expected: bool, pattern: str) -> None:
    """Up to the first wildcard, and the pattern as it was written still counts."""

    assert expected == excludes(pattern, "/w/r/a.md", {"/lnk": "/w/r"})
    assert excludes("/lnk/a.md", "/lnk/a.md", {"/lnk": "/w/r"})


@clause("MEM-063")
def test_a_resolved_folder_is_literal() -> None:
    """A wildcard in the name of a real folder is no wildcard."""

    assert excludes("/lnk/a.md", "/w/[r]/a.md", {"/lnk": "/w/[r]"})
    assert not excludes("/lnk/a.md", "/w/r/a.md", {"/lnk": "/w/[r]"})


@clause("MEM-061")
def test_the_first_pattern_that_matches_is_named() -> None:
    """It stands in the detail of the row."""
    parsed = [parse_exclusion(text, lambda _: None, DEFAULT.pattern_cap) for text in ("a.md", "/r/*.md", "**")]

    assert "/r/*.md" == first_match(parsed, "/r/a.md")
    assert "**" == first_match(parsed, "/a.md")
    assert first_match(parsed[:1], "/r/a.md") is None
