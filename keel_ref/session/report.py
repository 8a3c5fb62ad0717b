"""All that is found out about a session, as one plain object. Its form is spec/schema/session-report.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from attrs import asdict, frozen

from keel_ref.session.cache import CacheDrop, find_cache_drops
from keel_ref.session.drops import Compaction, Drop, find_compactions, find_drops
from keel_ref.session.entered import Amounts, Entries, merge_amounts
from keel_ref.session.expected import Course, Difference, expect
from keel_ref.session.findings import Finding, find_findings, find_strays
from keel_ref.session.forecast import STAGES, Rate, WhatIf, find_rate, find_what_ifs
from keel_ref.session.naive import naive_object
from keel_ref.session.pauses import Pause, find_pauses
from keel_ref.session.repeats import Repeat, find_repeats
from keel_ref.session.saved import find_saved
from keel_ref.session.thrash import Thrash, find_thrash
from keel_ref.session.thresholds import Conditions, Window, find_window, stage_of
from keel_ref.session.timeline import Step, errors_of, find_steps
from keel_ref.transcript.log import SessionLog
from keel_ref.transcript.timestamps import write_timestamp
from keel_ref.units import div_half_up
from keel_ref.window.limits import Limits
from keel_ref.window.table import find_row

SCHEMA: Final = "keel-session/1"
PER_MILLE: Final = 1_000
_MINUTE_MS: Final = 60_000


@frozen(kw_only=True)
class Session:
    """A recorded session and all that was found out about it."""

    log: SessionLog
    steps: tuple[Step, ...]
    window: Window
    compactions: tuple[Compaction, ...]
    drops: tuple[Drop, ...]
    course: Course
    cache_drops: tuple[CacheDrop, ...]
    repeats: tuple[Repeat, ...]
    pauses: tuple[Pause, ...]
    thrash: tuple[Thrash, ...]
    rate: Rate
    what_ifs: tuple[WhatIf, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What somebody should know first, the gravest first."""
        return (
            *find_strays(self.log),
            *find_findings(self.window, self.course, self.cache_drops, self.repeats, self.thrash),
        )


def examine(log: SessionLog, about: Conditions | None = None) -> Session:
    """Find out everything. Raises `InvalidArgumentError` for a window that cannot be."""
    asked = about or Conditions()
    steps = find_steps(log)
    window = find_window(log.model, steps, asked)
    compactions = find_compactions(steps, log.rows, window)
    drops = (*find_drops(steps, log.rows), *find_saved(steps, log.rows))
    model = asked.model or log.model
    held = window.limits.window if asked.window is not None or window.source == "record" else None

    def other(env: Any, suffix: str) -> Limits:
        return asked.limits(log.model, window=None if suffix else held, env=env, suffix=suffix)

    may_be_large = bool(model) and asked.window is None and find_row(model or "")[1].supports_1m
    return Session(
        log=log,
        steps=steps,
        window=window,
        compactions=compactions,
        drops=tuple(sorted(drops, key=lambda one: (one.before_response, one.line))),
        course=expect(steps, log.rows, window.limits, asked.gates),
        cache_drops=find_cache_drops(steps, log.rows),
        repeats=find_repeats(steps, log.rows),
        pauses=find_pauses(steps, log.rows),
        thrash=find_thrash(compactions),
        rate=find_rate(steps, log.rows),
        what_ifs=find_what_ifs(other, window.limits, may_be_large=may_be_large),
    )


