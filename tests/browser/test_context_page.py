"""The page of a context in a browser: it opens, and what it shows at a place is what the report says."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.pages.context_page import context_page
from tests.browser.conftest import Opener
from tests.browser.devtools import Tab
from tests.browser.looks import find_trouble, scrolls_sidewards, shown_figures, shown_title
from tests.browser.reports import HOSTILE

REPORT: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "reports" / "context.json").read_text(encoding="utf-8")
)
CATEGORIES = REPORT["categories"]


def middle_of(tab: Tab, expression: str) -> tuple[float, float]:
    """The middle of an element, which is brought into sight."""
    at = tab.evaluate(
        f"(() => {{ const one = {expression}; one.scrollIntoView({{block: 'center'}});"
        "const box = one.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    return at[0], at[1]


@pytest.mark.parametrize(("width", "theme"), [(1000, "light"), (320, "dark")])
def test_it_opens_without_trouble(opened: Opener, width: int, theme: str) -> None:
    """No error, no warning, no request but for the file itself, and nothing that must be scrolled sidewards."""
    tab = opened(context_page(REPORT), width=width, theme=theme)

    assert [] == find_trouble(tab)
    assert not scrolls_sidewards(tab)


def test_pointing_at_a_square_shows_its_category(opened: Opener) -> None:
    """Every category that has a square, with the tokens of the report."""
    tab = opened(context_page(REPORT))
    places = [place for row in REPORT["grid"]["rows"] for place in row]

    for at in sorted(set(places)):
        tab.point_at(*middle_of(tab, f"document.getElementById('grid').children[{places.index(at)}]"))
        assert CATEGORIES[at]["name"] == shown_title(tab)
        assert CATEGORIES[at]["tokens"] == shown_figures(tab)["tokens"]
        assert CATEGORIES[at]["squares"] == shown_figures(tab)["squares"]


def test_pointing_at_a_bar_shows_its_category(opened: Opener) -> None:
    """The bars stand in the order of the categories, the first on top."""
    tab = opened(context_page(REPORT))

    for at, category in enumerate(CATEGORIES):
        left, _ = middle_of(tab, "document.querySelector('#bars .u-over')")
        top = tab.evaluate(
            f"document.querySelector('#bars .u-over').getBoundingClientRect().top + charts[0].valToPos({at}, 'x')"
        )
        tab.point_at(left, top)
        assert category["name"] == shown_title(tab)
        assert category["tokens"] == shown_figures(tab)["tokens"]


def test_the_keyboard_goes_from_bar_to_bar(opened: Opener) -> None:
    """And lights up the squares of the category."""
    tab = opened(context_page(REPORT))
    tab.evaluate("document.getElementById('bars').focus()")
    tab.press("ArrowDown")
    tab.press("ArrowRight")

    assert CATEGORIES[2]["name"] == shown_title(tab)
    assert CATEGORIES[2]["squares"] == tab.evaluate("document.querySelectorAll('.square.here').length")


def test_hostile_names_stay_texts(opened: Opener) -> None:
    """Whoever named a file, a tool or a model wrote no markup."""
    report = {
        **REPORT,
        "source": {"kind": "session", "name": HOSTILE},
        "model": HOSTILE,
        "memory_files": [{"path": HOSTILE, "type": HOSTILE, "tokens": 1}],
        "by_tool": [{"name": HOSTILE, "calls": 1, "call_tokens": 1, "results": 1, "result_tokens": 1}],
        "unknown": [{"what": HOSTILE, "why": HOSTILE}],
    }
    tab = opened(context_page(report), width=320)

    assert [] == find_trouble(tab)
    assert not scrolls_sidewards(tab)
    assert 0 == tab.evaluate("document.querySelectorAll('img').length")
    assert "\u202e" not in tab.evaluate("document.body.innerText")
    assert CATEGORIES[0]["tokens"] == shown_figures(tab)["tokens"]
