"""A toy adapter that needs nothing but Python, and that can misbehave in one way, at one moment.

    toy.py [MISDEED [MOMENT]]

The moment is `hello`, `ping` (the first one, behind hello), `trap` (a call whose value is "trap", the default) or
`call` (every call). The toy knows `toy.echo`, `toy.fail`, `toy.slow`, and `toy.list`, which lists the paths of a tree.
"""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

MISDEED = sys.argv[1] if len(sys.argv) > 1 else "none"
MOMENT = sys.argv[2] if len(sys.argv) > 2 else "trap"
TRAPS = itertools.count()
PINGS = itertools.count()


def put(data: bytes) -> None:
    """Write bytes on stdout, as many as it takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def put_line(message: Mapping[str, Any]) -> None:
    """Write one message."""
    put(json.dumps(message).encode() + b"\n")


def wait_for_ever(_: bytes = b"") -> NoReturn:
    """Hang, until somebody kills us."""
    while True:
        time.sleep(3600)


def die(_: bytes = b"") -> NoReturn:
    """End at once, leaving a last word."""
    os.write(2, b"about to die\n")
    os._exit(7)


def put_half(line: bytes) -> None:
    """Begin an answer and stop half-way."""
    put(line[: len(line) // 2])


def close_stdin(line: bytes) -> NoReturn:
    """Take nothing more, but say one thing, unless it is hello."""
    os.close(0)
    if MOMENT != "hello":
        put(line)
    wait_for_ever()


def leave_child(_: bytes = b"") -> None:
    """Start a process that outlives us and holds our pipes open."""
    subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(3600)"])


def in_turn(*acts: Callable[[bytes], object]) -> Callable[[int, bytes], None]:
    """One thing after the other, each with the answer that would be right."""

    def act(_: int, line: bytes) -> None:
        for one in acts:
            one(line)

    return act


INSTEAD: Mapping[str, Callable[[int, bytes], object]] = {
    "bad-utf8": lambda number, _: put(b'{"id":%d,"ok":{"text":"\xff\xfe"}}\n' % number),
    "wrong-id": lambda number, _: put(b'{"id":%d,"ok":{}}\n' % (number + 1000)),
    "fraction": lambda number, _: put(b'{"id":%d,"ok":{"results":[{"ok":{"value":0.5}}]}}\n' % number),
    "fraction-first": lambda number, _: put(b'{"ok":{"results":[{"ok":{"value":0.5}}]},"id":%d}\n' % number),
    "ahead": lambda number, whole: put(whole + b'{"id":%d,"ok":{}}\n' % (number + 1)),
    "no-outcome": lambda number, _: put(b'{"id":%d}\n' % number),
    "no-results": lambda number, _: put(b'{"id":%d,"ok":{"results":[]}}\n' % number),
    "whole-error": lambda number, _: put(b'{"id":%d,"error":{"kind":"invalid_argument"}}\n' % number),
    "die": in_turn(die),
    "killed": in_turn(lambda _: os.kill(os.getpid(), 9)),
    "die-mid-line": in_turn(put_half, die),
    "die-behind": in_turn(put, die),
    "hang": in_turn(wait_for_ever),
    "half-line": in_turn(put_half, wait_for_ever),
    "too-long": in_turn(lambda _: put(b"x" * 100_000_000), wait_for_ever),
    "close-stdin": in_turn(close_stdin),
    "close-stdout": in_turn(lambda _: os.close(1), wait_for_ever),
    "children-die": in_turn(leave_child, die),
    "log-die": in_turn(lambda _: put(b"INFO ready to serve\n"), die),
    "babble": in_turn(lambda _: put(b"INFO still here\n" * 1_000), wait_for_ever),
}
"""What is done instead of answering."""
BEFORE: Mapping[str, Callable[[bytes], object]] = {
    "log": lambda _: put(b"INFO ready to serve\n"),
    "log-json": lambda _: put(b'{"level":"info","message":"ready"}\n'),
    "twice": put,
    "flood": lambda _: sys.stderr.write("noise " * 300_000),
    "children": leave_child,
}
"""What is done before answering."""
OUTCOMES: Mapping[str, Mapping[str, Any]] = {
    "wrong": {"ok": {"value": "wrong"}},
    "internal": {"internal": {"message": "TypeError: oops"}},
    "huge": {"ok": {"value": "x" * 300_000}},
    "huge-error": {"error": {"kind": "x" * 300_000}},
    "huge-words": {"internal": {"message": "x" * 300_000}},
    "escape": {"internal": {"message": "\x1b[2J\x07 gone\ud800"}},
    "declined": {"declined": {"reason": "known gap"}},
    "unsupported": {"unsupported": {"capability": "memory"}},
    "error": {"error": {"kind": "invalid_argument"}},
    "misshapen": {"value": "trap"},
}
"""What the trap gives instead of its value."""
HELLOS: Mapping[str, Mapping[str, Any]] = {
    "nonce": {"nonce": "other"},
    "wire": {"wire": 99},
    "no-capabilities": {"capabilities": None},
    "unclaimed": {"capabilities": {}},
    "reserved": {"capabilities": {"memory": {}, "later": {}}},
    "claims": {"capabilities": {"memory.part": {}}},
    "unknown": {"capabilities": {"memory": {}, "memory.typo": {}}},
    "choice": {"choices": {"memory.identity": "sideways"}},
    "real": {"choices": {"memory.identity": "real"}},
    "talkative": {"impl": {"name": "toy", "version": 1, "pid": os.getpid()}},
    "other-revision": {"revision": "1999.01"},
    "huge-nonce": {"nonce": "x" * 300_000},
}
"""What is different in hello."""


def call(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The outcome of one call."""
    args = item.get("args", {})
    value = args.get("value")
    if value == "trap" and MISDEED in OUTCOMES:
        return OUTCOMES[MISDEED]
    if value == "trap" and MISDEED == "now-and-then" and next(TRAPS) % 2 == 0:
        return {"ok": {"value": "wrong"}}
    match item.get("fn"):
        case "toy.fail":
            return {"error": {"kind": args.get("kind", "invalid_argument"), "message": "as you wish"}}
        case "toy.list":
            paths = sorted((entry["p"] for entry in args["tree"]), reverse=MISDEED == "reversed")
            return {"ok": {"files": [{"p": path} for path in paths], "count": len(paths)}}
        case "toy.slow":
            time.sleep(args["ms"] / 1000)
        case _:
            pass
    told = {"test": item["test"]} if "test" in item else {}
    return {"ok": {"value": value, **told}}


