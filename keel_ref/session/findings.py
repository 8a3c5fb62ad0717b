"""What somebody should know first. The rules are those of the guide, each by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from attrs import frozen

from keel_ref.session.cache import CacheCause, CacheDrop
from keel_ref.session.expected import Act, Course
from keel_ref.session.repeats import Repeat
from keel_ref.session.thrash import Thrash
from keel_ref.session.thresholds import Source, Window
from keel_ref.transcript.log import SessionLog


@frozen(kw_only=True)
class Finding:
    """One statement, with the rule that found it and the line that shows it."""

    rule: str
    line: int | None
    text: str

    def as_object(self) -> dict[str, Any]:
        """As the report has it."""
        return {"rule": self.rule, "line": self.line, "text": self.text}


def find_strays(log: SessionLog) -> tuple[Finding, ...]:
    """A conversation that holds the smaller part of what is in the file."""
    inside = [one for one in log.responses if one.in_conversation]
    outside = [one for one in log.responses if not one.in_conversation and log.rows[one.rows[0]].agent is None]
    if len(outside) <= len(inside):
        return ()
    text = (
        f"{len(outside):,} of {len(inside) + len(outside):,} responses stand outside the conversation, since no parent "
        "leads from the last row to them; --doctor says where that ends."
    )
    return (Finding(rule="S1", line=log.rows[outside[0].rows[0]].line, text=text),)


def find_findings(
    window: Window,
    course: Course,
    cache_drops: Sequence[CacheDrop],
    repeats: Sequence[Repeat],
    thrash: Sequence[Thrash],
) -> tuple[Finding, ...]:
    """All of them, in the order of the rules."""
    return (
        *_of_window(window),
        *_of_course(course),
        *_of_cache(cache_drops),
        *_of_repeats(repeats),
        *_of_thrash(thrash),
    )


def _of_window(window: Window) -> Iterator[Finding]:
    if window.others:
        text = (
            f"{len(window.others) + 1:,} models with different thresholds answered; what is said of stages holds for "
            f"{window.model} alone, and not for {', '.join(window.others)}."
        )
        yield Finding(rule="S4", line=None, text=text)
    if not window.contradiction:
        return
    what = f"{window.model or 'the model'}: {window.contradiction}"
    match window.source:
        case Source.RECORD:
            size = window.limits.window
            advice = (
                f"A window of {size:,} fits, and is taken here; say which it was with --window, as in --window {size}"
            )
        case Source.OPTION:
            advice = "Say another --window, or the settings of the session with --env"
        case Source.MODEL:
            advice = "Say the window with --window, or the settings of the session with --env"
        case _:
            assert_never(window.source)
    yield Finding(rule="S4", line=None, text=f"{what}. {advice}.")


def _of_course(course: Course) -> Iterator[Finding]:
    differences = course.differences
    if not differences:
        return
    silent = [one for one in differences if one.expected is Act.COMPACT]
    first = differences[0]
    count = len(differences)
    if len(silent) == count:
        what = f"{count:,} compactions were due and none is recorded"
        text = what if count > 1 else "A compaction was due and none is recorded"
    else:
        text = f"At {count:,} places the record is not what the rules say"
        text = text if count > 1 else "Once the record is not what the rules say"
    yield Finding(rule="S7", line=first.line, text=f"{text}; the first: {first.why}.")


def _of_cache(drops: Sequence[CacheDrop]) -> Iterator[Finding]:
    unknown = [one for one in drops if one.cause is CacheCause.UNKNOWN]
    if unknown:
        lost = sum(one.lost_tokens for one in unknown)
        times = "once" if len(unknown) == 1 else f"{len(unknown):,} times"
        text = f"The cache was lost {times} for no cause that the record shows, {lost:,} tokens in all."
        yield Finding(rule="S8", line=unknown[0].line, text=text)


def _of_repeats(repeats: Sequence[Repeat]) -> Iterator[Finding]:
    if repeats:
        worst = repeats[0]
        wasted = sum(one.wasted_tokens for one in repeats)
        text = (
            f"{len(repeats):,} texts entered again while they were still there, about {wasted:,} tokens; most of all "
            f"{worst.name}, {worst.times:,} times."
        )
        yield Finding(rule="S9", line=worst.lines[0], text=text)


def _of_thrash(thrash: Sequence[Thrash]) -> Iterator[Finding]:
    for one in thrash:
        text = (
            f"{one.compactions:,} compactions within {one.responses:,} responses: each filled up again at once, so "
            "what is put back or said next is too large for this window."
        )
        yield Finding(rule="S10", line=one.lines[0], text=text)
