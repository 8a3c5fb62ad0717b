"""Texts, rows and session lines from a random number generator: odd ones often, and many of them in a second."""

from __future__ import annotations

import json
from random import Random
from typing import Any

PIECES = (
    "",
    "a",
    "The quick brown fox. ",
    "def main():\n    return 0\n",
    '{"k": [1, 2.5, null]}',
    "你好，世界",
    "Grüße aus Köln ",
    "привет ",
    "🔥👩‍👩‍👧",
    "\0\x01\x1f\x7f",
    "\ud83d",
    "\ude00",
    "\u2028\ufeff\ufffd",
    '\\"/\b\f\n\r\t',
    "deadbeef00112233",
    "<|endoftext|>",
)
BROKEN = (b"\xff", b"\xc3", b"\xe4\xbd", b"\xed\xa0\x80", b"\xf0\x9f\x94", b"\x80", b"\xf5\x80\x80\x80")
ROLES = ("user", "assistant", "attachment", "system", "progress", "tool", None, 7)
TYPES = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "x", None, 3)
KEYS = ("text", "name", "input", "id", "tool_use_id", "content", "thinking", "data", "k", "ключ", 'q"\\', "\ud800")
NUMBERS = (0, 1, -1, 10**30, 0.0, -0.0, 1.0, 1.5, 1e21, 1e-7, 123456789.125, 5e-324, float("inf"), float("nan"))
LINE_TYPES = ("user", "assistant", "system", "attachment", "summary", "progress", None)
MAX_DEPTH = 5


def random_text(rng: Random) -> str:
    """A text of some pieces, each a few times; now and then of single code points from anywhere."""
    if rng.random() < 0.2:
        return "".join(chr(rng.randrange(0x11_0000)) for _ in range(rng.randrange(40)))
    return "".join(rng.choice(PIECES) * rng.randrange(1, 6) for _ in range(rng.randrange(8)))


def random_bytes(rng: Random) -> bytes:
    """The bytes of a text, with broken ones among them."""
    data = random_text(rng).encode("utf-8", "surrogatepass")
    for _ in range(rng.randrange(3)):
        place = rng.randrange(len(data) + 1)
        data = data[:place] + rng.choice(BROKEN) + data[place + rng.randrange(2) :]
    return data


def random_value(rng: Random, depth: int = 0) -> Any:
    """A value of JSON."""
    kind = rng.randrange(5 if depth > MAX_DEPTH else 8)
    if kind <= 1:
        return random_text(rng)
    if kind == 2:
        return rng.choice(NUMBERS)
    if kind <= 4:
        return rng.choice((None, True, False))
    if kind == 5:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): random_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def random_block(rng: Random, depth: int = 0) -> Any:
    """A block: mostly sound, at times odd, with results inside results."""
    if rng.random() < 0.05:
        return random_value(rng, depth)
    block: dict[str, Any] = {"type": rng.choice(TYPES)}
    for key in rng.sample(KEYS, rng.randrange(5)):
        block[key] = random_value(rng, depth + 2)
    match block["type"]:
        case "text" | "thinking" if rng.random() < 0.9:
            block[block["type"]] = random_text(rng)
        case "tool_use" if rng.random() < 0.9:
            block |= {
                "name": "Bash",
                "id": "toolu_1",
                "input": {"command": random_text(rng), "n": random_value(rng, 3)},
            }
        case "tool_result" if rng.random() < 0.9:
            block |= {"tool_use_id": "toolu_1", "content": random_content(rng, depth + 1)}
        case _:
            pass
    return block


def random_content(rng: Random, depth: int = 0) -> Any:
    """Content of a row or a result."""
    chance = rng.random()
    if chance < 0.3 or depth > MAX_DEPTH:
        return random_text(rng)
    if chance < 0.4:
        return random_value(rng, depth)
    return [random_block(rng, depth) for _ in range(rng.randrange(4))]


def random_rows(rng: Random) -> list[Any]:
    """A list of rows, some of them odd."""
    return [_row(rng) for _ in range(rng.randrange(6))]


def random_line(rng: Random) -> bytes:
    """A line of a session file, LF included: sound, torn, joined, or with one byte changed."""
    row = {
        "type": rng.choice(LINE_TYPES),
        "message": {"role": "user", "content": random_content(rng)},
        rng.choice(("isSidechain", "isVisibleInTranscriptOnly", "isCompactSummary")): rng.choice((True, False, 1)),
        "subtype": rng.choice(("compact_boundary", "informational")),
        "toolUseResult": random_value(rng),
    }
    separators = rng.choice(((",", ":"), (", ", ": ")))
    text = json.dumps(row, ensure_ascii=rng.random() < 0.5, separators=separators)
    data = text.encode("utf-8", "surrogatepass")
    chance = rng.random()
    if chance < 0.1:
        data = data[: rng.randrange(len(data))]
    elif chance < 0.2:
        place = rng.randrange(len(data))
        data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    elif chance < 0.25:
        data += data
    return data + rng.choice((b"\n", b"\r\n", b""))


def _row(rng: Random) -> Any:
    if rng.random() < 0.05:
        return random_value(rng)
    row: dict[str, Any] = {"role": rng.choice(ROLES), "content": random_content(rng)}
    if rng.random() < 0.5:
        row["id"] = rng.choice(("m1", "m2", "", None, 3))
    if rng.random() < 0.1:
        row["text"] = row.pop("content")
    return row
