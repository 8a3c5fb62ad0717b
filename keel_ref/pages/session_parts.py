"""The parts of a session's page that are tables and sentences: what was found, the cache, what comes next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.pages.markup import Child, Figure, Markup, bullets, element, joined, name_of, section, table
from keel_ref.pages.session_words import THRESHOLDS, times

MAX_ROWS: Final = 200
"""Rows of one table or list; the report inside the page has all of them."""
ACTS: Final[Mapping[str, str]] = {
    "send": "the next request is sent as it is",
    "compact": "the next request compacts first",
    "refuse": "the next request is refused",
    "stop": "the next request ends the session",
}
NEVER: Final = Figure("not known")
Rows = list[Sequence[Child]]


def findings(report: Mapping[str, Any]) -> Markup:
    """What somebody should know first."""
    return section("Findings", capped(bullets, [_finding(one) for one in report.get("findings") or ()]))


def forecast(report: Mapping[str, Any]) -> Markup:
    """What is left until each stage, and with other settings."""
    held = report.get("forecast") or {}
    left = held.get("left") or {}
    rows: Rows = [
        (words, report["thresholds"][stage], *_left(left[stage]))
        for stage, (words, _) in THRESHOLDS.items()
        if stage in left
    ]
    others: Rows = [
        (
            name_of(one["setting"]),
            one["auto"] if one["auto_enabled"] else Figure("off"),
            one["blocking"],
            *_left(one["left"]["auto" if one["auto_enabled"] else "blocking"]),
        )
        for one in held.get("what_if") or ()
    ]
    return section(
        "What comes next",
        _rate(held),
        table("Until each stage, at the present rate", ("stage", "from", "tokens left", "responses", "turns"), rows),
        table(
            "With another setting, until it compacts, or where that is off until requests are refused",
            ("setting", "compacts from", "refused from", "tokens left", "responses", "turns"),
            others,
        ),
    )


def cache(report: Mapping[str, Any]) -> Markup:
    """Each response that read less from the cache than was there."""
    held = report.get("cache") or {}
    drops = held.get("drops") or ()
    rows: Rows = [
        (to_response(one["response"]), one["expected"], one["read"], one["lost"], name_of(one["why"])) for one in drops
    ]
    if not rows:
        return Markup("")
    told = f"Lost {times(len(rows))}, {held['lost']:,} tokens in all."
    heads = ("response", "was there", "was read", "lost", "why")
    return section("The cache", element("p", told), capped(lambda some: table("Every loss", heads, some), rows))


def repeats(report: Mapping[str, Any]) -> Markup:
    """Texts that came in again while they were still there."""
    rows: Rows = [
        (
            joined((name_of(one["name"]), " " if one["path"] else None, name_of(one["path"]) if one["path"] else None)),
            one["times"],
            one["tokens"],
            one["wasted"],
            ", ".join(f"{line:,}" for line in one["lines"]),
        )
        for one in report.get("repeats") or ()
    ]
    heads = ("text", "times", "tokens of one", "for nothing", "lines")
    return section("What came in more than once", capped(lambda some: table("The costliest first", heads, some), rows))


def record(report: Mapping[str, Any]) -> Iterator[Markup]:
    """Where the record differs from the rules, what failed, what could not be read, and what a naive sum would say."""
    differences = [
        joined((_line(one["line"]), name_of(one["why"]), f" ({one['clause']})" if one.get("clause") else None))
        for one in report.get("differences") or ()
    ]
    yield section("Where the record is not what the rules say", capped(bullets, differences))
    errors = [joined((_line(one["line"]), name_of(one["said"]))) for one in report.get("errors") or ()]
    yield section("What failed", capped(bullets, errors))
    problems = [
        joined((_line(one["line"]), name_of(one["reason"]), ": " if one["detail"] else None, name_of(one["detail"])))
        for one in report.get("problems") or ()
    ]
    yield section("What could not be read as it stands", capped(bullets, problems))
    sums: Rows = [
        (key, one["right"], one["naive"], Figure("" if one["percent"] is None else f"{one['percent']:,} %"))
        for key, one in (report.get("naive") or {}).items()
        if isinstance(one, Mapping)
    ]
    caption = "Summing the usage of every row counts a response as often as it has rows"
    heads = ("tokens", "used", "summed by row", "of what was used")
    yield section("What a sum by row would say", table(caption, heads, sums))


def to_response(number: Any) -> Child:
    """A button that moves the cursor of the chart there."""
    if not isinstance(number, int):
        return "not recorded"
    if number < 1:
        return "before the first response"
    return element("button", f"Response {number:,}", type="button", data_response=number, title="show it in the chart")


def capped(make: Any, items: Sequence[Any]) -> Markup:
    """The first of many, and how many more there are."""
    more = len(items) - MAX_ROWS
    told = element("p", f"{more:,} more stand in the report inside this page.") if more > 0 else None
    return joined((make(items[:MAX_ROWS]), told))


def parted(pieces: Iterable[Markup]) -> Iterator[Child]:
    """Pieces with a sign between them."""
    for place, piece in enumerate(pieces):
        yield "; " if place else None
        yield piece


def _finding(one: Mapping[str, Any]) -> Markup:
    return joined((_line(one.get("line")), name_of(one["text"])))


def _line(number: Any) -> str | None:
    return f"Line {number:,}: " if isinstance(number, int) else None


def _rate(held: Mapping[str, Any]) -> Markup | None:
    """How large it is, how fast it grows, and what is next."""
    if "used" not in held:
        return None
    grows = held.get("per_response")
    rate = f"It grows by {grows:,} tokens a response." if isinstance(grows, int) else "It is not growing."
    act = ACTS.get(str(held.get("next")))
    return element(
        "p", f"The next request holds {held['used']:,} tokens. {rate}", f" As it stands {act}." if act else None
    )


def _left(one: Mapping[str, Any]) -> tuple[Child, Child, Child]:
    tokens, responses, turns = one["tokens"], one["responses"], one["turns"]
    reached = tokens == 0
    return (
        Figure("never") if tokens is None else Figure("reached") if reached else tokens,
        Figure("") if reached else NEVER if responses is None else responses,
        Figure("") if reached else NEVER if turns is None else turns,
    )
