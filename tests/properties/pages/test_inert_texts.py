"""A text of anybody's stays a text."""

import json
from html.parser import HTMLParser

from hypothesis import given

from keel_ref.pages.markup import MAX_SHOWN, element, name_of
from keel_ref.pages.page import data
from keel_ref.strategies.text import any_text


class Pieces(HTMLParser):
    """The elements and the text that a browser would find."""

    def __init__(self, html: str) -> None:
        """Read all of it."""
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count the element and its attributes."""
        self.tags += [tag, *(f"@{name}" for name, _ in attrs)]

    def handle_data(self, data: str) -> None:
        """Gather the text."""
        self.text += data


@given(any_text())
def test_a_name_adds_no_element(text: str) -> None:
    """Neither in an element nor in an attribute, and all that is shown can be seen and written."""
    found = Pieces(element("p", name_of(text), text, title=text).html)

    assert ["p", "@title", "bdi"] == found.tags
    assert found.text.isprintable()
    assert len(name_of(text).html.encode()) < 10 * (MAX_SHOWN + 50)


@given(any_text())
def test_data_is_the_same_behind_the_page(text: str) -> None:
    """What a script reads is what the report holds, lone surrogates too."""
    written = data({text: text})

    assert {text: text} == json.loads(written)
    assert "<" not in written
    assert written.isascii()
