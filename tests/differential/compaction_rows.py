"""Rows of a list that nobody wrote."""

from collections.abc import Callable
from random import Random
from typing import Any

CLEARED = "[Old tool result content cleared]"
ODD: tuple[Any, ...] = (None, True, False, "5", "", -1, [], {}, 0.5)
"""Values of every kind but whole numbers that are stored as others, of which the clauses say too little."""
IDS = ("A", "B", "C", "D", "E", "F", "")
TOOLS = ("Read", "Read", "Bash", "Grep", "Edit", "f", "g", "NotebookEdit")
RESPONSES = ("m1", "m2", "m3", "", None)
PATHS = ("/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/plan.md", "/x/y", "/l")
SOURCES = (
    None,
    "repl_main_thread",
    "repl_main_thread:x",
    "sdk",
    "compact",
    "session_memory",
    "marble_origami",
    "",
    "x",
)
SIZES = (0, 1, 2, 7, 8, 9, 33, 500, 1_999, 2_000, 2_001, 2_999, 3_000, 3_001, 6_000)
"""Units of texts; nothing near the size of a replacement, whose wording is free."""
LETTERS = ("x", "\u5b57", "\U0001f600", "\ud800", "\n")


def perhaps_odd(rng: Random, value: Any, share: float = 0.01) -> Any:
    """The value, now and then one of another kind."""
    return rng.choice(ODD) if rng.random() < share else value


def drawn_text(rng: Random, most: int = 40) -> str:
    """A short text."""
    return rng.choice(("", " ", "\n\t", "hi", CLEARED, "x" * rng.randint(0, most), rng.choice(LETTERS) * 3))


def large_text(rng: Random) -> str:
    """A text of a size at which something changes."""
    size = rng.choice(SIZES)
    if rng.random() < 0.3 and size >= 2_999:
        place = rng.choice((0, 1, 998, 999, 1_000, 1_001, 1_999, 2_000))
        return "x" * place + "\n" + "y" * (size - place - 1)
    return rng.choice(("x", "x", "x", "\u5b57")) * size


def drawn_content(rng: Random, text: Callable[[Random], str]) -> Any:
    """Content of a result."""
    if rng.random() < 0.6:
        return text(rng)
    if rng.random() < 0.1:
        return rng.choice(ODD)
    blocks: list[Any] = []
    for _ in range(rng.randint(0, 3)):
        if rng.random() < 0.75:
            blocks.append({"type": "text", "text": text(rng)})
        else:
            blocks.append(
                rng.choice((*ODD_BLOCKS, {"type": "tool_result", "tool_use_id": "A", "content": [{"type": "image"}]}))
            )
    return blocks


ODD_BLOCKS: tuple[Any, ...] = (
    {"type": "image", "source": {}},
    {"type": "document"},
    {"type": "text"},
    {"type": "text", "text": 7},
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"n": 1},
    None,
    7,
)


def drawn_result(rng: Random, text: Callable[[Random], str]) -> dict[str, Any]:
    """A result."""
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": perhaps_odd(rng, rng.choice(IDS))}
    if rng.random() < 0.95:
        block["content"] = drawn_content(rng, text)
    if rng.random() < 0.15:
        block["is_error"] = rng.random() < 0.5
    if rng.random() < 0.03:
        del block["tool_use_id"]
    return block


def drawn_call(rng: Random) -> dict[str, Any]:
    """A call."""
    given: Any = {"file_path": rng.choice(PATHS)} if rng.random() < 0.8 else rng.choice(({}, None, {"file_path": 7}))
    return {"type": "tool_use", "id": perhaps_odd(rng, rng.choice(IDS)), "name": rng.choice(TOOLS), "input": given}


def drawn_row(rng: Random, text: Callable[[Random], str] = drawn_text) -> Any:
    """A row; now and then an odd one."""
    kind = rng.random()
    row: dict[str, Any]
    if kind < 0.03:
        return rng.choice((None, 7, "row", {}, [], {"role": "narrator", "content": "n"}))
    if kind < 0.38:
        row = {"role": "assistant", "id": rng.choice(RESPONSES)}
        calls: list[Any] = [drawn_call(rng) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.4:
            calls.insert(0, rng.choice(({"type": "text", "text": text(rng)}, *ODD_BLOCKS)))
        row["content"] = calls if rng.random() < 0.9 else drawn_text(rng)
        if rng.random() < 0.2:
            row["usage"] = {"input_tokens": rng.randint(0, 20_000)}
    elif kind < 0.75:
        blocks: list[Any] = [drawn_result(rng, text) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            blocks.append(rng.choice(({"type": "text", "text": drawn_text(rng)}, *ODD_BLOCKS)))
        row = {"role": "user", "content": blocks}
    elif kind < 0.88:
        row = {"role": "user", "content": drawn_text(rng)}
    else:
        return drawn_aside(rng)
    return finish(rng, row)


def drawn_aside(rng: Random) -> dict[str, Any]:
    """A row that is neither the user's nor the model's."""
    kinds = ("skill_listing", "skill_discovery", "file", "file_reference", "hook", "agent_state", "plan_mode", None, 7)
    role = rng.choice(("system", "progress", "attachment", "attachment", "attachment"))
    row: dict[str, Any] = {"role": role, "content": drawn_text(rng)}
    if role == "system" and rng.random() < 0.4:
        row["subtype"] = "compact_boundary"
        row["discovered_tools"] = rng.choice((["t", "u"], None, ["t", 7], "t"))
    if rng.random() < 0.8:
        row["attachment"] = rng.choice(kinds)
    if rng.random() < 0.4:
        row["path"] = rng.choice(PATHS[:3])
    if rng.random() < 0.3:
        row["names"] = rng.choice((["a"], ["b"]))
    return finish(rng, row)


def finish(rng: Random, row: dict[str, Any]) -> dict[str, Any]:
    """The keys that any row may have."""
    if rng.random() < 0.6:
        row["at"] = perhaps_odd(rng, rng.choice((0, 0, 1, 1_000, 60_000)))
    if rng.random() < 0.4:
        row["uuid"] = perhaps_odd(rng, rng.choice(("u", "v", "w", "x", "")))
    return row


def drawn_rows(rng: Random, text: Callable[[Random], str] = drawn_text, most: int = 9) -> list[Any]:
    """A list of rows."""
    return [drawn_row(rng, text) for _ in range(rng.randint(0, most))]
