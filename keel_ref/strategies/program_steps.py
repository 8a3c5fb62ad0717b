"""The steps that programs are drawn from, each aimed by what its session has come to."""

from collections.abc import Callable
from typing import Any, Final

from keel_ref.strategies.program_config import draw_env
from keel_ref.strategies.program_sketch import MOST_TOKENS, Drawn

_TOOLS: Final = ("Read", "Bash", "Grep", "Edit", "Task", "Other")
_CLEARED: Final = ("Read", "Bash", "Grep", "Edit", "Read", "Bash", "Grep", "Edit", "Task")
"""Tools of results that grow old: mostly of those that clearing knows."""
_PATHS: Final = ("/p/a", "/p/b", "/p/c", "/p/d", "/p/e", "/p/f", "/p/g")
_SKILLS: Final = ("review", "deploy", "test")
_SOURCES: Final = (
    "repl_main_thread",
    "sdk",
    "compact",
    "session_memory",
    None,
    "repl_main_thread:outputStyle:custom",
    "agent:repl_main_thread",
    "marble_origami",
    "Repl_main_thread",
)
_FAILURES: Final = ("empty", "blank", "thinking", "tool_call", "api_error", "abort")
StepDrawer = Callable[[Drawn], list[Any]]
"""Draws one step, or a few that belong together."""

LEAST_CALL_TOKENS: Final = 8
"""What a call costs at least. Spec: protocol.md, program."""
MILLISECONDS: Final = 60_000
"""Milliseconds of a minute."""


def draw_summaries(drawn: Drawn) -> list[dict[str, Any]]:
    """What the calls for a summary bring: success at once, or after failures of one kind or of several."""
    draw = drawn.draw
    if draw.chance(15):
        return _too_long_again_and_again(drawn)
    outcomes: list[dict[str, Any]] = []
    for _ in range(draw.pick((0, 0, 0, 1, 2, 4))):
        if draw.chance(45):
            excess = {"excess": draw.pick((1, drawn.some_tokens(), drawn.session.used))} if draw.chance(60) else {}
            outcomes.append({"too_long": True, **excess})
        else:
            outcomes.append({"fail": draw.pick(_FAILURES)})
    if draw.chance(80):
        outcomes.append({"tokens": draw.pick((drawn.some_tokens(), 1, drawn.tokens()))})
    return outcomes


def _too_long_again_and_again(drawn: Drawn) -> list[dict[str, Any]]:
    """As many refusals as tries are made, or fewer or more; then success. What each drops shows in the count."""
    refusals = [
        {"too_long": True, **({"excess": max(drawn.some_tokens(), 1)} if drawn.draw.chance(50) else {})}
        for _ in range(drawn.draw.integer(1, 9))
    ]
    return [*refusals, {"tokens": drawn.some_tokens()}]


def _row(drawn: Drawn) -> list[Any]:
    kind = drawn.draw.pick(("user", "user", "assistant", "assistant", "image", "progress", "system"))
    args: dict[str, Any] = {"kind": kind, "tokens": drawn.tokens(), **drawn.clock()}
    if kind == "assistant":
        args |= _measured(drawn, args["tokens"])
    return [["append", args]]


def _measured(drawn: Drawn, tokens: int) -> dict[str, Any]:
    """The response that a row is part of, and what the provider measured up to it."""
    found: dict[str, Any] = {}
    if drawn.draw.chance(30):
        found["response"] = drawn.draw.pick(("r1", "r2", "r3"))
    if drawn.draw.chance(25):
        real = drawn.session.used + tokens
        found["usage"] = max(drawn.draw.pick((real, drawn.edge(drawn.draw.pick(drawn.thresholds.context)))), 0)
    return found


def _call(drawn: Drawn) -> list[Any]:
    """A call, mostly with its result behind it; sometimes several calls of one response before the first result."""
    draw, first = drawn.draw, drawn.session.pairs + 1
    pairs = range(first, first + draw.pick((1, 1, 2, 3)))
    response = {"response": f"c{first}"} if len(pairs) > 1 or draw.chance(20) else {}
    steps: list[Any] = []
    for pair in pairs:
        tokens = max(draw.pick((LEAST_CALL_TOKENS, drawn.some_tokens())), LEAST_CALL_TOKENS - draw.chance(2))
        row = {"kind": "tool_call", "tokens": tokens, "pair": pair, "tool": draw.pick(_TOOLS), **response}
        steps.append(["append", {**row, **drawn.clock()}])
    for pair in pairs:
        if draw.chance(88):  # the others stay cut in half
            row = {"kind": "tool_result", "tokens": drawn.result_tokens(), "pair": pair}
            steps.append(["append", {**row, **drawn.clock()}])
    return steps


def _late_result(drawn: Drawn) -> list[Any]:
    """The result of a call that has waited, or of one that never was."""
    pair = drawn.draw.pick(tuple(drawn.session.open_pairs) or (drawn.session.pairs + 7,))
    return [["append", {"kind": "tool_result", "tokens": drawn.result_tokens(), "pair": pair}]]


