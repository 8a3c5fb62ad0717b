"""The parts of a session's page that are tables and sentences."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest

from keel_ref.pages import session_parts as parts
from keel_ref.pages.markup import Markup, bullets
from keel_ref.pages.session_page import session_page
from tests.browser.reports import session_report

REPORT = session_report(50, name="/a/b.txt")


def rows_of(made: Markup) -> list[list[str]]:
    """The cells of every row of every table."""
    rows = re.findall(r"<tr>(.*?)</tr>", made.html)
    return [[plain(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def plain(html: str) -> str:
    """The text without its markup."""
    return unescape(re.sub(r"<[^>]+>", "", html))


def forecast_of(**changes: Any) -> Mapping[str, Any]:
    """A report with another forecast."""
    return {**REPORT, "forecast": {**REPORT["forecast"], **changes}}


def test_what_is_left_until_each_stage() -> None:
    """Reached, so many, or not known; and never where a setting forbids it."""
    rows = rows_of(parts.forecast(REPORT))

    assert ["warning", "147,000", "reached", "", ""] == rows[1]
    assert ["automatic compaction", "167,000", "17,000", "6", "not known"] == rows[2]
    assert ["requests refused", "177,000", "27,000", "9", "2"] == rows[3]
    assert ["DISABLE_AUTO_COMPACT=1", "off", "177,000", "27,000", "9", "2"] == rows[5]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "The next request holds 150,000 tokens. It grows by 3,000 tokens a response."),
        ({"per_response": None}, "The next request holds 150,000 tokens. It is not growing."),
        ({}, "As it stands the next request is sent as it is."),
        ({"next": "compact"}, "As it stands the next request compacts first."),
        ({"next": "stop"}, "As it stands the next request ends the session."),
    ],
)
def test_what_comes_next_is_said(changes: dict[str, Any], words: str) -> None:
    """How large it is, how fast it grows, and what happens to the next request."""

    assert words in plain(parts.forecast(forecast_of(**changes)).html)


def test_what_is_not_there_has_no_title() -> None:
    """A report without findings, losses, repeats and problems has none of these parts."""
    report: dict[str, Any] = {"thresholds": {}, "responses": [], "compactions": []}

    assert "" == parts.findings(report).html
    assert "" == parts.forecast(report).html
    assert "" == parts.cache(report).html
    assert "" == parts.repeats(report).html
    assert [""] * 4 == [part.html for part in parts.record(report)]
    assert "This session has not compacted." in session_page(report)


def test_losses_of_the_cache_are_added_up() -> None:
    """In a sentence, with each of them below."""
    made = parts.cache(REPORT)

    assert "Lost once, 8,990 tokens in all." in plain(made.html)
    assert ["Response 3", "9,000", "10", "8,990", "/a/b.txt"] == rows_of(made)[1]


def test_a_repeated_text_has_its_cost() -> None:
    """Times, tokens of one copy, and what the others cost."""

    assert ["Read /a/b.txt", "3", "70", "140", "3, 6"] == rows_of(parts.repeats(REPORT))[1]


def test_a_naive_sum_stands_beside_the_right_one() -> None:
    """Also where nothing was used."""
    *_, sums = parts.record(REPORT)

    assert [["input", "100", "300", "300 %"], ["output", "0", "0", ""]] == rows_of(sums)[1:]


def test_what_cannot_be_read_has_its_line() -> None:
    """So have failures, and what the rules did not foresee with the clause."""
    told = plain("".join(part.html for part in parts.record(REPORT)))

    assert "Line 8: broken-line: /a/b.txt" in told
    assert "Line 4: /a/b.txt" in told
    assert "Line 27: /a/b.txt (CMP-071)" in told


def test_a_long_list_says_how_much_it_leaves_out() -> None:
    """The report inside the page has all of it."""
    made = parts.capped(bullets, ["x"] * (parts.MAX_ROWS + 3))

    assert parts.MAX_ROWS == made.html.count("<li>")
    assert "3 more stand in the report inside this page." in made.html
    assert "more" not in parts.capped(bullets, ["x"] * parts.MAX_ROWS).html


@pytest.mark.parametrize(
    ("number", "words"), [(1, "Response 1"), (0, "before the first response"), (None, "not recorded")]
)
def test_a_place_in_the_chart_is_a_button(number: int | None, words: str) -> None:
    """Unless there is no such place."""
    made = parts.to_response(number)

    assert words == (plain(made.html) if isinstance(made, Markup) else made)


def test_what_a_compaction_did_is_told() -> None:
    """What went, what took its place, what came back, and how the layer is known."""
    page = plain(session_page(REPORT))

    assert "Went: rows 94, prompts 4, tool results 47, tokens 9,000." in page
    assert "In its place: a summary of 700 tokens." in page
    assert "Came back: /a/b.txt (as it is now)." in page
    assert "How that is known: a summary took the place of all rows." in page
