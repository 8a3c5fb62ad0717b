"""The page of `keel-ref context`: the grid, the categories, and what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.pages.markup import Child, Figure, Markup, bullets, element, joined, name_of, section, table
from keel_ref.pages.page import Page, assemble

TITLES: Final = {
    "session": "What the next turn of this session holds",
    "request": "What this request holds",
    "folder": "What a session in this folder begins with",
}
PARTS: Final = {
    "tool_call": "calls of tools",
    "tool_result": "results of tools",
    "attachment": "attachments",
    "assistant": "the model's words",
    "user": "your words",
}
COLOURS: Final = frozenset(
    "cyan blue teal pale-teal pale-blue green orange yellow purple grey free buffer".split()  # noqa: SIM905 (a list of words)
)
"""Those that the style knows; each is a class and a variable of it."""


def context_page(report: Mapping[str, Any]) -> str:
    """The page of a report of the schema keel-context/1."""
    kind = report["source"]["kind"]
    title = TITLES.get(kind, TITLES["session"])
    body = joined(
        (
            element("h1", title),
            element("p", name_of(report["source"]["name"]), " · ", name_of(report["model"] or "no model is named")),
            element("p", _answer(report), class_="answer"),
            _picture(report),
            *_tables(report),
            section("What cannot be told", bullets(_gap(gap) for gap in report["unknown"])),
            element(
                "p", "Amounts are estimates by the documented rule, which is too low for most text.", class_="faint"
            ),
        )
    )
    return assemble(Page(title=f"keel-ref: {title}", body=body, report=report, scripts=("chart.js", "context.js")))


def share_text(per_mille: int, tokens: int) -> str:
    """Per cent with one place behind the point; what is there and rounds to nothing is said to be there."""
    return "<0.1 %" if tokens and not per_mille else f"{per_mille // 10}.{per_mille % 10} %"


def _answer(report: Mapping[str, Any]) -> str:
    """How full it is, and what follows from that."""
    used = f"{report['total']:,} of {report['maximum']:,} tokens ({report['percentage']} %) are in use."
    if not report["auto_compact"]:
        return f"{used} Automatic compaction is off."
    left = report["auto"] - report["total"]
    if left > 0:
        return f"{used} {left:,} more, and the client compacts by itself: its threshold is {report['auto']:,}."
    return f"{used} That is at or above {report['auto']:,}, so the client compacts before the next turn."


def _picture(report: Mapping[str, Any]) -> Markup:
    """Grid and bars with one readout for both, and their figures as a table."""
    categories = report["categories"]
    squares = (
        element("span", class_=f"square c-{_colour(categories[at])}") for row in report["grid"]["rows"] for at in row
    )
    told = ", ".join(f"{one['name']} {one['squares']}" for one in categories)
    grid = element(
        "div",
        *squares,
        id="grid",
        class_=f"grid columns-{report['grid']['columns']}",
        role="img",
        aria_label=f"The window as squares: {told}",
    )
    bars = element(
        "div",
        id="bars",
        class_="chart",
        tabindex=0,
        role="application",
        aria_label="Tokens by category. The arrow keys go from bar to bar.",
        aria_describedby="figures",
    )
    rows = [
        (
            joined((element("span", class_=f"key c-{_colour(one)}", aria_hidden="true"), one["name"], _aside(one))),
            one["tokens"],
            Figure(share_text(one["per_mille"], one["tokens"])),
        )
        for one in categories
    ]
    return section(
        "By category",
        element("p", "Point at a square or a bar, or go from bar to bar with the arrow keys.", class_="faint"),
        element("output", id="figures", class_="readout", aria_live="polite"),
        element("div", grid, bars, class_="picture"),
        table("Every category", ("category", "tokens", "of the window"), rows),
    )


def _tables(report: Mapping[str, Any]) -> Iterator[Markup]:
    """Each list that has something to show."""
    parts = [(PARTS[key], tokens) for key, tokens in report["messages"].items() if tokens]
    yield section("Messages", table("By kind", ("kind", "tokens"), parts), _by_tool(report["by_tool"]))
    kinds = [(name_of(one["name"]), one["count"], one["tokens"]) for one in report["by_attachment"]]
    yield section("Attachments", table("By kind", ("kind", "number", "tokens"), kinds))
    files = [(name_of(one["path"]), name_of(one["type"]), one["tokens"]) for one in report["memory_files"] or ()]
    yield section("Memory files", table("In the order of loading", ("file", "layer", "tokens"), files))
    yield section("System prompt", _named("By section", report["system_prompt"], "(before the first heading)"))
    by_size = sorted(report["tools"] or (), key=lambda one: (-one["tokens"], one["name"]))
    tools = [
        (
            name_of(one["name"]),
            name_of(one["server"] or "built in"),
            "yes" if one["loaded"] else "deferred",
            one["tokens"],
        )
        for one in by_size
    ]
    yield section("Definitions of tools", table("The largest first", ("tool", "server", "counts", "tokens"), tools))
    yield section("Custom agents", _named("One by one", report["agents"]))
    yield section("Skills", _named("As they are listed", report["skills"]))


def _by_tool(rows: Iterable[Mapping[str, Any]]) -> Markup:
    lines = [
        (
            "(a tool whose call cannot be seen)" if one["name"] is None else name_of(one["name"]),
            one["calls"],
            one["call_tokens"],
            one["results"],
            one["result_tokens"],
        )
        for one in rows
    ]
    return table("By tool", ("tool", "calls", "their tokens", "results", "their tokens"), lines)


def _named(caption: str, rows: Sequence[Mapping[str, Any]] | None, nameless: str = "") -> Markup:
    lines: list[Sequence[Child]] = [(name_of(one["name"] or nameless), one["tokens"]) for one in rows or ()]
    return table(caption, ("name", "tokens"), lines)


def _gap(gap: Mapping[str, Any]) -> Markup:
    return joined((name_of(gap["what"]), ": ", name_of(gap["why"])))


def _aside(category: Mapping[str, Any]) -> str:
    return " (deferred, not counted)" if category["deferred"] else ""


def _colour(category: Mapping[str, Any]) -> str:
    return category["colour"] if category["colour"] in COLOURS else "grey"
