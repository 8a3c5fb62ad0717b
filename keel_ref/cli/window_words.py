"""What was decided about a value, in words for a person. Spec: WIN-033."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from keel_ref.window.limits import Limits
from keel_ref.window.reports import ValueReason, ValueReport
from keel_ref.window.variables import Variable

MAX_SHOWN: Final = 200
"""Characters of somebody's text that are shown."""
WORDS: Final[Mapping[ValueReason, str]] = {
    ValueReason.REPLACED: "taken in the place of what the model or the rule gives",
    ValueReason.EXTENDED: "asks for the large window, and gets it",
    ValueReason.LOWERED: "taken; it lowers what there was",
    ValueReason.NO_EFFECT: "changes nothing, since the smaller value counts",
    ValueReason.OVERRULED: "not asked, since something stronger has decided",
    ValueReason.INTERNAL_ONLY: "ignored; this version hears it from internal users alone (USER_TYPE=ant)",
    ValueReason.NOT_SUPPORTED: "ignored; the model is not known to have the large window",
    ValueReason.NO_NUMBER: "ignored, since it is no number",
    ValueReason.OUT_OF_RANGE: "ignored, since that number is not allowed here",
    ValueReason.READ_IN_PART: "only the number at its head is read; write it out",
    ValueReason.NO_SWITCH: "means neither on nor off, so it is off; write 1 or true",
    ValueReason.BAD_SETTING: "ignored, since it is neither true nor false",
    ValueReason.SWITCHED_OFF: "switches automatic compaction off",
    ValueReason.CLAMPED: "would lie below 0, so it is 0",
    ValueReason.BAD_USAGE: "is no amount of tokens, so it counts as 0",
}
NAMES: Final[Mapping[str, str]] = {
    "window": "the window",
    "max_output": "the maximum output",
    "suffix": "[1m] at the end of the model's name",
    "betas": "the beta header context-1m",
    "effective": "the effective window",
    "warning": "the warning threshold",
    "error": "the error threshold",
    "auto": "the threshold of automatic compaction",
    "blocking": "the blocking limit",
    "autoCompactEnabled": "the setting autoCompactEnabled",
}
"""What is no variable, in words."""


def report_line(report: ValueReport, limits: Limits, env: Mapping[str, str]) -> str:
    """One decision as one line."""
    name, text = NAMES.get(report.name, report.name), variable_text(report.name, env)
    if report.reason is ValueReason.ASSUMED:
        return f"{name}: assumed to be {getattr(limits, report.name):,}, since nobody says it"
    return f"{name if text is None else f'{name}={shown(text)}'}: {WORDS[report.reason]}"


def variable_text(name: str, env: Mapping[str, str]) -> str | None:
    """The text of a variable of the area; None of anything else."""
    return env.get(name) if name in set(Variable) else None


def shown(text: str) -> str:
    """Somebody's text, fit for one line of a terminal."""
    cut = text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in cut)
