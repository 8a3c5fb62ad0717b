"""A page is one file, which holds all it needs and lets nothing else in."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from keel_ref.pages.context_page import context_page
from keel_ref.pages.page import ASSETS, data
from keel_ref.pages.session_page import session_page
from tests.browser.reports import HOSTILE, session_report

CONTEXT: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "reports" / "context.json").read_text(encoding="utf-8")
)
PAGES = {"context": context_page(CONTEXT), "session": session_page(session_report(50))}
LINKS = {"src", "href", "srcset", "action", "style", "background", "data"}
"""Attributes by which a page would load, send or be styled from elsewhere."""


class Attributes(HTMLParser):
    """Gathers what stands in a page: the names of attributes, and the texts of each kind of element."""

    def __init__(self, page: str) -> None:
        """Read all of it."""
        super().__init__()
        self.names: set[str] = set()
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "pre": []}
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember the names, and where we are."""
        self.names |= {name for name, _ in attrs}
        self._inside = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_data(self, data: str) -> None:
        """Add to the element that was opened last."""
        if self._inside in self.texts:
            self.texts[self._inside][-1] += data

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        self._inside = "" if tag in self.texts else self._inside


def test_a_library_that_is_kept_is_the_one_that_its_note_names() -> None:
    """Version and digests stand beside it."""
    folder = ASSETS / "uplot"
    noted = dict(re.findall(r"\| `(uPlot[^`]+)` \| `([0-9a-f]{64})` \|", (folder / "README.md").read_text()))

    assert {"uPlot.iife.min.js", "uPlot.min.css"} == set(noted)
    for name, digest in noted.items():
        assert digest == hashlib.sha256((folder / name).read_bytes()).hexdigest()


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_loads_nothing(page: str) -> None:
    """No attribute names another place, no style and no handler stands in one, and the policy forbids the rest."""
    names = Attributes(page).names

    assert set() == names & LINKS
    assert set() == {name for name in names if name.startswith("on")}
    assert "default-src 'none'; base-uri 'none'; form-action 'none';" in page
    assert "unsafe" not in page.partition("<style>")[0]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_policy_lets_in_what_stands_in_the_page(page: str) -> None:
    """Each script that runs and each style, by its digest."""
    found = Attributes(page).texts
    texts = [*(text for text in found["script"] if not text.startswith("{")), *found["style"]]

    assert 3 == len(texts)
    for text in texts:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in page.partition("<title>")[0]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_licence_of_the_library_stands_in_the_page(page: str) -> None:
    """Word for word."""

    assert (ASSETS / "uplot" / "LICENSE").read_text(encoding="utf-8") in Attributes(page).texts["pre"][0]


def test_the_report_stands_in_the_page() -> None:
    """The object of `--json`, whatever is in it."""
    report = session_report(3, name=HOSTILE, tool=HOSTILE)
    text = next(text for text in Attributes(session_page(report)).texts["script"] if '"schema"' in text)

    assert report == json.loads(text)


def test_data_cannot_end_the_element_it_stands_in() -> None:
    """No sign of markup, no end of a line as scripts know it, no character beyond ASCII."""
    text = data({"<!--<script>": HOSTILE})

    assert "<" not in text
    assert text.isascii()


def test_a_page_of_a_thousand_responses_is_small() -> None:
    """Under 3 MB, of which the report is the most."""

    assert len(session_page(session_report(1_000)).encode()) < 3_000_000


def test_equal_reports_give_equal_pages() -> None:
    """Byte for byte."""

    assert session_page(session_report(5)) == session_page(session_report(5))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "76,988 more, and the client compacts by itself: its threshold is 167,000."),
        ({"total": 167_000}, "That is at or above 167,000, so the client compacts before the next turn."),
        ({"total": 166_999}, "1 more, and the client compacts by itself"),
        ({"auto_compact": False}, "Automatic compaction is off."),
    ],
)
def test_what_follows_from_a_context_is_said(change: dict[str, Any], words: str) -> None:
    """At the threshold is above it (WIN-013)."""

    assert words in context_page({**CONTEXT, **change})


def test_lists_that_are_not_known_are_left_out() -> None:
    """No table without rows, no title without a table."""
    page = context_page({**CONTEXT, "tools": None, "skills": [], "agents": None})

    assert "Definitions of tools" not in page
    assert "Skills</h2>" not in page
