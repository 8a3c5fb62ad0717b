"""The answer of `keel-ref window`, for a person and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from keel_ref.cli.window_words import MAX_SHOWN, report_line, shown, variable_text
from keel_ref.units import div_half_up
from keel_ref.window.limits import Limits
from keel_ref.window.models import READ, ROWS, SOURCES
from keel_ref.window.state import WindowState
from keel_ref.window.table import find_row, table_name

SCHEMA: Final = "keel-window/1"
PER_MILLE: Final = 1_000
SUGGESTIONS: Final = 3
RUNGS: Final = (
    ("warning", "warning and error"),
    ("auto", "automatic compaction"),
    ("blocking", "requests refused"),
    ("effective", "effective window"),
    ("window", "window"),
)
"""What is on the ladder, in the order of most sessions, and in words."""


@frozen(kw_only=True)
class Answer:
    """All that was asked and found."""

    model: str
    """As it was given; empty where only a window was."""
    limits: Limits
    state: WindowState | None
    """None where no use was given."""
    env: Mapping[str, str]
    """The variables that were read."""


def write_json(answer: Answer) -> str:
    """One object; equal input gives equal bytes."""
    import json

    limits = answer.limits
    name, row = find_row(answer.model) if answer.model else ("", None)
    document = {
        "schema": SCHEMA,
        "model": answer.model or None,
        "row": name or None,
        "note": (row.note if row else "") or None,
        "close_names": [] if name else list(_close_names(answer.model)),
        **{name: getattr(limits, name) for name in ("window", "compact_window", "max_output", "reserve")},
        **{name: getattr(limits, name) for name in ("effective", "warning", "error", "auto", "blocking", "base")},
        "enabled": limits.is_enabled,
        "manual": limits.is_manual_enabled,
        "state": None if answer.state is None else _state(answer.state),
        "reported": [
            {**one.as_object(), "value": variable_text(one.name, answer.env)}
            for one in (answer.limits if answer.state is None else answer.state).reports
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def write_text(answer: Answer) -> str:
    """The ladder, where the use stands on it, and what decided it."""
    return "".join(f"{line}\n" for line in _lines(answer))


def _state(state: WindowState) -> Mapping[str, Any]:
    step = _next_rung(state)
    bases = {"window": state.limits.window, "effective": state.limits.effective, "auto": state.limits.auto}
    return {
        "used": state.used_tokens,
        "percent_left": state.percent_left,
        "above_warning": state.is_above_warning,
        "above_error": state.is_above_error,
        "above_auto": state.is_above_auto,
        "at_blocking": state.is_at_blocking,
        "used_per_mille": {name: state.used_per_mille(base) for name, base in bases.items()},
        "next": None if step is None else {"rung": step[0], "tokens": step[1] - state.used_tokens},
    }


def _lines(answer: Answer) -> Iterator[str]:
    limits = answer.limits
    name = shown(answer.model) or "a model without a name"
    yield f"{name}: {limits.effective:,} of {limits.window:,} tokens can be filled"
    yield ""
    yield from _ladder(answer)
    yield ""
    if answer.state is not None:
        yield from _standing(answer.state)
        yield ""
    yield from _reasons(answer)


def _ladder(answer: Answer) -> Iterator[str]:
    """Every stage with its amount, and the use between them."""
    limits, state = answer.limits, answer.state
    rows = [(getattr(limits, name), False, _rung(name, words, limits)) for name, words in RUNGS]
    if limits.compact_window < limits.window:
        rows.append((limits.compact_window, False, "compact window"))
    if state is not None:
        rows.append((state.used_tokens, True, "used"))  # behind a stage that it has just reached
    width = max(len("tokens"), *(len(f"{amount:,}") for amount, _, _ in rows))
    names = max(len(words) for _, _, words in rows)
    yield f"  {'':{names}}  {'tokens':>{width}}  of window  of effective"
    for amount, is_use, words in sorted(rows, key=lambda row: row[:2]):
        of_window, of_effective = _per_cent(amount, limits.window), _per_cent(amount, limits.effective)
        to_go = "" if state is None else _distance(state, amount, is_use=is_use)
        yield f"  {words:{names}}  {amount:>{width},}  {of_window:>9}  {of_effective:>12}{to_go}"


def _rung(name: str, words: str, limits: Limits) -> str:
    return f"{words} (off)" if name == "auto" and not limits.is_enabled else words


def _distance(state: WindowState, amount: int, *, is_use: bool) -> str:
    """How far a stage is, or that the use is here."""
    if is_use:
        return "  <- here"
    return f"  {amount - state.used_tokens:,} to go" if amount > state.used_tokens else "  reached"


def _standing(state: WindowState) -> Iterator[str]:
    """The use under each definition of a percentage, and the next stage."""
    limits, used = state.limits, state.used_tokens
    words = dict(RUNGS)
    step = _next_rung(state)
    if state.is_above_auto:
        then = "; no request is sent where it fails" if state.is_at_blocking else ""
        yield f"{used:,} tokens: automatic compaction is due{then}"
    elif state.is_at_blocking:
        yield f"{used:,} tokens: no request is sent until the context is smaller"
    elif step is not None:
        yield f"{used:,} tokens: {step[1] - used:,} to {words[step[0]]}"
    bases = (
        ("of the window", limits.window),
        ("of the effective window", limits.effective),
        ("of the threshold of automatic compaction", limits.auto),
    )
    for what, base in bases:
        yield f"  {_per_cent(used, base):>7}  {what} ({base:,})"
    yield f"  {state.percent_left:>5} %  left as the client shows it, counted to {limits.base:,}"


def _next_rung(state: WindowState) -> tuple[str, int] | None:
    """The next stage at which something happens; None where all are reached."""
    limits = state.limits
    stages = [("warning", limits.warning), ("blocking", limits.blocking)]
    if limits.is_enabled:
        stages.append(("auto", limits.auto))
    ahead = [(name, amount) for name, amount in stages if amount > state.used_tokens]
    return min(ahead, key=lambda stage: stage[1], default=None)


def _reasons(answer: Answer) -> Iterator[str]:
    """What the table says, and what else had a say."""
    limits = answer.limits
    yield "What decided this"
    name, row = find_row(answer.model) if answer.model else ("", None)
    if name and row is not None:
        yield f"  {name} has a window of {row.window:,} and a maximum output of {row.max_output:,}"
        yield f"    by {SOURCES}, read {READ}" + (f"; {row.note}" if row.note else "")
    elif answer.model:
        close = ", ".join(_close_names(answer.model))
        yield f"  {shown(answer.model)}: no such model in the table" + (f"; close names: {close}" if close else "")
        yield "    say what it has with --window and --max-output"
    yield f"  {limits.reserve:,} are kept free for a summary: the smaller of 20,000 and the maximum output"
    for one in (limits if answer.state is None else answer.state).reports:
        yield f"  {report_line(one, limits, answer.env)}"
    if not limits.is_manual_enabled:
        yield "  compaction by hand is off, too"


def _close_names(model: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(table_name(model)[:MAX_SHOWN], ROWS, n=SUGGESTIONS)


def _per_cent(amount: int, base: int) -> str:
    """With one digit behind the point."""
    if not base:
        return "-"
    whole, tenth = divmod(div_half_up(amount * PER_MILLE, base), 10)
    return f"{whole:,}.{tenth} %"