def _pass(drawn: Drawn) -> list[Any]:
    args: dict[str, Any] = {"summary": draw_summaries(drawn), **drawn.clock()}
    if drawn.draw.chance(20):
        args["source"] = drawn.draw.pick(_SOURCES)
    if drawn.session.rows and drawn.draw.chance(20):
        args["snip"] = sorted({drawn.draw.integer(1, drawn.session.rows) for _ in range(drawn.draw.integer(1, 3))})
    if drawn.session.pairs and drawn.draw.chance(20):
        args["fails"] = [drawn.draw.integer(1, drawn.session.pairs)]
    return [["pass", args], *_look(drawn)]


def _look(drawn: Drawn) -> list[Any]:
    """Often one looks at what a request left behind, and does not see otherwise."""
    return [["observe", {}]] if drawn.draw.chance(40) else []


def _full_pass(drawn: Drawn) -> list[Any]:
    """A row that brings the context to an edge, and the request behind it."""
    return [["append", {"kind": "user", "tokens": drawn.tokens()}], *_pass(drawn)]


def _failing_passes(drawn: Drawn) -> list[Any]:
    """As many failures in a row as stop automatic compaction, one less or one more; each of its own kind."""
    count = drawn.edge(3)
    outcomes = [[{"fail": drawn.draw.pick(_FAILURES)}] * 2 for _ in range(count)]
    passes = [["pass", {"summary": outcome, **drawn.clock()}] for outcome in outcomes]
    last: dict[str, Any] = {"summary": [{"tokens": 1}]}
    if drawn.draw.chance(30):
        last["source"] = drawn.draw.pick(_SOURCES)
    refused = [["overflow", {"summary": [{"tokens": 1}]}]] if drawn.draw.chance(25) else []
    return [*_to_auto(drawn), *passes, ["pass", last], *refused, *_look(drawn)]


def _refilling_passes(drawn: Drawn) -> list[Any]:
    """Compactions that are due again soon: at once, or after as many requests as still count, or one more."""
    _, auto, blocking = drawn.thresholds.context
    large = max(min(drawn.edge(auto), blocking - 1), 0)
    at_once = [["pass", {"summary": [{"tokens": large}]}], ["append", {"kind": "user", "tokens": 1}]]
    refill = ["append", {"kind": "user", "tokens": min(max(auto - 1, 0), MOST_TOKENS)}]
    steps = _to_auto(drawn)
    for _ in range(drawn.draw.pick((4, 3, 5, 6))):
        requests = drawn.draw.pick((0, 2, 3, 1))
        later = [["pass", {"summary": [{"tokens": 1}]}], *[["pass", {}]] * requests, refill]
        by_hand = [["compact", {"summary_tokens": large}]] if drawn.draw.chance(15) else []
        steps += [*drawn.draw.pick((at_once, later)), *by_hand]
    return steps


def _idle_pass(drawn: Drawn) -> list[Any]:
    """Results that are old by the time of the request: by as much as clears them, one millisecond less or more.

    They are one more than clearing leaves, or as many, or another one more.
    """
    steps: list[Any] = []
    first, count = drawn.session.pairs + 1, drawn.edge(drawn.thresholds.keep_results + 1)
    for pair in range(first, first + count):
        call = {"kind": "tool_call", "tokens": LEAST_CALL_TOKENS, "pair": pair, "tool": drawn.draw.pick(_CLEARED)}
        steps.append(["append", {**call, "at": drawn.now_ms}])
        steps.append(["append", {"kind": "tool_result", "tokens": drawn.some_tokens(), "pair": pair}])
    gap_ms = drawn.thresholds.gap_minutes * MILLISECONDS
    args: dict[str, Any] = {"at": drawn.edge(drawn.now_ms + gap_ms)}
    if drawn.draw.chance(35):
        args["source"] = drawn.draw.pick(_SOURCES)
    if drawn.draw.chance(
        50 if "snip" in drawn.opened else 10
    ):  # a row of theirs, which can be the last answer, a call that counts, or a result
        args["snip"] = [drawn.session.rows + drawn.draw.integer(1, len(steps))] if steps else []
    return [*steps, ["pass", args], *_look(drawn)]


def _to_auto(drawn: Drawn) -> list[Any]:
    missing = drawn.thresholds.context[1] - drawn.session.used
    return [["append", {"kind": "user", "tokens": min(missing, MOST_TOKENS)}]] if missing > 0 else []


def _compact(drawn: Drawn) -> list[Any]:
    if drawn.draw.chance(40):
        return [["compact", {"summary_tokens": drawn.some_tokens()}]]
    return [["compact", {"summary": draw_summaries(drawn)}]]


