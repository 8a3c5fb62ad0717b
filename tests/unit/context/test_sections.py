"""The system prompt, split at its headings."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.context.sections import sections_of


def split(*texts: str) -> list[tuple[str, int]]:
    """Name and UTF-16 units of each section."""
    return [(one.name, one.tokens) for one in sections_of(texts, len)]


@clause("CTX-102")
@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("", []),
        ("ab", [("", 2)]),
        ("ab\n# A\ncd", [("", 3), ("A", 6)]),
        ("\n# A", [("", 1), ("A", 3)]),
        ("# A\n# B\n", [("A", 4), ("B", 4)]),
        ("# A\r\nx", [("A", 6)]),
        ("###### A", [("A", 8)]),
        ("####### A", [("", 9)]),
        ("#A", [("", 2)]),
        ("#", [("", 1)]),
        ("   # A", [("A", 6)]),
        ("    # A", [("", 7)]),
        ("## A ## B ##\t", [("A ## B", 13)]),
        ("# A#", [("A#", 4)]),
        ("## ##", [("", 5)]),
        ("```\n# A\n```\n# B", [("", 12), ("B", 3)]),
        ("~~~~\n# A\n~~~\n# B", [("", 16)]),
        ("```\n~~~\n# A", [("", 11)]),
        ("```sh\n``` x\n# A", [("", 15)]),
        ("`` `\n# A", [("", 5), ("A", 3)]),
        ("```a`\n# A", [("", 6), ("A", 3)]),
        ("~~~a~\n# A", [("", 9)]),
    ],
)
def test_headings_and_fences(text: str, sections: list[tuple[str, int]]) -> None:
    """A heading begins a section, but for one that is code."""

    assert sections == split(text)


@clause("CTX-102")
def test_each_text_begins_anew() -> None:
    """A fence that one block leaves open does not reach into the next."""

    assert [("", 4), ("A", 3), ("", 1)] == split("```\n", "# A", "x")


@clause("CTX-102")
def test_long_runs_take_no_time() -> None:
    """Neither blanks nor marks nor ticks are looked at again and again."""
    blanks, marks, ticks = (sign * 300_000 for sign in " #`")

    assert [(f"a{blanks}b", 300_004)] == split(f"# a{blanks}b")
    assert [(f"a{marks}b", 300_004)] == split(f"# a{marks}b")
    assert [("", 300_002)] == split(f"{ticks}a`")
