"""The page of `keel-ref session`: the course of the context, each compaction with its reason, and what entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.pages import session_parts as parts
from keel_ref.pages.markup import Child, Markup, element, joined, name_of, section, table
from keel_ref.pages.page import Page, assemble, data
from keel_ref.pages.session_parts import MAX_ROWS, parted, to_response
from keel_ref.pages.session_words import (
    LAYERS,
    THRESHOLDS,
    UNKNOWN,
    answer_sentences,
    layer_colour,
    layer_key,
    layer_words,
    outcome_sentence,
    threshold,
    why_sentence,
)

KINDS: Final = {
    "own_words": ("your words", "purple"),
    "client": ("the client's words", "pale-blue"),
    "assistant": ("the model's words", "blue"),
    "summary": ("summaries", "cyan"),
    "kept": ("kept by a compaction", "green"),
    "tool_results": ("results of tools", "teal"),
    "attachments": ("attachments", "yellow"),
    "memory": ("memory files", "orange"),
    "unattributed": ("unattributed", "grey"),
}
"""What can enter a context, in words, with its colour."""
RESTORED: Final = {"inlined": "as it is now", "named": "its name alone"}
"""How a file can come back behind a compaction."""
MAX_BARS: Final = 24
"""Bars of what entered; the table beside them has all."""


def session_page(report: Mapping[str, Any]) -> str:
    """The page of a report of the schema keel-session/1."""
    title = "The course of a session"
    marks = {"thresholds": _thresholds(report), "events": _events(report), "entered": _entered(report)[:MAX_BARS]}
    body = joined(
        (
            element("h1", title),
            element("p", name_of(report.get("file")), " · ", name_of(report.get("model") or "no model is named")),
            element("p", " ".join(answer_sentences(report)), class_="answer"),
            parts.findings(report),
            _timeline(report),
            _compactions(report),
            _drops(report),
            _breakdown(report),
            parts.forecast(report),
            parts.cache(report),
            parts.repeats(report),
            *parts.record(report),
            Markup(f'<script type="application/json" id="marks">{data(marks)}</script>'),
        )
    )
    return assemble(Page(title=f"keel-ref: {title}", body=body, report=report, scripts=("chart.js", "session.js")))


def _thresholds(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The lines to draw, the highest first."""
    known = [(threshold(report, name), label, colour) for name, (label, colour) in THRESHOLDS.items()]
    lines = [{"tokens": at, "label": label, "colour": colour} for at, label, colour in known if at is not None]
    return sorted(lines, key=lambda line: -int(line["tokens"]))


