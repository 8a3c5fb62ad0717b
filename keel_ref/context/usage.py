"""What fills the window, by category. Spec: CTX-100 to CTX-111."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.context.categories import ALWAYS, DEFERRED, Category, Share, share_of
from keel_ref.context.grid import Grid, grid_of
from keel_ref.context.holdings import Holdings, MemoryShare, Named, Tool
from keel_ref.units import div_half_up
from keel_ref.window.limits import Limits

FULL_PERCENT = 100
FULL_PER_MILLE = 1_000


@frozen(kw_only=True)
class UsageReport:
    """What a window holds, and what is left of it; all amounts in tokens. Spec: CTX-111."""

    holdings: Holdings
    """What was added up."""
    limits: Limits
    """The window, and what was decided about it."""
    categories: tuple[Share, ...]
    """In the order of CTX-100."""
    total: int = field(validator=ge(0))
    """The sum of the categories that count. Spec: CTX-108."""
    free: int = field(validator=ge(0))
    """Spec: CTX-110."""
    buffer: int | None
    """None where automatic compaction is off. Spec: CTX-109."""
    excess: int = field(validator=ge(0))
    """By how much the estimates are above what is recorded. Spec: CTX-107."""
    grid: Grid
    """Its places are those of the categories. Spec: CTX-123."""

    @property
    def maximum(self) -> int:
        """What the total is compared with. Spec: CTX-108."""
        return self.limits.window  # [CTX-108] the whole of it

    @property
    def percentage(self) -> int:
        """0 to 100. Spec: CTX-108."""
        return min(FULL_PERCENT, div_half_up(FULL_PERCENT * self.total, self.maximum))  # [CTX-108]

    def per_mille(self, tokens: int) -> int:
        """An amount in thousandths of the window, half up, without a bound."""
        return div_half_up(FULL_PER_MILLE * tokens, self.maximum)


def usage_report(holdings: Holdings, limits: Limits) -> UsageReport:
    """Add up what is in the window, and say what is left of it. Spec: CTX-100 to CTX-111, CTX-123."""
    amounts = _amounts(holdings)
    seen = sum(tokens for category, tokens in amounts.items() if category not in DEFERRED)
    recorded = seen if holdings.recorded is None else holdings.recorded
    amounts[Category.UNATTRIBUTED] = max(0, recorded - seen)  # [CTX-107] no estimate is made smaller
    total = seen + amounts[Category.UNATTRIBUTED]  # [CTX-108]
    buffer = limits.window - limits.auto if limits.is_enabled else None  # [CTX-109]
    amounts[Category.FREE] = max(0, limits.window - total - (buffer or 0))  # [CTX-110]
    amounts[Category.BUFFER] = buffer or 0
    shares = tuple(
        share_of(category, amounts[category]) for category in Category if category in ALWAYS or amounts[category]
    )
    return UsageReport(
        holdings=holdings,
        limits=limits,
        categories=shares,
        total=total,
        free=amounts[Category.FREE],
        buffer=buffer,
        excess=max(0, seen - recorded),  # [CTX-107]
        grid=grid_of(shares, limits.window),  # [CTX-123] free space before the buffer
    )


def _amounts(holdings: Holdings) -> dict[Category, int]:
    """What each category of the source costs. Spec: CTX-102 to CTX-105."""
    return {
        Category.SYSTEM_PROMPT: _sum(holdings.system_prompt),
        **_tools(holdings.tools),
        Category.AGENTS: _sum(holdings.agents),
        Category.MEMORY_FILES: _sum(holdings.memory_files),
        Category.SKILLS: _sum(holdings.skills),
        Category.MESSAGES: holdings.messages.tokens,
    }


def _tools(tools: Iterable[Tool]) -> dict[Category, int]:
    """The four categories of tools. Spec: CTX-103."""
    amounts = dict.fromkeys(_kinds(), 0)
    for tool in tools:
        amounts[_kind(tool)] += tool.tokens
    return amounts


def _kinds() -> Iterator[Category]:
    yield from (Category.SYSTEM_TOOLS, Category.MCP_TOOLS, Category.MCP_TOOLS_DEFERRED, Category.SYSTEM_TOOLS_DEFERRED)


def _kind(tool: Tool) -> Category:
    """Where a tool belongs. Spec: CTX-103."""
    if tool.server is None:
        return Category.SYSTEM_TOOLS if tool.counts else Category.SYSTEM_TOOLS_DEFERRED
    return Category.MCP_TOOLS if tool.counts else Category.MCP_TOOLS_DEFERRED


def _sum(rows: Iterable[Named | MemoryShare]) -> int:
    return sum(row.tokens for row in rows)  # [CTX-104] none is joined with another
