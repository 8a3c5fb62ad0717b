"""Pieces of a page, in which a text can never become markup."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from attrs import frozen

VOID: Final = frozenset({"br", "meta"})
"""Elements that hold nothing and are not closed."""
MAX_SHOWN: Final = 300
"""Characters of one text that are shown; the report inside the page has all of it."""


@frozen
class Markup:
    """What a browser takes for markup; all else is text."""

    html: str
    """Already escaped."""


@frozen
class Figure:
    """A figure that is no plain number, such as a share."""

    text: str


Child = Markup | Figure | str | int | None
"""What an element may hold: markup, a figure, a text, a number with its thousands parted, or nothing."""


def element(tag: str, /, *children: Child, **attributes: str | int | None) -> Markup:
    """An element. `class_` stands for class and `data_key` for data-key; an attribute that is None is left out."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    end = "" if tag in VOID else f"</{tag}>"
    return Markup(f"<{tag}{words}>{joined(children).html}{end}")


def joined(children: Iterable[Child]) -> Markup:
    """Pieces one behind another."""
    return Markup("".join(_html(child) for child in children))


def name_of(value: Any) -> Markup:
    """A name that anybody may have chosen: a path, a tool, a model. It cannot turn the text around it."""
    text = visible(as_text(value))
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}… ({len(text):,} characters)"
    return element("bdi", shown)


def as_text(value: Any) -> str:
    """A value of a report as text; a path that is not UTF-8 comes as bytes (spec/protocol.md)."""
    if isinstance(value, Mapping) and isinstance(value.get("b64"), str):
        return base64.b64decode(value["b64"]).decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def visible(text: str) -> str:
    """The text with every character spelled out that cannot be seen or that moves others."""
    return "".join(char if char.isprintable() else _spelled(char) for char in text)


def _spelled(char: str) -> str:
    if "\udc80" <= char <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(char) & 0xFF:02x}"
    return char.encode("unicode_escape").decode("ascii")


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Child]]) -> Markup:
    """A table that says what it is; nothing where it has no rows. Numbers stand to the right."""
    held = [*rows]
    if not held:
        return Markup("")
    heading = [
        element("th", word, scope="col", class_=_side(value)) for word, value in zip(heads, held[0], strict=True)
    ]
    lines = [element("tr", *(element("td", value, class_=_side(value)) for value in row)) for row in held]
    inside = element(
        "table", element("caption", caption), element("thead", element("tr", *heading)), element("tbody", *lines)
    )
    return element("div", inside, class_="scroll", tabindex=0, role="region", aria_label=caption)


def section(title: str, *children: Child, **attributes: str | int | None) -> Markup:
    """A part of a page with its title; nothing where it holds nothing."""
    inside = joined(children)
    return element("section", element("h2", title), inside, **attributes) if inside.html else inside


def bullets(items: Iterable[Child]) -> Markup:
    """A list of sentences; nothing where there are none."""
    lines = [element("li", item) for item in items]
    return element("ul", *lines) if lines else Markup("")


def _side(value: Child) -> str | None:
    """Figures stand to the right, one below the other."""
    return "number" if isinstance(value, int | Figure) else None


def _html(child: Child) -> str:
    match child:
        case None:
            return ""
        case Markup(html):
            return html
        case int():
            return f"{child:,}"
        case Figure(text) | str(text):
            return escape(visible(text))