def report_object(session: Session, name: str) -> dict[str, Any]:
    """The report of a session, of which `name` is the file as it was given."""
    entered: Amounts = {}
    responses = list(_responses(session, entered))
    limits = session.window.limits
    return {
        "schema": SCHEMA,
        "file": name,
        "model": session.window.model,
        "window": limits.window,
        "window_source": str(session.window.source),
        "thresholds": {
            "effective": limits.effective,
            "warning": limits.warning,
            "error": limits.error,
            "auto": limits.auto,
            "blocking": limits.blocking,
            "auto_enabled": limits.is_enabled,
        },
        "answer": _answer(session),
        "responses": responses,
        "compactions": [_compaction(one) for one in session.compactions],
        "drops": [_drop(one) for one in session.drops],
        "differences": [_difference(one) for one in session.course.differences],
        "errors": list(_errors(session)),
        "cache": _cache(session),
        "pauses": [asdict(one) for one in session.pauses],
        "repeats": [_repeat(one) for one in session.repeats],
        "thrash": [_thrash(one) for one in session.thrash],
        "findings": [one.as_object() for one in session.findings],
        "entered": entered,
        "totals": _totals(session),
        "naive": naive_object(session.log),
        "problems": [
            {"line": one.line, "reason": str(one.reason), "detail": one.detail} for one in session.log.problems
        ],
        "forecast": _forecast(session),
    }


def _responses(session: Session, total: Amounts) -> Iterator[dict[str, Any]]:
    """Each with its figures, and what entered before it; adds what entered up."""
    rows, limits = session.log.rows, session.window.limits
    entries = Entries(rows)
    base = said = 0
    for step, act in zip(session.steps, session.course.acts, strict=True):
        if step.response is None:
            return
        usage = step.response.usage
        if step.is_start:
            base = said = 0
        entered = entries.of(step, base, said)
        merge_amounts(total, entered)
        context = usage.input_total
        base, said = context, usage.output_tokens
        first = rows[step.response.rows[0]]
        yield {
            "n": step.number,
            "line": first.line,
            "at": None if first.at_ms is None else _time(first.at_ms),
            "model": step.response.model,
            "context": context,
            "input": usage.input_tokens,
            "cache_read": usage.cache_read_input_tokens,
            "cache_write": usage.cache_creation_input_tokens,
            "cache_per_mille": div_half_up(usage.cache_read_input_tokens * PER_MILLE, context) if context else None,
            "output": usage.output_tokens,
            "entered": entered,
            "state": stage_of(limits, usage.total),
            "expected": str(act),
        }


def _time(at_ms: int) -> str:
    """As session files write it; neighbouring responses share their minute."""
    minute, rest = divmod(at_ms, _MINUTE_MS)
    second, parts = divmod(rest, 1_000)
    return f"{_minute(minute)}{second:02}.{parts:03}Z"


@lru_cache(maxsize=16)
def _minute(minute: int) -> str:
    return write_timestamp(minute * _MINUTE_MS)[: -len("00.000Z")]


def _compaction(one: Compaction) -> dict[str, Any]:
    return {
        "line": one.line,
        "at": None if one.at_ms is None else write_timestamp(one.at_ms),
        "after_response": one.after_response,
        "trigger": one.trigger,
        "pre_tokens": one.pre_tokens,
        "predicted_tokens": one.predicted_tokens,
        "post_tokens": one.post_tokens,
        "layer": str(one.cause.layer),
        "layer_why": one.cause.why,
        "dropped": dict(one.dropped),
        "kept": dict(one.kept),
        "restored": [{"path": path, "how": how} for path, how in one.restored],
        "why": one.why,
    }


def _drop(one: Drop) -> dict[str, Any]:
    return {
        "before_response": one.before_response,
        "line": one.line,
        "tokens": one.tokens,
        "layer": str(one.cause.layer),
        "why": one.cause.why,
    }


def _difference(one: Difference) -> dict[str, Any]:
    return {
        "before_response": one.before_response,
        "line": one.line,
        "expected": str(one.expected),
        "recorded": str(one.recorded),
        "tokens": one.tokens,
        "clause": one.clause,
        "why": one.why,
    }


def _errors(session: Session) -> Iterator[dict[str, Any]]:
    """Rows in which the client says that something failed."""
    for step in session.steps:
        for place in errors_of(step, session.log.rows):
            row = session.log.rows[place]
            said = next((block.head for block in row.blocks if block.head), "")
            yield {"line": row.line, "after_response": step.number - 1 or None, "said": said}


