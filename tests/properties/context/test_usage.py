"""Whatever is in a window, the figures of its report add up."""

from collections import Counter
from fractions import Fraction

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.context.categories import Category, Share
from keel_ref.context.grid import grid_of
from keel_ref.context.holdings import Holdings
from keel_ref.context.message_parts import break_down
from keel_ref.context.sections import sections_of
from keel_ref.context.usage import usage_report
from keel_ref.messages.view import view_start
from keel_ref.strategies import usages
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.text import any_text
from keel_ref.strategies.windows import amounts as windows
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.window.limits import window_limits

ENVS = st.sampled_from([{}, {"DISABLE_AUTO_COMPACT": "1"}, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "37"}])


@clause("CTX-108", "CTX-109", "CTX-110")
@given(usages.holdings(), windows(), ENVS)
def test_use_free_space_and_buffer_are_the_window(holdings: Holdings, window: int, env: dict[str, str]) -> None:
    """Unless nothing is free; then the use and the buffer are more than the window, or exactly it."""
    report = usage_report(holdings, window_limits(window=window, env=env))
    together = report.total + report.free + (report.buffer or 0)

    assert together == window or (report.free == 0 and together > window)
    assert 0 <= report.percentage <= 100
    assert (report.buffer is None) == (not report.limits.is_enabled)


@clause("CTX-100", "CTX-103", "CTX-107")
@given(usages.holdings(), windows())
def test_the_categories_are_the_total(holdings: Holdings, window: int) -> None:
    """What counts adds up to the total, which is the record or, where they are more, the estimates."""
    report = usage_report(holdings, window_limits(window=window))
    amounts = {share.name: share.tokens for share in report.categories}
    left = {Category.FREE, Category.BUFFER}
    counted = sum(share.tokens for share in report.categories if not share.is_deferred and share.name not in left)

    assert report.total == counted
    assert holdings.recorded in {None, report.total - report.excess}
    assert sum(tool.tokens for tool in holdings.tools) == sum(
        tokens for name, tokens in amounts.items() if "tools" in name
    )
    assert [share.name for share in report.categories] == [name for name in Category if name in amounts]


@clause("CTX-104")
@given(usages.holdings(), windows())
def test_the_order_of_entries_changes_no_total(holdings: Holdings, window: int) -> None:
    """Rows of one list may change places."""
    limits = window_limits(window=window)
    turned = evolve(
        holdings,
        tools=holdings.tools[::-1],
        memory_files=holdings.memory_files[::-1],
        skills=holdings.skills[::-1],
        agents=holdings.agents[::-1],
    )

    assert usage_report(holdings, limits).categories == usage_report(turned, limits).categories


@clause("CTX-120", "CTX-121", "CTX-122", "CTX-123")
@given(st.lists(usages.shares(), max_size=14), windows())
def test_a_grid_is_full(shares: list[Share], window: int) -> None:
    """100 or 200 squares, each with an owner that counts; whoever is above 0 has one, in the order of the list."""
    grid = grid_of(shares, window)
    laid = [place for row in grid.rows for place in row]
    counting = {place for place, share in enumerate(shares) if share.tokens and not share.is_deferred}

    assert len(laid) == (10 * grid.columns if counting else 0)
    assert laid == sorted(laid)
    assert counting == set(laid)
    assert [Counter(laid)[place] for place in range(len(shares))] == list(grid.squares)


@clause("CTX-121", "CTX-122")
@given(st.lists(usages.shares(), min_size=1, max_size=14), windows())
def test_a_square_is_worth_about_its_share(shares: list[Share], window: int) -> None:
    """Nobody has more than two squares above the exact share, and only the largest can have less than one below it."""
    grid = grid_of(shares, window)
    tokens = [0 if share.is_deferred else share.tokens for share in shares]
    total = sum(tokens)
    exact = [Fraction(10 * grid.columns * each, total) if total else Fraction(0) for each in tokens]

    assert all(count < share + 2 for count, share in zip(grid.squares, exact, strict=True))
    assert all(
        count > share - 1 or count + 1 >= max(grid.squares) for count, share in zip(grid.squares, exact, strict=True)
    )


@clause("CTX-105", "CTX-106")
@given(json_rows())
def test_the_parts_are_the_messages(rows: list[object]) -> None:
    """Whatever the rows hold, the five parts add up to the estimate of the view, and the same is reported."""
    found, reported = break_down(rows)
    start = view_start(rows)
    whole = estimate_messages(rows[start:], method="documented")

    assert whole.tokens == found.parts().tokens
    assert [(one.reason, (one.row or 0) + start, one.block) for one in whole.reported] == [
        (one.reason, one.row, one.block) for one in reported
    ]
    assert found.parts().tool_call + found.parts().tool_result == sum(share.tokens for share in found.tools())
    assert found.parts().attachment == sum(share.tokens for share in found.attachments())


@clause("CTX-102")
@given(st.lists(usages.prompts() | any_text(), max_size=3))
def test_sections_lose_nothing(texts: list[str]) -> None:
    """Together the sections are the text, and none is empty."""
    pieces: list[str] = []

    def keep(text: str) -> int:
        pieces.append(text)
        return len(text)

    sections = sections_of(texts, keep)

    assert "".join(texts) == "".join(pieces)
    assert all(one.tokens for one in sections)
