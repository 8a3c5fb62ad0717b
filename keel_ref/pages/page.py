"""One page in one file: the text, the report, the style and the library that draws."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from keel_ref.pages.markup import Markup, element, joined

ASSETS: Final = Path(__file__).parent / "assets"
LIBRARY: Final = "uPlot 1.6.32"
_LESS_THAN: Final = "\\u003c"
"""The sign as a string of JSON may write it, so that no element can end or begin inside the data."""


@frozen(kw_only=True)
class Page:
    """What differs between pages."""

    title: str
    body: Markup
    """What stands inside `main`; readable without any script."""
    report: Mapping[str, Any]
    """The same object that `--json` prints."""
    scripts: Sequence[str]
    """Names of our own assets, in the order in which they run."""


def assemble(page: Page) -> str:
    """The whole file, which loads nothing and sends nothing."""
    style = asset("uplot/uPlot.min.css") + asset("page.css")
    library = asset("uplot/uPlot.iife.min.js")
    script = "".join(asset(name) for name in page.scripts)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {_digest(library)} {_digest(script)}; style-src {_digest(style)}"
    )
    head = joined(
        (
            element("meta", charset="utf-8"),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">'),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", page.title),
            Markup(f"<style>{style}</style>"),
        )
    )
    body = joined(
        (
            element("main", page.body),
            _licence(),
            Markup(f'<script type="application/json" id="report">{data(page.report)}</script>'),
            Markup(f"<script>{library}</script>"),
            Markup(f"<script>{script}</script>"),
        )
    )
    return f'<!doctype html>\n<html lang="en">\n<head>{head.html}</head>\n<body>{body.html}</body>\n</html>\n'


def data(report: Mapping[str, Any]) -> str:
    """The report as JSON of ASCII without a less-than sign: no text in it can end the element it stands in."""
    return json.dumps(report, ensure_ascii=True, separators=(",", ":")).replace("<", _LESS_THAN)


@cache
def asset(name: str) -> str:
    """A file that comes with the package."""
    return (ASSETS / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _licence() -> Markup:
    told = f"Made by keel-ref. The charts are drawn by {LIBRARY}, whose licence this is"
    return element(
        "footer",
        element("details", element("summary", told), Markup(f"<pre>{escape(asset('uplot/LICENSE'))}</pre>")),
    )