def _overflow(drawn: Drawn) -> list[Any]:
    """A refusal, of a request that was sent before, or right behind one."""
    before = [] if drawn.session.is_sent else _pass(drawn)
    kind = {"kind": "media"} if drawn.draw.chance(25) else {}
    return [*before, ["overflow", {**kind, "summary": draw_summaries(drawn)}]]


def _snip_at_edge(drawn: Drawn) -> list[Any]:
    """A context that lies on a threshold only with, or only without, the row that snip removes."""
    freed = drawn.some_tokens() + 1
    _, auto, blocking = drawn.thresholds.context
    missing = drawn.edge(drawn.draw.pick((auto, blocking))) - drawn.session.used
    if missing <= 0:
        return _pass(drawn)
    rows = [
        ["append", {"kind": "user", "tokens": min(missing, MOST_TOKENS)}],
        ["append", {"kind": "user", "tokens": freed}],
    ]
    summary = draw_summaries(drawn)
    return [*rows, ["pass", {"snip": [drawn.session.rows + 2], "summary": summary}], *_look(drawn)]


def _observe(_: Drawn) -> list[Any]:
    return [["observe", {}]]


def _file(drawn: Drawn) -> list[Any]:
    """A file is read, or changes on the disk behind the back of the session, or vanishes."""
    args: dict[str, Any] = {"path": drawn.draw.pick(_PATHS), "tokens": drawn.some_tokens(), **drawn.clock()}
    if drawn.session.files and drawn.draw.chance(35):
        args["path"] = drawn.draw.pick(drawn.session.files)
        args["tokens"] = drawn.draw.pick((args["tokens"], None))
        return [["write", args]]
    return [["read", args]]


def _skill(drawn: Drawn) -> list[Any]:
    return [["skill", {"name": drawn.draw.pick(_SKILLS), "tokens": drawn.some_tokens()}]]


def _set(drawn: Drawn) -> list[Any]:
    """The window, the answer or the environment changes in mid-session; the window also to where the context is."""
    draw, window = drawn.draw, drawn.thresholds.window
    if draw.chance(30):
        return [["set", {"env": draw.pick(({}, draw_env(draw)))}]]
    if draw.chance(20):
        return [["set", {"max_output": max(drawn.edge(drawn.thresholds.max_output), 1)}]]
    distance = window - drawn.thresholds.context[1]
    aimed = drawn.edge(drawn.session.used + distance)
    return [["set", {"window": max(draw.pick((aimed, window * 2, max(window // 2, 1))), 1)}]]


def _fork(drawn: Drawn) -> list[Any]:
    return [["fork", {"to": drawn.draw.pick(drawn.others)}]]


def _resume(_: Drawn) -> list[Any]:
    return [["resume", {}]]


def _clear(_: Drawn) -> list[Any]:
    return [["clear", {}]]


def _wrong(drawn: Drawn) -> list[Any]:
    """A step that ends in an error, and so changes nothing."""
    return [
        drawn.draw.pick(
            (
                ["append", {"kind": "nobody", "tokens": 1}],
                ["append", {"kind": "user"}],
                ["append", {"kind": "user", "tokens": -1}],
                ["compact", {"summary": [{"fail": "otherwise"}]}],
                ["no_such_step", {}],
            )
        )
    ]


def drawers_for(drawn: Drawn) -> tuple[StepDrawer, ...]:
    """The kinds of steps to draw from: of a context that is full, mostly those that make room."""
    is_full = drawn.session.used >= drawn.thresholds.context[2]
    if is_full and drawn.draw.chance(60):
        return _MAKES_ROOM
    return _DRAWERS + tuple(drawer for gate, drawer in _BEHIND_GATES if gate in drawn.opened for _ in range(_MORE))


_MAKES_ROOM: Final = (_compact, _compact, _pass, _overflow, _set, _clear, _observe)
_DRAWERS: Final[tuple[StepDrawer, ...]] = (
    *(_row,) * 14,
    *(_call,) * 14,
    *(_full_pass,) * 14,
    *(_pass,) * 12,
    *(_observe,) * 6,
    *(_compact,) * 6,
    *(_file,) * 8,
    *(_late_result,) * 3,
    *(_overflow,) * 4,
    *(_snip_at_edge,) * 3,
    *(_idle_pass,) * 5,
    *(_failing_passes,) * 2,
    *(_refilling_passes,) * 2,
    *(_skill,) * 3,
    *(_set,) * 5,
    *(_fork,) * 3,
    *(_resume,) * 4,
    _clear,
    _wrong,
)
"""Every kind of step, as often as it shall come."""
_BEHIND_GATES: Final[tuple[tuple[str, StepDrawer], ...]] = (
    ("time_micro", _idle_pass),
    ("snip", _snip_at_edge),
    ("reactive", _overflow),
    ("reactive_only", _overflow),
)
"""What there is more of where a gate is open that it shows."""
_MORE: Final = 10
DRAWERS: Final = tuple(dict.fromkeys(_DRAWERS))
"""Every kind of step once, the plainest first."""
