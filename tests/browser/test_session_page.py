"""The page of a session in a browser: it opens, and what it shows at a point is what the report says."""

from typing import Any

import pytest

from keel_ref.pages.session_page import session_page
from tests.browser.conftest import Opener
from tests.browser.devtools import Tab
from tests.browser.looks import colours, find_trouble, scrolls_sidewards, shown_figures, shown_title
from tests.browser.reports import HOSTILE, session_report

REPORT = session_report(120)
COUNT = len(REPORT["responses"])
KEYS = ("context", "input", "cache_read", "cache_write", "output")


def figures_of(response: dict[str, Any]) -> dict[str, int]:
    """What the report says of a response."""
    entered = {
        "entered.own_words": response["entered"]["own_words"],
        "entered.tool_results.Read": response["entered"]["tool_results"]["Read"],
    }
    return {**{key: response[key] for key in KEYS}, **entered}


def place_of(tab: Tab, response: int) -> tuple[float, float]:
    """Where a response lies in the window."""
    at = tab.evaluate(
        "(() => { const over = document.querySelector('#timeline .u-over'); over.scrollIntoView({block: 'center'});"
        "const box = over.getBoundingClientRect();"
        f"return [box.left + charts[0].valToPos({response}, 'x'), box.top + box.height / 2]; }})()"
    )
    return at[0], at[1]


@pytest.mark.parametrize(("width", "theme"), [(1000, "light"), (320, "dark")])
def test_it_opens_without_trouble(opened: Opener, width: int, theme: str) -> None:
    """No error, no warning, no request but for the file itself, and nothing that must be scrolled sidewards."""
    tab = opened(session_page(REPORT), width=width, theme=theme)

    assert [] == find_trouble(tab)
    assert not scrolls_sidewards(tab)


@pytest.mark.parametrize(("width", "count"), [(1000, COUNT), (320, 30)])
def test_pointing_at_a_response_shows_its_figures(opened: Opener, width: int, count: int) -> None:
    """Those of the report, to the last token; the first and the last response can be reached too."""
    report = session_report(count)
    tab = opened(session_page(report), width=width)

    for n in (count // 2, 1, count // 3, count // 3 + 1, count):
        tab.point_at(*place_of(tab, n))
        assert f"Response {n} (line {3 * n})" == shown_title(tab)
        assert figures_of(report["responses"][n - 1]) == {
            key: value for key, value in shown_figures(tab).items() if key not in {"state", "at", "event"}
        }


def test_whatever_a_response_has_is_shown(opened: Opener) -> None:
    """Amounts, words and answers at any depth; nothing for what is not there."""
    report = session_report(1)
    report["responses"][0] |= {"expected": {"step": "compact", "differs": True, "tokens": 1_200, "none": None}}
    tab = opened(session_page(report))
    shown = shown_figures(tab)

    assert {"expected.step": "compact", "expected.differs": "yes", "expected.tokens": 1_200} == {
        key: value for key, value in shown.items() if key.startswith("expected")
    }
    assert "normal" == shown["state"]


def test_the_keyboard_goes_where_the_mouse_does(opened: Opener) -> None:
    """Arrows, pages, and both ends, beyond which it does not go."""
    tab = opened(session_page(REPORT))
    tab.press("Tab")
    moves = {"Home": 1, "ArrowRight": 2, "ArrowLeft": 1, "ArrowUp": 1, "PageDown": 11, "End": COUNT, "ArrowDown": COUNT}

    assert "timeline" == tab.evaluate("document.activeElement.id")
    for key, n in moves.items():
        tab.press(key)
        assert figures_of(REPORT["responses"][n - 1])["context"] == shown_figures(tab)["context"]
    assert "polite" == tab.evaluate("document.getElementById('figures').getAttribute('aria-live')")


def test_what_has_the_focus_can_be_seen(opened: Opener) -> None:
    """A frame stands around it."""
    tab = opened(session_page(REPORT))
    tab.press("Tab")

    assert "3px" == tab.evaluate("getComputedStyle(document.activeElement).outlineWidth")


def test_a_compaction_leads_to_its_place_in_the_chart(opened: Opener) -> None:
    """The button behind its reason moves the cursor there."""
    tab = opened(session_page(REPORT))
    after = REPORT["compactions"][0]["after_response"]
    tab.evaluate("document.querySelector('#compactions button').click()")

    assert shown_title(tab).startswith(f"Response {after} ")
    assert REPORT["responses"][after - 1]["context"] == shown_figures(tab)["context"]
    assert "169,362 → 31,000 tokens" == shown_figures(tab)["event"]


def test_why_it_compacted_can_be_read(opened: Opener) -> None:
    """In a sentence with the size, the threshold, and who began it."""
    tab = opened(session_page(REPORT))
    why = tab.evaluate("document.querySelector('#compactions strong').innerText")

    assert (
        "After response 47 the context held 169,362 tokens, at or above the threshold of 167,000, "
        "so the client compacted by itself."
    ) == why


def test_the_chart_follows_the_theme(opened: Opener) -> None:
    """A change of the wish while the page is open changes the picture as well."""
    tab = opened(session_page(REPORT))
    light = colours(tab, "#timeline canvas")
    tab.set_theme("dark")
    tab.settle()
    dark = colours(tab, "#timeline canvas")

    assert light.paper > dark.paper
    assert light.pixels != dark.pixels


def test_all_responses_stand_in_a_table_on_request(opened: Opener) -> None:
    """As many rows as responses, with their figures."""
    tab = opened(session_page(REPORT))
    tab.evaluate("document.getElementById('all').open = true")
    tab.settle()
    last = tab.evaluate("[...document.querySelectorAll('#all tbody tr:last-child td')].map((cell) => cell.innerText)")

    assert COUNT == tab.evaluate("document.querySelectorAll('#all tbody tr').length")
    assert [COUNT, 3 * COUNT, *(REPORT["responses"][-1][key] for key in KEYS)] == [
        int(text.replace(",", "")) for text in last
    ]


def test_a_thousand_responses_with_hostile_names(opened: Opener) -> None:
    """The names stay texts, and the page works as with others."""
    report = session_report(1_000, name=HOSTILE, tool=HOSTILE)
    tab = opened(session_page(report), width=320)

    assert [] == find_trouble(tab)
    assert not scrolls_sidewards(tab)
    assert 0 == tab.evaluate("document.querySelectorAll('img').length")
    assert report["responses"][-1]["context"] == shown_figures(tab)["context"]
    assert HOSTILE.encode("utf-16", "surrogatepass").decode("utf-16", "replace") == tab.evaluate(
        "report.file.toWellFormed()"
    )


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_session_of_hardly_anything(opened: Opener, count: int) -> None:
    """No response, or one, is a page too."""
    report = {**session_report(count), "drops": []}
    tab = opened(session_page(report))

    assert [] == find_trouble(tab)
    assert (count > 0) == tab.evaluate("document.getElementById('timeline') !== null")
