"""Sessions in which tools give results of every size and kind, also twice, late or without a call. Spec: CMP-020."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from keel_ref.constants import Constants
from keel_ref.strategies.conversations import BOUNDARY, result_of
from keel_ref.strategies.messages import Row
from keel_ref.strategies.text import any_character

MOST_STEPS = 8
TOOLS = ("Bash", "Read", "Grep", "f", "Agent", "mcp__x__y")
IDS = ("a", "b", "c", "d/../e", "é%", "\ud800")
RESPONSES = ("m1", "m2", "m3", "", None)
CLEARED = "[Old tool result content cleared]"
_ASIDES: tuple[Any, ...] = (
    {"role": "user", "text": "go on"},
    {"role": "progress", "text": "working"},
    {"role": "attachment", "attachment": "skill_listing", "text": "skills"},
    {"role": "attachment", "attachment": "file", "content": [{"type": "image"}]},
    {"role": "assistant", "id": "m9", "content": [{"type": "thinking", "thinking": "t", "signature": "s"}]},
    BOUNDARY,
    None,
    7,
)


def sizes(constants: Constants) -> st.SearchStrategy[int]:
    """A size at an edge of a limit, or any other up to a little above the largest one."""
    edges = (
        constants.preview_cap_units,
        constants.shell_cap_units,
        constants.result_cap_units,
        constants.message_cap_units // 2,
    )
    near = st.sampled_from(edges).flatmap(lambda edge: st.integers(max(0, edge - 1), edge + 1))
    return near | st.integers(0, constants.result_cap_units * 2)


@st.composite
def texts_of_size(draw: st.DrawFn, constants: Constants) -> str:
    """A text of about such a size, with line ends at some places."""
    size = draw(sizes(constants))
    unit = draw(st.sampled_from(("x", "\n", "ab\n", "字", "\U0001f600", "x" * 40 + "\n")) | any_character())
    head = draw(st.text("ab\n🚀", max_size=6))
    return (head + unit * (size // len(unit) + 1))[:size]


@st.composite
def result_contents(draw: st.DrawFn, constants: Constants) -> Any:
    """What a result may hold."""
    text = draw(texts_of_size(constants))
    odd: tuple[Any, ...] = (None, "", [], CLEARED, [{"type": "image"}], 7, {"type": "text", "text": "loose"}, [None])
    kind = draw(st.sampled_from(("text", "text", "text", "list", "mixed", "nested", "odd")))
    match kind:
        case "text":
            return text
        case "list":
            return [{"type": "text", "text": text}, {"type": "text", "text": "and more"}]
        case "mixed":
            return [{"type": "text", "text": text}, {"type": "document"}]
        case "nested":
            return [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "image"}]}]
        case _:
            return draw(st.sampled_from(odd))


@st.composite
def result_sessions(draw: st.DrawFn, constants: Constants) -> list[Any]:
    """A session of calls and results: some answered late, twice or never, some without a call."""
    found: list[Any] = []
    for _ in range(draw(st.integers(0, MOST_STEPS))):
        kind = draw(st.sampled_from(("calls", "calls", "result", "result", "result", "aside")))
        if kind == "calls":
            found.append(_calls(draw))
        elif kind == "result":
            row = result_of(draw(st.sampled_from(IDS)), draw(result_contents(constants)))
            found.append(_beside(draw, row))
        else:
            found.append(draw(st.sampled_from(_ASIDES)))
    return found


def _calls(draw: st.DrawFn) -> Row:
    names = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3))
    blocks = [{"type": "tool_use", "id": name, "name": draw(st.sampled_from(TOOLS)), "input": {}} for name in names]
    row: Row = {"role": "assistant", "content": blocks, "at": draw(st.integers(0, 10_000_000) | st.none())}
    response = draw(st.sampled_from(RESPONSES))
    return row if response is None else {**row, "id": response}


def _beside(draw: st.DrawFn, row: Row) -> Row:
    """The row as it is, or with a text or a picture beside its result."""
    others: tuple[list[Row], ...] = ([], [], [{"type": "text", "text": "and"}], [{"type": "image"}])
    return {**row, "content": [*draw(st.sampled_from(others)), *row["content"]]}