def _events(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The marks to draw: compactions with their number, other drops without."""
    marks = [
        {
            "after": one["after_response"],
            "number": str(number),
            "label": f"then compaction {number}",
            "words": outcome_sentence(one),
            "tokens": one.get("pre_tokens"),
            "colour": layer_colour(one.get("layer")),
        }
        for number, one in enumerate(report["compactions"], 1)
        if isinstance(one.get("after_response"), int)
    ]
    return marks + [
        {
            "after": one["before_response"] - 1,
            "number": "",
            "label": "",
            "words": f"{one.get('tokens'):,} tokens less" if isinstance(one.get("tokens"), int) else "less",
            "colour": layer_colour(one.get("layer")),
        }
        for one in _other_drops(report)
    ]


def _timeline(report: Mapping[str, Any]) -> Markup:
    """The chart with its legend, its readout, and every response as a table on request."""
    if not report["responses"]:
        return section("The context, response by response", element("p", "The file holds no response."))
    chart = element(
        "div",
        id="timeline",
        class_="chart",
        tabindex=0,
        role="application",
        aria_label="Tokens of the context by response. The arrow keys go from response to response.",
        aria_describedby="figures",
    )
    seen = {layer_key(one.get("layer")) for one in (*report["compactions"], *_other_drops(report))}
    words = {**LAYERS, "unknown": UNKNOWN}
    keys = [(f"{told[0]}", told[1]) for key, told in words.items() if key in seen]
    legend = [
        element("li", element("span", class_=f"key k-{colour}", aria_hidden="true"), told) for told, colour in keys
    ]
    heads = ("response", "line", "context", "input", "read from the cache", "written to the cache", "output")
    head = element("tr", *(element("th", word, scope="col", class_="number") for word in heads))
    rows = element("table", element("thead", head), element("tbody"))
    return section(
        "The context, response by response",
        element(
            "p",
            "Point at the line, or go along it with the arrow keys. Drag over a part to enlarge it; click twice to go "
            "back. Upright lines are where the context was made smaller; compactions have a number.",
            class_="faint",
        ),
        chart,
        element("ul", *legend, class_="legend") if legend else None,
        element("output", id="figures", class_="readout", aria_live="polite"),
        element(
            "details",
            element("summary", f"All {len(report['responses']):,} responses as a table"),
            element("div", rows, class_="scroll", tabindex=0, role="region", aria_label="All responses"),
            id="all",
        ),
    )


def _compactions(report: Mapping[str, Any]) -> Markup:
    """Each with its reason, in the order in which they happened."""
    items = [
        element(
            "li",
            element("p", element("strong", why_sentence(one, report))),
            element("p", f"{outcome_sentence(one)}, by {layer_words(one.get('layer'))}. ", _place(one)),
            *_what_of(one),
        )
        for one in report["compactions"]
    ]
    return section("Why it compacted", element("ol", *items, class_="events") if items else None, id="compactions")


def _place(compaction: Mapping[str, Any]) -> Markup:
    """Where it stands in the file and in the chart."""
    line, after = compaction.get("line"), compaction.get("after_response")
    told = f"Line {line:,} of the file. " if isinstance(line, int) else None
    return element("span", told, to_response(after) if isinstance(after, int) else None, class_="faint")


def _what_of(compaction: Mapping[str, Any]) -> Iterator[Markup]:
    """What went, stayed and came back, and how the layer is known."""
    kept = dict(compaction.get("kept") or {})
    summary = kept.pop("summary_tokens", None)
    if summary:
        yield element("p", f"In its place: a summary of {summary:,} tokens.")
    for held, words in ((compaction.get("dropped") or {}, "Went"), (kept, "Stayed")):
        told = [f"{name.replace('_', ' ')} {amount:,}" for name, amount in held.items() if amount]
        if told:
            yield element("p", f"{words}: {', '.join(told)}.")
    back = [
        joined((name_of(one["path"]), f" ({RESTORED.get(one['how'], one['how'])})"))
        for one in compaction.get("restored") or ()
    ]
    if back:
        yield element("p", "Came back: ", *parted(back[:MAX_ROWS]), ".")
    if compaction.get("layer_why"):
        yield element("p", "How that is known: ", name_of(compaction["layer_why"]), ".", class_="faint")


def _other_drops(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Where the context became smaller without a compaction that is recorded."""
    compacted = {one.get("after_response") for one in report["compactions"]}
    drops = [one for one in report.get("drops") or () if isinstance(one.get("before_response"), int)]
    return [one for one in drops if one["before_response"] - 1 not in compacted]


def _drops(report: Mapping[str, Any]) -> Markup:
    rows: list[Sequence[Child]] = [
        (
            to_response(one["before_response"]),
            _plain(one.get("tokens")),
            layer_words(one.get("layer")),
            name_of(one.get("why")),
        )
        for one in _other_drops(report)
    ]
    heads = ("before response", "tokens less", "by what", "why")
    made = parts.capped(lambda some: table("Every other drop", heads, some), rows)
    return section("Where it became smaller otherwise", made)


def _breakdown(report: Mapping[str, Any]) -> Markup:
    """What entered over the whole session, by kind, as bars and as a table."""
    entered = _entered(report)
    if not entered:
        return Markup("")
    bars = element(
        "div",
        id="entered",
        class_="chart",
        tabindex=0,
        role="application",
        aria_label="Tokens that entered, by kind. The arrow keys go from bar to bar.",
        aria_describedby="entered-figures",
    )
    rows: list[Sequence[Child]] = [(name_of(one["name"]), one["tokens"]) for one in entered]
    return section(
        "What entered",
        element(
            "p",
            "By the documented estimate. Unattributed is what the provider counted beyond that: the system prompt, the "
            "tools, and whatever the record does not hold.",
            class_="faint",
        ),
        bars,
        element("output", id="entered-figures", class_="readout", aria_live="polite"),
        element("details", element("summary", "As a table"), table("By kind", ("kind", "tokens"), rows)),
    )


def _entered(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Tokens by kind over all responses, the largest first; each tool and each attachment by itself."""
    rows = [
        {
            "name": f"{KINDS.get(kind, (kind, ''))[0]}, {inner}" if inner else KINDS.get(kind, (kind, ""))[0],
            "tokens": tokens,
            "colour": KINDS.get(kind, ("", "green"))[1],
        }
        for kind, inner, tokens in _amounts(report.get("entered") or {})
        if tokens > 0
    ]
    return sorted(rows, key=lambda row: (-int(row["tokens"]), str(row["name"])))


def _amounts(entered: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    for kind, value in entered.items():
        if isinstance(value, int):
            yield kind, "", value
        elif isinstance(value, Mapping):
            yield from ((kind, name, tokens) for name, tokens in value.items() if isinstance(tokens, int))


def _plain(value: Any) -> Child:
    return value if isinstance(value, int) else "not recorded"
