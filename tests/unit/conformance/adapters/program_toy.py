"""A toy that runs programs: rows that cost, three thresholds, and a summary that replaces them. It may be faulty.

    program_toy.py [FAULT]

It knows a small part of the language, enough to be explored, and needs nothing but Python. A test that takes it for
the model imports it.
"""

import copy
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Step = Callable[[Any], Mapping[str, Any]]
RUNS = itertools.count()


class Wrong(Exception):
    """The step cannot be done."""


class Session:
    """One session of the toy."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.rows: list[tuple[Any, int]] = []
        self.number = 0
        self.failures = 0
        self.is_sent = False
        self.window: int | None = None
        """Its own, once it was set."""

    @property
    def used(self) -> int:
        """Tokens of all rows."""
        return sum(tokens for _, tokens in self.rows)


class Machine:
    """The toy under one config, with one fault."""

    def __init__(self, config: Mapping[str, Any], fault: str) -> None:
        """Read the config."""
        window = config.get("window", 200_000)
        reserve = min(config.get("max_output", 32_000), config.get("summary_reserve", 20_000))
        self.reserve, self.window, self.fault = (0 if fault == "no-reserve" else reserve), window, fault
        self.auto_buffer = config.get("auto_buffer", 13_000)
        self.blocking_buffer = config.get("blocking_buffer", 3_000)
        self.sessions: dict[str, Session] = {}

    def band(self, session: Session) -> str:
        """Where a session stands."""
        used = session.used
        effective = (self.window if session.window is None else session.window) - self.reserve
        auto = effective - self.auto_buffer + (1 if self.fault == "auto-off-by-one" else 0)
        if used >= effective - self.blocking_buffer:
            return "blocking"
        return "auto" if used >= auto else "ok"

    def standing(self, session: Session) -> dict[str, Any]:
        """What most steps answer."""
        return {"used": session.used, "band": self.band(session)}

    def run(self, step: Any) -> Mapping[str, Any]:
        """One step."""
        if not (isinstance(step, list) and len(step) == 2 and isinstance(step[1], dict)):
            return {"error": {"kind": "invalid_argument", "message": "no step"}}
        before = copy.deepcopy(self.sessions)
        try:
            name, args = step
            own = "a" if self.fault == "leak" else args.get("s", "a")
            session = self.sessions.setdefault(own, Session())
            answer = getattr(self, f"do_{name}", self.do_nothing_known)(session, args)
        except Wrong as error:
            self.sessions = before
            return {"error": {"kind": "invalid_argument", "message": str(error)}}
        return {"ok": answer}

    def do_nothing_known(self, _: Session, __: Mapping[str, Any]) -> Any:
        """A step that nobody has."""
        raise Wrong("no such step")

    def do_append(self, session: Session, args: Mapping[str, Any]) -> Any:
        """A row more."""
        kinds = ("user", "assistant", "tool_call", "tool_result", "image", "progress", "system")
        if args.get("kind") not in kinds or not isinstance(args.get("tokens"), int) or args["tokens"] < 0:
            raise Wrong("no row")
        session.number += 1
        tokens = 0 if args["kind"] == "progress" and self.fault != "progress-counts" else args["tokens"]
        session.rows.append((session.number, tokens))
        if self.fault == "crash-on-image" and args["kind"] == "image":
            os._exit(7)
        if self.fault == "hang-on-image" and args["kind"] == "image":
            time.sleep(3600)
        if self.fault == "flap-now" and args["kind"] == "image":
            return {"used": -1, "band": "ok"}
        return self.standing(session)

    def compact(self, session: Session, args: Mapping[str, Any]) -> tuple[bool, int]:
        """Whether a summary came, and how many calls it took."""
        outcomes = args.get("summary", [])
        if "summary_tokens" in args:
            outcomes = [{"tokens": args["summary_tokens"]}]
        if any(one.get("fail") == "otherwise" for one in outcomes):
            raise Wrong("no outcome")
        for calls, one in enumerate(outcomes, start=1):
            if "tokens" in one:
                session.rows = [("boundary", 0), ("summary", one["tokens"])]
                if self.fault == "keeps-last" and session.number:
                    session.rows.append((session.number, 0))
                session.failures = 0
                return True, calls
            if not one.get("too_long"):
                session.failures += 1
                return False, calls
        session.failures += 1
        return False, len(outcomes)

    def do_pass(self, session: Session, args: Mapping[str, Any]) -> Any:
        """A request, with a compaction before it where one is due."""
        done, calls, why = False, 0, "below"
        if self.band(session) == "auto" and session.failures < (4 if self.fault == "one-try-more" else 3):
            done, calls = self.compact(session, args)
            why = "compacted" if done else "failed"
        end = "blocked" if self.band(session) == "blocking" else "sent"
        session.is_sent = end == "sent"
        sent = [name for name, _ in session.rows] if session.is_sent else []
        acted = ["compact"] if done else []
        return {"acted": acted, "compact": why, "end": end, **self.standing(session), "sent": sent, "calls": calls}

    def do_compact(self, session: Session, args: Mapping[str, Any]) -> Any:
        """By hand."""
        done, calls = self.compact(session, args)
        why = "compacted" if done else "failed"
        ids = [name for name, _ in session.rows]
        return {"done": done, "why": why, **self.standing(session), "ids": ids, "calls": calls}

    def do_overflow(self, session: Session, _: Mapping[str, Any]) -> Any:
        """Nothing helps."""
        if not session.is_sent:
            raise Wrong("nothing was sent")
        return {"end": "error", "by": None, "used": session.used, "calls": 0}

    def do_observe(self, session: Session, _: Mapping[str, Any]) -> Any:
        """All there is to see."""
        ids = [name for name, _ in session.rows]
        return {**self.standing(session), "ids": ids, "failures": session.failures, "suppressed": False}

    def do_read(self, _: Session, __: Mapping[str, Any]) -> Any:
        """Nothing."""
        return {}

    do_write = do_skill = do_read

    def do_set(self, session: Session, args: Mapping[str, Any]) -> Any:
        """Another window."""
        session.window = args.get("window", session.window)
        return self.standing(session)

    def do_clear(self, session: Session, _: Mapping[str, Any]) -> Any:
        """From the start."""
        window = session.window
        session.__init__()  # type: ignore[misc]
        session.window = window
        return self.standing(session)

    def do_resume(self, session: Session, _: Mapping[str, Any]) -> Any:
        """The rows come back."""
        if self.fault == "resume-forgets":
            session.rows = session.rows[:-1]
        session.is_sent = False
        return self.standing(session)

    def do_fork(self, session: Session, args: Mapping[str, Any]) -> Any:
        """A copy."""
        self.sessions[args["to"]] = copy.deepcopy(session)
        return self.standing(session)


def start_program(config: Mapping[str, Any], fault: str = "none") -> Step:
    """Begin a program."""
    if not isinstance(config.get("window", 1), int):
        raise Wrong("no window")
    return Machine(config, fault).run


def double(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """Twice as many tokens as there are."""
    return {"ok": {**step["ok"], "used": 2 * step["ok"]["used"]}} if "used" in step.get("ok", {}) else step


def answer(message: Mapping[str, Any], fault: str) -> Mapping[str, Any]:
    """The answer to one line."""
    match message["op"]:
        case "hello":
            claims: dict[str, Any] = {} if fault == "unclaimed" else {"program": {}}
            hello = {"wire": 1, "nonce": message["nonce"], "capabilities": claims, "revision": "2026.11"}
            return {"ok": {**hello, "impl": {"name": "program-toy", "version": "1"}}}
        case "call":
            unknown = {"error": {"kind": "unknown_function"}}
            return {"ok": {"results": [unknown for _ in message["calls"]]}}
        case "program":
            is_flapping = fault == "flap" and next(RUNS) % 2 == 0
            run = start_program(message.get("config", {}), "flap-now" if is_flapping else fault)
            trace: list[Any] = [run(step) for step in message["steps"]]
            if fault == "deaf":
                trace = [{"ok": step.get("ok", {})} for step in trace]
            if fault == "sums-twice":
                trace = [double(step) for step in trace]
            if fault == "short":
                trace = trace[:-1]
            return {"ok": {"trace": trace}}
        case _:
            return {"ok": {}}


def main(fault: str) -> None:
    """Answer line after line."""
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        sys.stdout.write(json.dumps({"id": message["id"], **answer(message, fault)}) + "\n")
        sys.stdout.flush()
        if message["op"] == "bye":
            return


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "none")