def is_moment(message: Mapping[str, Any]) -> bool:
    """Whether this is the time to misbehave."""
    if message["op"] != "call":
        return bool(message["op"] == MOMENT and (MOMENT != "ping" or next(PINGS) == 0))
    has_trap = any(item.get("args", {}).get("value") == "trap" for item in message["calls"])
    return MOMENT == "call" or (MOMENT == "trap" and has_trap)


def answer(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer that would be right, as far as the toy is honest."""
    match message["op"]:
        case "hello":
            hello = {"wire": 1, "nonce": message["nonce"], "capabilities": {"memory": {}}, "revision": "2026.11"}
            return {"ok": {**hello, "impl": {"name": "toy", "version": "1"}, **HELLOS.get(MISDEED, {})}}
        case "call":
            return {"ok": {"results": [call(item) for item in message["calls"]]}}
        case _:
            return {"ok": {}}


def main() -> None:
    """Answer line after line."""
    if MISDEED == "exit":
        sys.exit("no such option")
    if MISDEED == "nonce":
        os.write(2, b"the cache is stale\n")
    if MISDEED == "banner":
        put(b"Welcome to the toy\n")
    for line in sys.stdin.buffer:
        message = json.loads(line)
        reply = {"id": message["id"], **answer(message)}
        whole = json.dumps(reply).encode() + b"\n"
        is_now = is_moment(message)
        if is_now and MISDEED in INSTEAD:
            INSTEAD[MISDEED](message["id"], whole)
            continue
        if is_now and MISDEED in BEFORE:
            BEFORE[MISDEED](whole)
        put(whole)
        if message["op"] == "bye":
            return


main()
