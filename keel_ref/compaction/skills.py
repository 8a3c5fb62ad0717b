"""Which skills a compaction puts back, and how much of each. Spec: CMP-119, CMP-120."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.compaction.attachments import Row, attachment_row
from keel_ref.compaction.cuts import beginning, text_tokens
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.units import Tokens


@frozen(kw_only=True)
class Invocation:
    """One use of a skill."""

    name: str
    """The skill."""
    path: str
    """Where its text lies."""
    text: str
    """The text that it put into the talk."""
    agent: str | None = None
    """The agent that used it; None for the main thread."""


@frozen(kw_only=True)
class RestoredSkills:
    """The skills that are put back."""

    attachments: tuple[Row, ...]
    """One for each, the newest first."""
    decisions: tuple[Decision, ...]
    """What became of each."""
    tokens: Tokens
    """What their texts cost together, notices apart."""


def restore_skills(
    invocations: Iterable[Invocation],
    *,
    agent: str | None = None,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> RestoredSkills:
    """The attachments for the skills that this agent used, the newest use first. Spec: CMP-119, CMP-120."""
    newest: dict[str, Invocation] = {}
    attachments: list[Row] = []
    decisions: list[Decision] = []
    total = 0
    for used in invocations:
        if used.agent != agent:
            decisions.append(_decision(Why.SKILL_OF_OTHER_AGENT, used, None))  # [CMP-119]
            continue
        newest.pop(used.name, None)  # [CMP-119] the last use of a skill counts
        newest[used.name] = used
    for used in reversed(newest.values()):  # [CMP-119] newest first
        kept = beginning(used.text, constants.skill_cap_tokens, choices=choices, constants=constants)
        tokens = text_tokens(kept, choices=choices, constants=constants)
        if total + tokens > constants.skills_cap_tokens:
            decisions.append(_decision(Why.SKILLS_SUM, used, tokens))  # [CMP-120] a smaller one may still fit
            continue
        total += tokens
        is_cut = kept != used.text
        decisions.append(_decision(Why.SKILL_CUT if is_cut else Why.SKILL_RESTORED, used, tokens))
        attachments.append(_skill_row(used, kept, is_cut=is_cut))
    return RestoredSkills(attachments=tuple(attachments), decisions=tuple(decisions), tokens=Tokens(total))


def _skill_row(used: Invocation, kept: str, *, is_cut: bool) -> Row:
    opening = f"[keel-ref: the skill {used.name}, which is in use]"
    notice = f"[keel-ref: this is the beginning of the skill; the rest is in {used.path}]" if is_cut else ""  # P-3
    return attachment_row("skill", opening, kept, notice, path=used.path, names=[used.name])


def _decision(why: Why, used: Invocation, tokens: int | None) -> Decision:
    return Decision(layer=Layer.RESTORE, why=why, id=used.name, path=used.path, tokens=tokens)
