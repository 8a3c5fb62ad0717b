"""Block comments, and comments that stay."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.memory.comments import strip_comments


@clause("MEM-102")
@pytest.mark.parametrize(
    ("stripped", "text"),
    [
        ("", "<!-- c -->"),
        ("A", "<!-- c -->\n\n\nA"),
        ("A\n\nB", "A\n\n<!-- c -->\nB"),
        ("A\nB", "A\n<!-- c -->\nB"),
        (" b", "<!-- a --> b"),
        ("y", "<!-- x -->y<!-- z -->"),
        ("A", "<!---->A"),
        ("A", "   <!-- c -->\nA"),
        ("- list\nKEEP", "- list\n<!--\n\n- hidden\n-->\n\nKEEP"),
        ("## L\n", "<!---\n--->\n## L\n<!---\n--->"),
        (" \nA", "<!-- c -->\n \nA"),
        ("A", "<!-- --!> -->\nA"),
        ("x -->", "<!-- a -->x -->"),
        ("", "<!-- a -->\n\n<!-- b -->\n"),
        ("@e.md", "<!-- c -->@e.md"),
        ("", "<!-->-->"),
    ],
)
def test_block_comments_go(stripped: str, text: str) -> None:
    """A block that is left blank goes with the line ends behind it, otherwise the rest stays as it is."""

    assert stripped == strip_comments(text)


@clause("MEM-103")
@pytest.mark.parametrize(
    "text",
    [
        "a <!-- inline --> b",
        "```\n<!-- code -->\n```",
        "    <!-- code -->",
        "`<!-- code -->`",
        "- <!-- item -->",
        "> <!-- quote -->",
        "<div>\n<!-- div -->\n</div>",
        "<!-- never closed\n\nRULE",
        "<!-->",
        "<!--->",
        "\\<!-- x -->",
        "&lt;!-- x -->",
        "A\r\nB <!-- x --> \rC",
        "a\r\n\r\nb\r\n",
        "",
    ],
)
def test_other_comments_stay(text: str) -> None:
    """Inline, in code, in lists, quotes and other HTML blocks, and what is never closed; not a character changes."""

    assert text == strip_comments(text)


@clause("MEM-105")
def test_line_ends_become_lf_as_soon_as_a_comment_goes() -> None:
    """In the whole text, a lone CR too."""

    assert "a\nb\nc" == strip_comments("<!-- c -->\r\n\r\na\r\nb\rc")


@clause("MEM-103")
def test_what_a_removal_uncovers_goes_too() -> None:
    """One comment makes the next, so that a second removal has nothing to do."""

    assert "" == strip_comments("<!-- a --><!<!-- b -->-- c -->")
    assert "" == strip_comments(uncovered(40))


def uncovered(depth: int) -> str:
    """Comments of which each pass uncovers one."""
    comment, text = "<!-- -->", ""
    for _ in range(depth):
        text += comment
        comment = f"<!{comment}-- -->"
    return text


@clause("MEM-103")
@pytest.mark.parametrize(
    "text", ["<!--" * 50_000, "<!--\n" * 50_000, "<!-- " * 50_000 + "-->", "<!-- a -->\n\n" * 5_000]
)
def test_nothing_but_marks_takes_no_square_time(text: str) -> None:
    """A file of opening marks is no way to stop a session."""

    assert strip_comments(text) in {text, ""}
