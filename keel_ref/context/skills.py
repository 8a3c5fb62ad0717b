"""The listing of skills, and how it is made to fit. Spec: CTX-060 to CTX-067."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import evolve, field, frozen

from keel_ref.choices import Choices, Unit
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.index import cut_exactly
from keel_ref.text import is_blank, size_utf16
from keel_ref.units import div_floor
from keel_ref.window.numbers import read_whole
from keel_ref.window.reports import ValueReason, ValueReport

BUDGET_VARIABLE: Final = "SLASH_COMMAND_TOOL_CHAR_BUDGET"
ELLIPSIS: Final = "…"
PARTING: Final = ": "
"""What stands between a name and its description."""
MAIN_AGENT: Final = ""
"""The main thread, among the agents."""
FULL_PERCENT: Final = 100


class Cascade(StrEnum):
    """How far the listing was made shorter. Spec: CTX-063 to CTX-065."""

    FULL = "full"
    SHARED = "shared"
    NAMES = "names"


@frozen(kw_only=True)
class Skill:
    """One skill that could be listed."""

    name: str
    description: str = ""
    is_bundled: bool = False
    """Whether it came with the client."""


@frozen(kw_only=True)
class Listing:
    """What is sent of the skills. Spec: CTX-063 to CTX-067."""

    budget_units: int
    """Spec: CTX-060, CTX-061."""
    cascade: Cascade
    share_units: int | None
    """What each description gets; None where nothing had to be shared. Spec: CTX-064."""
    lines: tuple[str, ...]
    """One for each skill, in the order given."""
    names: tuple[str, ...]
    """Whose lines they are."""
    reports: tuple[ValueReport, ...] = ()
    """What was decided about the variable. Spec: CTX-061."""

    @property
    def text(self) -> str:
        """The lines as they are sent. Spec: CTX-063."""
        return "\n".join(self.lines)


@frozen(kw_only=True)
class SentNames:
    """Which skills were told to whom. Spec: CTX-067."""

    by_agent: Mapping[str, frozenset[str]] = field(factory=dict)

    def unsent(self, agent: str, skills: Iterable[Skill]) -> tuple[Skill, ...]:
        """The skills that an agent has not heard of. Spec: CTX-067."""
        sent = self.by_agent.get(agent, frozenset())  # [CTX-067] each agent has its own
        return tuple(skill for skill in skills if skill.name not in sent)

    def with_sent(self, agent: str, names: Iterable[str]) -> SentNames:
        """The same, once they have been told. Spec: CTX-067."""
        sent = self.by_agent.get(agent, frozenset()) | frozenset(names)
        return evolve(self, by_agent={**self.by_agent, agent: sent})


def listing_budget(
    window: int | None, env: Mapping[str, str], choices: Choices, constants: Constants = DEFAULT
) -> tuple[int, tuple[ValueReport, ...]]:
    """Units that the listing may take, and what was decided about the variable. Spec: CTX-060, CTX-061."""
    share = constants.listing_default_units  # [CTX-060] nobody knows the window
    if window is not None:
        dividend = window * constants.listing_share_percent * constants.listing_ratio_units
        share = div_floor(dividend, FULL_PERCENT)  # [CTX-060]
    text = env.get(BUDGET_VARIABLE)
    if not text:
        return share, ()
    number, reasons = read_whole(text, choices.number, constants)
    said = (ValueReason.REPLACED, *reasons) if number is not None else reasons
    return number or share, tuple(ValueReport(reason, BUDGET_VARIABLE) for reason in said)  # [CTX-061] 0 is ignored


def list_skills(
    skills: Sequence[Skill],
    window: int | None,
    *,
    env: Mapping[str, str],
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> Listing:
    """The listing of the skills, all of them by name. Spec: CTX-062 to CTX-066."""
    budget, reports = listing_budget(window, env, choices or Choices(), constants)
    capped = [
        evolve(skill, description=shortened(_said(skill), constants.description_cap_units))  # [CTX-062]
        for skill in skills
    ]
    share = None if _size(map(_line, capped)) <= budget else _share(capped, budget)  # [CTX-063]
    cascade = Cascade.FULL
    if share is not None:
        cascade = Cascade.NAMES if share < constants.description_least_units else Cascade.SHARED  # [CTX-065]
    return Listing(
        budget_units=budget,
        cascade=cascade,
        share_units=share,
        lines=tuple(_line(_within(skill, cascade, share)) for skill in capped),  # [CTX-066] every name
        names=tuple(skill.name for skill in capped),
        reports=reports,
    )


def shortened(text: str, cap_units: int) -> str:
    """The text, or its beginning with an ellipsis that counts as part of the cap. Spec: CTX-062, CTX-064."""
    if size_utf16(text) <= cap_units:
        return text
    return cut_exactly(text, Unit.UTF16, cap_units - size_utf16(ELLIPSIS)) + ELLIPSIS  # [CTX-062] [CTX-064]


def _share(skills: Sequence[Skill], budget: int) -> int | None:
    """What is left for each description that can be cut; None where there is none. Spec: CTX-064."""
    sharing = sum(map(_can_be_cut, skills))
    if not sharing:
        return None
    bare = (_line(evolve(skill, description="")) if _can_be_cut(skill) else _line(skill) for skill in skills)
    taken = _size(bare) + sharing * size_utf16(PARTING)
    return max(0, div_floor(budget - taken, sharing))  # [CTX-064]


def _can_be_cut(skill: Skill) -> bool:
    return not skill.is_bundled and bool(skill.description)  # [CTX-064] [CTX-066]


def _within(skill: Skill, cascade: Cascade, share: int | None) -> Skill:
    """The skill as its line shows it. Spec: CTX-064, CTX-065."""
    if share is None or skill.is_bundled:
        return skill  # [CTX-064] full lines
    return evolve(skill, description="" if cascade is Cascade.NAMES else shortened(skill.description, share))


def _said(skill: Skill) -> str:
    return "" if is_blank(skill.description) else skill.description  # [CTX-066] blanks describe nothing


def _line(skill: Skill) -> str:
    return f"- {skill.name}{PARTING}{skill.description}" if skill.description else f"- {skill.name}"  # [CTX-066]


def _size(lines: Iterable[str]) -> int:
    """Units of the lines with what parts them. Spec: CTX-063."""
    return size_utf16("\n".join(lines))