def _cache(session: Session) -> dict[str, Any]:
    return {
        "drops": [
            {
                "response": one.response,
                "line": one.line,
                "expected": one.expected_tokens,
                "read": one.read_tokens,
                "lost": one.lost_tokens,
                "cause": str(one.cause),
                "why": one.why,
            }
            for one in session.cache_drops
        ],
        "lost": sum(one.lost_tokens for one in session.cache_drops),
    }


def _repeat(one: Repeat) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "name": one.name,
        "path": one.path,
        "tokens": one.tokens,
        "times": one.times,
        "wasted": one.wasted_tokens,
        "lines": list(one.lines),
    }


def _thrash(one: Thrash) -> dict[str, Any]:
    return {"compactions": one.compactions, "responses": one.responses, "lines": list(one.lines)}


def _totals(session: Session) -> dict[str, Any]:
    log = session.log
    totals = log.totals
    outside = [one for one in log.responses if not one.in_conversation]
    aside = sum(1 for one in outside if log.rows[one.rows[0]].agent is not None)
    return {
        "lines": log.lines,
        "rows": len(log.rows),
        "responses": totals.responses,
        "in_conversation": totals.responses - len(outside),
        "side_chains": aside,
        "outside": len(outside) - aside,
        "prompts": sum(log.rows[place].is_prompt for place in log.conversation),
        "input": totals.input_tokens,
        "cache_read": totals.cache_read_input_tokens,
        "cache_write": totals.cache_creation_input_tokens,
        "output": totals.output_tokens,
    }


def _forecast(session: Session) -> dict[str, Any]:
    rate, limits = session.rate, session.window.limits
    return {
        "used": rate.used_tokens,
        "per_response": rate.per_response,
        "responses_measured": rate.responses,
        "turns_measured": rate.turns,
        "next": str(session.course.next_act),
        "state": stage_of(limits, rate.used_tokens),
        "left": _left(rate, limits),
        "what_if": [
            {
                "setting": one.setting,
                **{stage: getattr(one.limits, stage) for stage in STAGES},
                "auto_enabled": one.limits.is_enabled,
                "left": _left(rate, one.limits),
            }
            for one in session.what_ifs
        ],
    }


def _left(rate: Rate, limits: Limits) -> dict[str, Any]:
    """Until each stage; of a compaction that never comes there is nothing to tell."""
    found: dict[str, Any] = {}
    for stage in STAGES:
        is_never = stage == "auto" and not limits.is_enabled
        threshold = getattr(limits, stage)
        found[stage] = {
            "tokens": None if is_never else max(0, threshold - rate.used_tokens),
            "responses": None if is_never else rate.responses_to(threshold),
            "turns": None if is_never else rate.turns_to(threshold),
        }
    return found


def _answer(session: Session) -> str:
    """The whole in one sentence."""
    return "; ".join(_answer_parts(session))


def _answer_parts(session: Session) -> Sequence[str]:
    limits, rate, count = session.window.limits, session.rate, len(session.compactions)
    if not any(step.response is not None for step in session.steps):
        return ("no response is recorded",)
    times = {0: "never compacted", 1: "compacted once", 2: "compacted twice"}.get(count, f"compacted {count:,} times")
    parts = [times]
    goal, words = (limits.auto, "auto-compact") if limits.is_enabled else (limits.blocking, "the blocking limit")
    if goal:
        parts.append(f"now at {div_half_up(rate.used_tokens * 100, goal):,} % of {words}")
    turns, left = rate.turns_to(goal), rate.responses_to(goal)
    if turns:
        parts.append(f"about {turns:,} {'turn' if turns == 1 else 'turns'} left at the present rate")
    elif left:
        parts.append(f"about {left:,} {'response' if left == 1 else 'responses'} left at the present rate")
    elif left is None:
        parts.append("not growing, so nothing can be foretold")
    else:
        parts.append(
            {"stop": "the next request ends the session", "compact": "the next request compacts"}.get(
                str(session.course.next_act), "that is reached"
            )
        )
    return parts
