"""The answers of `keel-ref compact`: for people, and as one object for programs (schema keel-compact/1)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import asdict, frozen

from keel_ref.adapters.session_file import SessionFile
from keel_ref.cli.compact_plan import Plan, Saving
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.compaction.trace import Decision, Layer, Why

SCHEMA: Final = "keel-compact/1"
MANY: Final = 10
"""Lines of one kind that are named before the rest is only counted."""
FILES: Final = {
    Why.FILE_RESTORED: "put back",
    Why.FILE_CUT: "put back in part",
    Why.FILE_NAMED: "named only: too large",
    Why.FILE_GONE: "gone",
    Why.FILE_UNREADABLE: "cannot be read",
    Why.FILE_NOT_REGULAR: "is no regular file",
    Why.FILE_TOO_LARGE: "too large to be read",
    Why.FILE_BINARY: "is no text",
    Why.FILES_CAP: "left out: five have a place",
    Why.FILES_SUM: "left out: the sum is full",
    Why.STILL_SHOWN: "still shown by what is kept",
}
"""What became of a file, in the words of a person."""
STEPS: Final = {
    "results": "large results that a pass of the session would move to files",
    "media": "rows of which whoever writes the summary gets no pictures",
    "compact": "rows that the summary replaces",
}
REFUSALS: Final = {
    Why.NOTHING_TO_SUMMARISE: "there is nothing to summarise since the last boundary",
    Why.COMPACT_DISABLED: "DISABLE_COMPACT switches compaction off; unset it",
    Why.FAILED: "no call gave a valid summary; the session stays as it is, try again or with another --model",
    Why.HOOK_BLOCKED: "a hook forbids it",
    Why.INFLATED: "the summary is larger than what it would replace",
    Why.ABORTED: "it was broken off",
}


@frozen(kw_only=True)
class Done:
    """What was done."""

    session: SessionFile
    why: Why
    calls: int
    trace: Sequence[Decision]
    tokens_before: int
    tokens_after: int
    out: str | None
    """The new file; None: there is none."""
    problems: Sequence[str]
    cost_before: int
    """What was replaced, by the documented rule."""


def session_lines(session: SessionFile) -> str:
    """What cannot be taken as it stands, for stderr."""
    view, name = session.view, shown(session.path)
    lines = []
    if view.broken:
        numbers = ", ".join(f"{line:,}" for line in view.broken[:MANY])
        more = f" and {len(view.broken) - MANY:,} more" if len(view.broken) > MANY else ""
        lines.append(f"line {numbers}{more}: no JSON object; left out of the summary, kept in the file")
    if view.attachments:
        lines.append(f"attachments, {view.attachments:,}: the file does not say how they are shown; left out")
    return problem_lines(lines, name)


def problem_lines(problems: Iterable[str], name: str = "") -> str:
    """A line each, for stderr."""
    before = f"{name}: " if name else ""
    return "".join(f"keel-ref: {before}{clipped(visible(problem))}\n" for problem in problems)


def shown(name: str) -> str:
    """The name of a file, fit for a terminal."""
    return clipped(visible(name))


def plan_text(plan: Plan) -> str:
    """What would happen, for a person."""
    limits = plan.state.settings.limits
    lines = [
        f"{shown(plan.session.path)}: {plan.used:,} tokens in {plan.rows:,} rows since "
        + ("the beginning" if plan.session.first_line == 1 else f"the boundary in line {plan.session.first_line:,}"),
        f"window {limits.window:,}; a compaction is due at {limits.auto:,}, requests end at {limits.blocking:,}",
        "",
    ]
    if plan.refused is not None:
        return "\n".join([*lines, f"Nothing would be compacted: {REFUSALS.get(plan.refused, str(plan.refused))}", ""])
    lines += ["What each step saves, in tokens of the documented estimate", *map(_saving_line, plan.savings), ""]
    if plan.kept_rows:
        lines += [f"Kept as they are: the last {plan.kept_rows:,} rows, {plan.kept_tokens:,} tokens", ""]
    lines += ["Files that were read, as they are now", *(_file_lines(plan.restored) or ["  none"]), ""]
    lines.append(
        f"The call would send about {plan.asked_tokens:,} tokens and leave {limits.reserve:,} for the summary."
        f" Afterwards: {plan.after_tokens:,} tokens and the summary."
    )
    if plan.asked_tokens > limits.effective:
        lines.append("That is more than the window takes: the oldest rounds will be left out until it fits.")
    return "\n".join([*lines, "Nothing was written and nobody was called.", ""])


def _saving_line(saving: Saving) -> str:
    return f"  {saving.step:<8} {saving.tokens:>11,}  {saving.things:>7,} {STEPS[saving.step]}"


def _file_lines(decisions: Sequence[Decision]) -> list[str]:
    named = [one for one in decisions if one.path is not None]
    lines = []
    for one in named[:MANY]:
        tokens = "" if one.tokens is None else f"{one.tokens:,}"
        lines.append(f"  {tokens:>11}  {shown(one.path or '')}  {FILES.get(one.why, one.why)}")
    return lines + ([f"  … and {len(named) - MANY:,} more"] if len(named) > MANY else [])


def plan_json(plan: Plan) -> str:
    """One object; equal input gives equal bytes."""
    limits = plan.state.settings.limits
    return _object(
        {
            "schema": SCHEMA,
            "dry_run": True,
            "session": plan.session.path,
            "used": plan.used,
            "window": limits.window,
            "auto": limits.auto,
            "blocking": limits.blocking,
            "rows": plan.rows,
            "tokens": plan.tokens,
            "kept_rows": plan.kept_rows,
            "kept_tokens": plan.kept_tokens,
            "asked_tokens": plan.asked_tokens,
            "after_tokens": plan.after_tokens,
            "savings": [asdict(one) for one in plan.savings],
            "restored": [one.as_object() for one in plan.restored],
            "refused": None if plan.refused is None else str(plan.refused),
            "broken_lines": list(plan.session.view.broken),
        }
    )


def done_text(done: Done) -> str:
    """What was done, for a person."""
    if done.out is None:
        return f"Not compacted: {REFUSALS.get(done.why, str(done.why))}\n"
    files = _file_lines([one for one in done.trace if one.layer is Layer.RESTORE])
    calls = f"{done.calls} call{'' if done.calls == 1 else 's'}"
    lines = [
        f"{done.tokens_before:,} tokens became about {done.tokens_after:,}, by {calls} for a summary",
        *(["Files that were read, as they are now", *files] if files else []),
        f"Written to {shown(done.out)}",
    ]
    return "\n".join([*lines, ""])


def done_json(done: Done) -> str:
    """One object."""
    return _object(
        {
            "schema": SCHEMA,
            "dry_run": False,
            "session": done.session.path,
            "why": str(done.why),
            "calls": done.calls,
            "used": done.tokens_before,
            "tokens": done.cost_before,
            "after_tokens": done.tokens_after,
            "decisions": [one.as_object() for one in done.trace],
            "problems": list(done.problems),
            "out": done.out,
            "broken_lines": list(done.session.view.broken),
        }
    )


def _object(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1) + "\n"  # ASCII, so that no stream and no terminal is at odds with it
