"""The timeline of `keel-ref session` for a person."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.cli.session_chart import ASCII, UNICODE, Picture, draw
from keel_ref.cli.session_events import counted, event_lines
from keel_ref.cli.terminal_text import clipped, visible

PLAIN_WIDTH: Final = 100
"""Columns where there is no terminal, so that a file holds the same everywhere."""
MOST_WIDTH: Final = 200
LEAST_WORDS: Final = 30
"""Columns that a text behind its lead has at least."""
KINDS: Final = {
    "own_words": "your words",
    "assistant": "the model's words",
    "tool_results": "results of tools",
    "attachments": "attachments",
    "memory": "memory files",
    "summary": "summaries",
    "client": "the client's words",
    "kept": "kept by a compaction",
    "unattributed": "unattributed",
}
MOST_NAMES: Final = 8
UNTIL: Final = 58
"""Columns of what a forecast is about."""
SOURCES: Final = {
    "option": "as it was given",
    "model": "as known of the model",
    "record": "as the record has it",
}


def timeline_text(report: Mapping[str, Any], *, is_ascii: bool, shows_responses: bool, shows_naive: bool) -> str:
    """All of it, with its sections one below the other."""
    parts = [
        list(_header(report)),
        list(_chart(report, is_ascii=is_ascii)),
        list(_events(report)),
        list(_findings(report)),
        list(_entered(report)),
        list(_responses(report)) if shows_responses else [],
        list(_forecast(report)),
        list(naive_lines(report)) if shows_naive else [],
    ]
    text = "\n\n".join("\n".join(part) for part in parts if part) + "\n"
    return text.translate(_PLAIN) if is_ascii else text


def _header(report: Mapping[str, Any]) -> Iterator[str]:
    totals, limits = report["totals"], report["thresholds"]
    yield f"{_safe(report['file'])}: {report['answer']}"
    window = (
        f"{_safe(report['model'] or 'no model is named')}, window {report['window']:,} "
        f"({SOURCES[report['window_source']]}): warning {limits['warning']:,}, "
        f"auto-compact {_auto(limits)}, blocking {limits['blocking']:,}"
    )
    yield from _wrapped("", window)
    aside = [
        f"{totals[key]:,} {words}"
        for key, words in (("side_chains", "of sub-agents"), ("outside", "outside the conversation"))
        if totals[key]
    ]
    beside = f" and {' and '.join(aside)}" if aside else ""
    counts = f"{counted(totals['prompts'], 'prompt')}, {counted(totals['in_conversation'], 'response')}{beside}"
    sums = (
        f"input {totals['input']:,}, read from the cache {totals['cache_read']:,}, "
        f"written to it {totals['cache_write']:,}, output {totals['output']:,} tokens"
    )
    yield from _wrapped("", f"{counted(totals['lines'], 'line')}, {counts}; {sums}")
    if report["problems"]:
        yield f"{counted(len(report['problems']), 'remark')} on the file itself; --doctor lists them"


def _auto(limits: Mapping[str, Any]) -> str:
    return f"{limits['auto']:,}" if limits["auto_enabled"] else "off"


def _chart(report: Mapping[str, Any], *, is_ascii: bool) -> Iterator[str]:
    responses, limits = report["responses"], report["thresholds"]
    if not responses:
        return
    rules = [("warning", limits["warning"]), ("blocking", limits["blocking"])]
    if limits["auto_enabled"]:
        rules.append(("auto", limits["auto"]))
    marks = [(one["after_response"] or 1, "C") for one in report["compactions"]]
    marks += [(one["before_response"] - 1, "d") for one in report["drops"] if one["tokens"] is not None]
    marks = sorted((min(place, len(responses) - 1), letter) for place, letter in marks)
    picture = Picture(sizes=[one["context"] for one in responses], rules=rules, marks=marks)
    yield "Context by response, in tokens" + (" (C: behind a compaction, d: behind another drop)" if marks else "")
    yield from draw(picture, _width(), ASCII if is_ascii else UNICODE)


def _width() -> int:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size((PLAIN_WIDTH, 0)).columns if is_terminal else PLAIN_WIDTH
    return min(MOST_WIDTH, columns)


def _events(report: Mapping[str, Any]) -> Iterator[str]:
    lines = list(event_lines(report))
    if lines:
        yield "What happened"
        for lead, text in lines:
            yield from _wrapped(f"  {lead}", visible(text))


def _findings(report: Mapping[str, Any]) -> Iterator[str]:
    if report["findings"]:
        yield "What stands out"
        for one in report["findings"]:
            where = f"line {one['line']:,}: " if one["line"] is not None else ""
            yield from _wrapped(f"  {one['rule']:<4}", f"{where}{_safe(one['text'])}")
        for one in report["repeats"][:MOST_NAMES]:
            what = _safe(one["path"] or one["name"])
            lines = ", ".join(f"{line:,}" for line in one["lines"][:MOST_NAMES])
            lines = f"{lines} and so on" if one["times"] > MOST_NAMES else lines
            text = f"{what}, {one['times']:,} times, about {one['wasted']:,} tokens too many; lines {lines}"
            yield from _wrapped("      again: ", text)


def _wrapped(lead: str, text: str) -> Iterator[str]:
    """The text behind its lead, its further lines below its first."""
    width = max(_width(), len(lead) + LEAST_WORDS)
    filler = textwrap.TextWrapper(
        width, initial_indent=lead, subsequent_indent=" " * len(lead), break_on_hyphens=False, break_long_words=False
    )
    yield from filler.wrap(text) or (lead.rstrip(),)


def _entered(report: Mapping[str, Any]) -> Iterator[str]:
    """By kind, the largest first; what no estimate explains comes last."""
    found = report["entered"]
    if not found:
        return
    yield "What entered, in tokens: estimates, but for the model's words; what they leave is unattributed"
    kinds = [(kind, value) for kind, value in found.items() if kind != "unattributed"]
    for kind, value in sorted(kinds, key=lambda one: -_sum(one[1])):
        yield f"  {KINDS.get(kind, kind):<22}{_sum(value):>12,}{_names(value)}"
    rest = found.get("unattributed", 0)
    yield f"  {KINDS['unattributed']:<22}{rest:>12,}  system prompt, tools, and the error of the estimates"


def _names(value: Any) -> str:
    if not isinstance(value, Mapping):
        return ""
    ordered = sorted(value.items(), key=lambda one: (-one[1], one[0]))
    shown = ", ".join(f"{_safe(name)} {tokens:,}" for name, tokens in ordered[:MOST_NAMES])
    more = f" and {len(ordered) - MOST_NAMES:,} more" if len(ordered) > MOST_NAMES else ""
    return f"  {shown}{more}"


def _sum(value: Any) -> int:
    return sum(value.values()) if isinstance(value, Mapping) else int(value)


def _responses(report: Mapping[str, Any]) -> Iterator[str]:
    """Every response with its figures."""
    yield "Every response"
    heads = ("response", "line", "context", "cache read", "written", "output")
    yield "  " + "".join(f"{head:>12}" for head in heads) + "  stage     entered"
    for one in report["responses"]:
        figures = (one["n"], one["line"], one["context"], one["cache_read"], one["cache_write"], one["output"])
        entered = ", ".join(
            f"{KINDS.get(kind, kind)} {_sum(value):,}" for kind, value in one["entered"].items() if _sum(value)
        )
        yield "  " + "".join(f"{figure:>12,}" for figure in figures) + f"  {one['state']:<8}  {entered}"


def _forecast(report: Mapping[str, Any]) -> Iterator[str]:
    told = report["forecast"]
    if not report["responses"]:
        return
    yield "What comes next"
    rate = told["per_response"]
    if rate is None:
        yield f"  {told['used']:,} tokens for the next request; the record shows no growth to go by"
    else:
        yield (
            f"  {told['used']:,} tokens for the next request, growing by about {rate:,} a response (the last "
            f"{told['responses_measured']:,} in which it grew)"
        )
    yield f"  {'until':<{UNTIL}}{'tokens':>10}{'responses':>11}{'turns':>7}"
    for stage, words in (("warning", "the warning"), ("auto", "auto-compact"), ("blocking", "no request is sent")):
        yield _left(words, told["left"][stage])
    for one in told["what_if"]:
        stage = "auto" if one["auto_enabled"] else "blocking"
        words = "auto-compact" if one["auto_enabled"] else "no request is sent"
        yield _left(f"{words}, with {one['setting']}", one["left"][stage])


def _left(words: str, left: Mapping[str, Any]) -> str:
    figures = [left["tokens"], left["responses"], left["turns"]]
    if figures[0] is None:
        return f"  {words:<{UNTIL}}{'off':>10}"
    if figures[0] == 0:
        return f"  {words:<{UNTIL}}{'reached':>10}"
    shown = ["?" if figure is None else f"{figure:,}" for figure in figures]
    return f"  {words:<{UNTIL}}{shown[0]:>10}{shown[1]:>11}{shown[2]:>7}"


def naive_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """What summing the usage of every row gives, beside the right figure."""
    found = report["naive"]
    yield "Summing the usage of every row, which is wrong: a response is written in several rows that repeat it"
    yield f"  {'':<12}{'summed':>16}{'right':>16}{'too much':>10}"
    for key in ("input", "output"):
        one = found[key]
        more = "" if one["percent"] is None else f"{one['percent'] - 100:,} %"
        yield f"  {key:<12}{one['naive']:>16,}{one['right']:>16,}{more:>10}"
    yield f"  {'counted':<12}{found['rows']:>11,} rows{found['responses']:>6,} responses"


def _safe(text: str) -> str:
    return visible(clipped(text))


_PLAIN: Final = str.maketrans({"→": ">", "…": "...", "–": "-"})


def can_show(words: Sequence[str] = (UNICODE.blocks, UNICODE.rule)) -> bool:
    """Whether the output takes the characters of the picture."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "".join(words).encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
