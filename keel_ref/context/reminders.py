"""When a mode is called to mind again, and how. Spec: CTX-040 to CTX-045."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Unit
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.index import cut_exactly
from keel_ref.messages.rows import Role, as_list, as_object, content_of, has_mark, type_of
from keel_ref.messages.view import view_start


class Mode(StrEnum):
    """A way of working that the model has to be reminded of. Spec: CTX-040, CTX-044."""

    PLAN = "plan"
    AUTO = "auto"


class Form(StrEnum):
    """How much a reminder says. Spec: CTX-041."""

    FULL = "full"
    SHORT = "short"


NOT_A_PROMPT: Final = ("is_meta", "summary")
"""Marks of rows that nobody typed. Spec: CTX-042."""


@frozen(kw_only=True)
class Cadence:
    """Where a mode stands between two reminders. Spec: CTX-040, CTX-041."""

    reminders: int
    """Reminders of this stay in the view, from the last full one on."""
    turns: int | None
    """Turns since the last of them; None where there is none."""
    due: Form | None
    """The reminder that is due now; None: none is."""


def cadence_of(messages: Sequence[Any], mode: Mode, constants: Constants = DEFAULT) -> Cadence:
    """What the view says of the reminders of a mode that the session is in. Spec: CTX-040 to CTX-044."""
    reminders, turns = 0, 0
    for row in reversed(messages[view_start(messages) :]):  # [CTX-043] the view alone
        kind = _attachment(row)
        if kind == f"{mode}_mode_exit":
            break  # [CTX-043] another stay
        if kind == f"{mode}_mode":
            reminders += 1  # [CTX-044] each mode has its own
            if row.get("form") != Form.SHORT:
                break  # [CTX-041] counted from the last full one
        elif not reminders and is_prompt(row):
            turns += 1  # [CTX-042]
    is_due = not reminders or turns >= constants.reminder_gap_turns  # [CTX-040]
    is_full = reminders % constants.reminder_full_every == 0  # [CTX-041] none yet, or as many as belong to a full one
    form = Form.FULL if is_full else Form.SHORT
    return Cadence(reminders=reminders, turns=turns if reminders else None, due=form if is_due else None)


def is_prompt(row: object) -> bool:
    """Whether a person said this. Spec: CTX-042."""
    found = as_object(row)
    if found is None or found.get("role") != Role.USER or any(has_mark(row, mark) for mark in NOT_A_PROMPT):
        return False
    content = content_of(found)
    blocks = as_list(content)
    if blocks is None:
        return isinstance(content, str)
    return any(not _is_result(block) for block in blocks)  # [CTX-042] results alone are no turn


@frozen(kw_only=True)
class Injected:
    """A memory as a reminder carries it. Spec: CTX-045."""

    text: str
    """What is left of it, without the note."""
    is_cut: bool
    note: str | None
    """Says where the rest is; None where nothing was cut."""


def injected_memory(path: str, text: str, constants: Constants = DEFAULT) -> Injected:
    """A memory within the limits of a reminder. Spec: CTX-045."""
    lines = text.removesuffix("\n").split("\n")  # [CTX-045] a final line end begins no further line
    cap = constants.nested_cap_lines
    kept = text if len(lines) <= cap else "\n".join(lines[:cap])  # [CTX-045] lines first
    kept = cut_exactly(kept, Unit.UTF8, constants.nested_cap_bytes)  # [CTX-045] then bytes
    note = None if kept == text else f"Note: only the beginning of {path} stands above; use Read for the whole file."
    return Injected(text=kept, is_cut=note is not None, note=note)


def _attachment(row: object) -> str | None:
    found: Mapping[str, Any] | None = as_object(row)
    kind = found.get("attachment") if found is not None and found.get("role") == Role.ATTACHMENT else None
    return kind if isinstance(kind, str) else None


def _is_result(block: object) -> bool:
    kind = type_of(block)
    return kind is not None and (kind == "tool_result" or kind.endswith("_tool_result"))
