"""One browser for all tests of pages. Without one they are skipped and say so; KEEL_BROWSER=require forbids that."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.devtools import Connection, Tab, find_browser, running_browser

Opener = Callable[..., Tab]
"""Opens the text of a page; takes the width of the window and the theme."""


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A browser without a window."""
    command = find_browser()
    if command is None:
        told = "no browser: install Debian's package chromium, or name one in KEEL_BROWSER_COMMAND"
        if os.environ.get("KEEL_BROWSER") == "require":
            pytest.fail(told)
        pytest.skip(f"PAGES ARE NOT TESTED: {told}")
    with running_browser(command, tmp_path_factory.mktemp("profile")) as connection:
        yield connection


@pytest.fixture
def opened(browser: Connection, tmp_path: Path) -> Iterator[Opener]:
    """Opens a page from a file, and closes it behind the test."""
    tabs: list[Tab] = []

    def open_page(text: str, *, width: int = 1000, theme: str = "light") -> Tab:
        page = tmp_path / f"page-{len(tabs)}.html"
        page.write_text(text, encoding="utf-8")
        tabs.append(Tab.opened(browser, page, width=width, theme=theme))
        return tabs[-1]

    yield open_page
    for tab in tabs:
        tab.close()
