"""Sessions as a client writes them, with calls in parallel and results in between, and what becomes of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from keel_ref.strategies.messages import Row, json_rows, sound_usages

MOST_RESPONSES = 5
MOST_BLOCKS = 4
MOST_DAMAGES = 6

_RESULT_CONTENTS: tuple[Any, ...] = (
    "out",
    "",
    " \n",
    None,
    [],
    [{"type": "text", "text": "out"}],
    [{"type": "text", "text": " "}],
    [{"type": "image"}, {"type": "text", "text": "seen"}],
    [{"type": "tool_result", "tool_use_id": "inner", "content": [{"type": "document"}]}],
)
_ASIDES: tuple[Row, ...] = (
    {"role": "progress", "text": "working"},
    {"role": "system", "subtype": "informational", "text": "shown to the user"},
    {"role": "attachment", "text": "a file"},
    {"role": "attachment", "content": [{"type": "image"}]},
)
_PROMPTS: tuple[Any, ...] = ("go on", [{"type": "text", "text": "look"}, {"type": "image"}, {"type": "document"}])
BOUNDARY: Row = {"role": "system", "subtype": "compact_boundary"}


def result_of(call_id: str, content: Any) -> Row:
    """A user row with one result."""
    block = {"type": "tool_result", "tool_use_id": call_id}
    return {"role": "user", "content": [block if content is None else {**block, "content": content}]}


@st.composite
def sound_conversations(draw: st.DrawFn) -> list[Row]:
    """A session in which every result comes before the next response, in any order and between its calls."""
    found: list[Row] = []
    for number in range(draw(st.integers(0, MOST_RESPONSES))):
        if draw(st.booleans()):
            found.append({"role": "user", "content": draw(st.sampled_from(_PROMPTS))})
        found += _response(draw, number)
    return found


def _response(draw: st.DrawFn, number: int) -> list[Row]:
    """The rows of one response, one for each block or for a few, and its results."""
    found: list[Row] = []
    waiting: list[str] = []
    has_usage = draw(st.booleans())
    for place in range(draw(st.integers(1, MOST_BLOCKS))):
        blocks: list[Row] = []
        for part in range(draw(st.integers(1, 2))):
            if draw(st.booleans()):
                blocks.append({"type": "text", "text": "I look."})
                continue
            waiting.append(f"c{number}.{place}.{part}")
            blocks.append({"type": "tool_use", "id": waiting[-1], "name": "Bash", "input": {"command": "ls"}})
        row: Row = {"role": "assistant", "id": f"m{number}", "content": blocks}
        found.append({**row, "usage": draw(sound_usages())} if has_usage else row)
        if draw(st.booleans()):
            found.append(dict(draw(st.sampled_from(_ASIDES))))
        is_early = draw(st.booleans())
        if waiting and is_early:
            found.append(result_of(waiting.pop(draw(st.integers(0, len(waiting) - 1))), "early"))
    found += [result_of(name, draw(st.sampled_from(_RESULT_CONTENTS))) for name in draw(st.permutations(waiting))]
    return found


@st.composite
def conversations(draw: st.DrawFn) -> list[Any]:
    """A session that may have lost, doubled, moved or mixed rows, with marks, boundaries and rows that are none."""
    found: list[Any] = list(draw(sound_conversations()))
    for _ in range(draw(st.integers(0, MOST_DAMAGES))):
        _damage(draw, found)
    return found


def _damage(draw: st.DrawFn, found: list[Any]) -> None:
    kinds = ["lose", "double", "move", "mark", "no id", "insert", "boundary"]
    kind = draw(st.sampled_from(kinds if found else ["insert", "boundary"]))
    place = draw(st.integers(0, max(0, len(found) - 1)))
    other = draw(st.integers(0, len(found)))
    match kind:
        case "lose":
            del found[place]
        case "double":
            found.insert(other, found[place])
        case "move":
            found.insert(min(other, len(found) - 1), found.pop(place))
        case "mark" if isinstance(found[place], dict):
            found[place] = {**found[place], draw(st.sampled_from(["kept", "error"])): True}
        case "no id" if isinstance(found[place], dict):
            found[place] = {**found[place], "id": draw(st.sampled_from(["", None, 7]))}
        case "insert":
            found[other:other] = draw(json_rows(2))
        case "boundary":
            found.insert(other, BOUNDARY)
        case _:
            pass
