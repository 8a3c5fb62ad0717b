"""What fills the window, added up."""

import pytest
from attrs import evolve

from keel_ref.conformance.marks import clause
from keel_ref.context.categories import COLOURS, Category
from keel_ref.context.holdings import Holdings, MemoryShare, MessageParts, Named, Tool
from keel_ref.context.usage import UsageReport, usage_report
from keel_ref.window.limits import Limits, window_limits

USUAL = window_limits(window=200_000, max_output=32_000)
OFF = window_limits(window=200_000, max_output=32_000, env={"DISABLE_AUTO_COMPACT": "1"})


def amounts(report: UsageReport) -> dict[str, int]:
    """Tokens by category, in order."""
    return {share.name: share.tokens for share in report.categories}


@clause("CTX-100", "CTX-103", "CTX-104")
def test_every_category_in_its_place() -> None:
    """Each list goes to its category, and the order is the published one."""
    holdings = Holdings(
        system_prompt=(Named(name="", tokens=1), Named(name="A", tokens=2)),
        tools=(
            Tool(name="a", tokens=10),
            Tool(name="b", tokens=20, is_deferred=True, is_loaded=True),
            Tool(name="c", tokens=40, is_deferred=True),
            Tool(name="d", server="s", tokens=100),
            Tool(name="e", server="s", tokens=200, is_deferred=True, is_loaded=True),
            Tool(name="f", server="s", tokens=400, is_deferred=True),
        ),
        agents=(Named(name="r", tokens=1_000),),
        memory_files=(MemoryShare(path="/a", type="user", tokens=2_000), MemoryShare(path="/b", type="x", tokens=1)),
        skills=(Named(name="s", tokens=4_000),),
        messages=MessageParts(tool_call=1, tool_result=2, attachment=4, assistant=8, user=16),
        recorded=10_000,
    )
    report = usage_report(holdings, USUAL)

    assert [
        ("System prompt", 3),
        ("System tools", 30),
        ("MCP tools", 300),
        ("MCP tools (deferred)", 400),
        ("System tools (deferred)", 40),
        ("Custom agents", 1_000),
        ("Memory files", 2_001),
        ("Skills", 4_000),
        ("Messages", 31),
        ("Unattributed", 2_635),
        ("Free space", 157_000),
        ("Autocompact buffer", 33_000),
    ] == list(amounts(report).items())
    assert 10_000 == report.total
    assert ["MCP tools (deferred)", "System tools (deferred)"] == [
        share.name for share in report.categories if share.is_deferred
    ]


@clause("CTX-100")
def test_what_is_empty_is_left_out() -> None:
    """Messages and free space stand there all the same."""

    assert {"Messages": 0, "Free space": 167_000, "Autocompact buffer": 33_000} == amounts(
        usage_report(Holdings(), USUAL)
    )
    assert set(Category) == set(COLOURS)


@clause("CTX-109", "CTX-110")
@pytest.mark.parametrize(
    ("limits", "buffer", "free"),
    [
        (USUAL, 33_000, 167_000),
        (OFF, None, 200_000),
        (window_limits(window=1_000_000, max_output=32_000), 33_000, 967_000),
        (window_limits(window=200_000, max_output=8_000), 21_000, 179_000),
        (window_limits(window=200_000, env={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}), 110_000, 90_000),
        (window_limits(window=10_000), 10_000, 0),
    ],
)
def test_the_buffer_is_what_lies_above_the_threshold(limits: Limits, buffer: int | None, free: int) -> None:
    """Whatever moved the threshold; and there is none where nothing compacts."""
    report = usage_report(Holdings(), limits)

    assert (buffer, free) == (report.buffer, report.free)
    assert (buffer is None) == ("Autocompact buffer" not in amounts(report))


@clause("CTX-107", "CTX-108", "CTX-110")
@pytest.mark.parametrize(
    ("recorded", "total", "excess", "free", "percentage"),
    [
        (None, 1_000, 0, 166_000, 1),
        (999, 1_000, 1, 166_000, 1),
        (1_000, 1_000, 0, 166_000, 1),
        (2_999, 2_999, 0, 164_001, 1),
        (3_000, 3_000, 0, 164_000, 2),
        (166_999, 166_999, 0, 1, 83),
        (167_001, 167_001, 0, 0, 84),
        (500_000, 500_000, 0, 0, 100),
    ],
)
def test_the_record_beside_the_estimates(
    recorded: int | None, total: int, excess: int, free: int, percentage: int
) -> None:
    """What is above the estimates is unattributed, what they are above it is told, and free space is never negative."""
    holdings = evolve(Holdings(messages=MessageParts(user=1_000)), recorded=recorded)
    report = usage_report(holdings, USUAL)

    assert (total, excess, free, percentage) == (report.total, report.excess, report.free, report.percentage)
    assert 200_000 == report.maximum


@clause("CTX-111", "CTX-123")
def test_the_grid_ends_with_the_buffer() -> None:
    """Free space before it; the report keeps what it was made of."""
    holdings = Holdings(messages=MessageParts(user=66_000))
    report = usage_report(holdings, USUAL)

    assert (33, 51, 16) == report.grid.squares
    assert 2 == report.grid.rows[-1][-1]
    assert (holdings, USUAL) == (report.holdings, report.limits)
    assert 330 == report.per_mille(66_000)
