"""Programs: sequences of steps on sessions."""

import copy
from typing import Any

from tests.literal.compaction.arguments import INVALID, need_count, read_text
from tests.literal.compaction.auto import MOST_FAILURES, decline, is_blocked
from tests.literal.compaction.program_attempt import Attempt, holds_something, is_refilled, run_automatic
from tests.literal.compaction.program_config import (
    LEAST_CALL_TOKENS,
    MOST_PAIR,
    MOST_STEPS,
    MOST_TOKENS,
    Config,
    read_config,
    read_numbers,
    read_outcomes,
    read_session_name,
    read_settings,
    read_step,
    read_time,
    read_tokens,
    read_tool,
)
from tests.literal.compaction.program_layers import ResultLayer, run_micro, run_snip
from tests.literal.compaction.program_session import Row, Session, count_context, list_sent, resume
from tests.literal.memory.errors import LiteralError
from tests.literal.window.limits import find_percent_left

MAIN = "repl_main_thread"
KINDS = ("user", "assistant", "tool_call", "tool_result", "image", "progress", "system")


class Program:
    """One run of a program."""

    def __init__(self, config: Config) -> None:
        self.given = self.config = config
        self.configs: dict[str, Config] = {}
        """What each session runs under by now."""
        self.sessions: dict[str, Session] = {}
        self.tokens = 0

    def run_step(self, step: Any) -> dict[str, Any]:
        """One step. Raises LiteralError."""
        name, args = read_step(step)
        key = read_session_name(args, "s", "a")
        session = self.sessions.setdefault(key, Session())
        self.config = self.configs.setdefault(key, copy.deepcopy(self.given))  # [protocol] sessions share nothing
        match name:
            case "pass":
                return self.run_pass(session, args)
            case "compact":
                return self.compact(session, args)
            case "overflow":
                return self.overflow(session, args)
            case "observe":
                return self.observe(session)
            case "read" | "write" | "skill":
                self.touch(session, name, args)
                return {}
            case _:
                return self.show_use(self.change(name, key, args))

    def change(self, name: str, key: str, args: dict[str, Any]) -> Session:
        """A step that changes a session without a pass; the session. Raises LiteralError."""
        session = self.sessions[key]
        match name:
            case "append":
                self.append(session, args)
            case "set":
                read_settings(args, self.config)
            case "clear":
                self.sessions[key] = Session(disk=session.disk)
            case "fork":
                key = read_session_name(args, "to", None)
                self.sessions[key] = copy.deepcopy(session)
                self.configs[key] = copy.deepcopy(self.config)
            case "resume":
                self.sessions[key] = resume(session)
            case _:
                raise LiteralError(INVALID, name)
        return self.sessions[key]

    def show_use(self, session: Session, freed: int = 0) -> dict[str, Any]:
        """The use and its band. Spec: CMP-041, protocol (band)."""
        limits = self.config.limits()
        used = max(0, count_context(session.rows, self.config) - freed)
        band = "ok"
        if used >= limits.blocking:
            band = "blocking"
        elif limits.enabled and used >= limits.auto:
            band = "auto"
        elif used >= limits.warning:
            band = "warning"
        return {"used": used, "band": band}

    def take_tokens(self, tokens: int) -> int:
        """Tokens of a step, within those of a program. Raises LiteralError."""
        self.tokens += tokens
        if self.tokens > MOST_TOKENS:
            raise LiteralError(INVALID, "too many tokens for one program")
        return tokens

    def append(self, session: Session, args: dict[str, Any]) -> None:
        """A new row. Raises LiteralError. Spec: protocol (append), CMP-180."""
        kind = args.get("kind")
        if kind not in KINDS:
            raise LiteralError(INVALID, "kind")
        if args.get("tokens") is None:
            args = args | {"tokens": 0}
        tokens = 2_000 if kind == "image" else self.take_tokens(read_tokens(args))
        row = Row(session.count + 1, kind, tokens, at=read_time(args))
        if kind in ("tool_call", "tool_result"):
            self.pair_row(row, args)
        if kind in ("assistant", "tool_call"):
            response = read_text(args, "response")
            if response == "":
                raise LiteralError(INVALID, "response")
            row.response = f"own {row.name}" if response is None else f"given {response}"
            row.usage = need_count(args, "usage", 0)
        if kind == "tool_result":
            row.is_saved = row.pair in session.replaced  # [CMP-180] it costs its replacement at once
            row.is_cleared = row.pair in session.cleared  # [CMP-180]
        session.count += 1
        session.rows = [*session.rows, row]
        if kind in ("user", "image"):
            session.has_reacted = False  # another turn begins

    def pair_row(self, row: Row, args: dict[str, Any]) -> None:
        """What a call or a result has beside its tokens. Raises LiteralError. Spec: protocol (append)."""
        row.pair = need_count(args, "pair")
        if row.pair > MOST_PAIR:
            raise LiteralError(INVALID, "pair")
        if row.kind == "tool_call":
            row.tool = read_tool(args)
            if row.tokens < LEAST_CALL_TOKENS:
                raise LiteralError(INVALID, "tokens of a call")

    def run_pass(self, session: Session, args: dict[str, Any]) -> dict[str, Any]:
        """One pass through the layers. Raises LiteralError. Spec: CMP-001."""
        config = self.config
        source = args.get("source", MAIN)
        read_text({"source": source}, "source")
        outcomes, now = read_outcomes(args), read_time(args)
        snipped, fails = read_numbers(args, "snip"), read_numbers(args, "fails")
        session.reads = session.reads[::-1]  # [CMP-110]
        acted = ["results"] if ResultLayer(session, config, fails).run() else []
        count = len(session.rows)
        freed = run_snip(session, config, snipped)
        if len(session.rows) < count:
            acted.append("snip")
        if run_micro(session, config, source, now):
            acted.append("micro")
        why, end, calls = self.run_compact(session, source, freed, outcomes)
        has_compacted = why == "compacted"
        if has_compacted or why == "refill-guard":
            acted.append("compact")
        freed = 0 if has_compacted else freed
        use = self.show_use(session, freed)
        limits = config.limits()
        if end == "sent" and is_blocked(limits, config.gates, used=use["used"], source=source, compacted=has_compacted):
            acted.append("blocking")
            end = "blocked"
        if end == "sent" and session.requests is not None:
            session.requests += 1
        sent = list_sent(session.rows) if end == "sent" else []
        return {"acted": acted, "compact": why, "end": end, **use, "sent": sent, "calls": calls}

    def run_compact(
        self, session: Session, source: str | None, freed: int, outcomes: list[dict[str, Any]]
    ) -> tuple[str, str, int]:
        """The fifth layer: its reason, how the turn goes on, and calls. Spec: CMP-070 to CMP-077."""
        config = self.config
        limits = config.limits()
        why = decline(limits, config.gates, source=source, failures=session.failures)
        if why is not None:
            return why, "sent", 0
        if max(0, count_context(session.rows, config) - freed) < limits.auto:
            return "not-due", "sent", 0
        if not holds_something(session):
            return "nothing-to-summarise", "sent", 0
        if is_refilled(session, config):
            return "refill-guard", "stopped", 0
        why, calls = run_automatic(session, config, outcomes)
        return why, "stopped" if why == "aborted" else "sent", calls

    def compact(self, session: Session, args: dict[str, Any]) -> dict[str, Any]:
        """A compaction by hand. Raises LiteralError. Spec: CMP-079."""
        if "summary_tokens" in args and "summary" in args:
            raise LiteralError(INVALID, "summary or summary_tokens")
        outcomes = read_outcomes(args)
        if "summary_tokens" in args:
            outcomes = [{"tokens": read_tokens(args, "summary_tokens")}]
        calls = 0
        if not self.config.limits().manual:
            why = "compact-disabled"
        elif not holds_something(session):
            why = "nothing-to-summarise"
        else:
            attempt = Attempt(session, self.config, outcomes)
            why, calls = attempt.run(), attempt.calls
        ids = [row.name for row in session.rows]
        return {"done": why == "compacted", "why": why, **self.show_use(session), "ids": ids, "calls": calls}

    def overflow(self, session: Session, args: dict[str, Any]) -> dict[str, Any]:
        """The request of the last pass was refused. Raises LiteralError. Spec: CMP-170, CMP-171."""
        outcomes = read_outcomes(args)
        kind = args.get("kind")
        if kind not in (None, "prompt", "media"):
            raise LiteralError(INVALID, "kind")
        gates, calls, by = self.config.gates, 0, None
        may_react = (
            (gates["reactive"] or gates["reactive_only"])
            and self.config.limits().enabled
            and session.failures < MOST_FAILURES
            and not session.has_reacted
            and holds_something(session)
        )
        if may_react:
            session.has_reacted = True
            why, calls = run_automatic(session, self.config, outcomes)
            by = "reactive" if why == "compacted" else None
        end = "error" if by is None else "retry"
        if end == "retry" and session.requests is not None:
            session.requests += 1  # [CMP-076] [CMP-171] the request is sent again
        return {"end": end, "by": by, **self.show_use(session), "calls": calls}

    def observe(self, session: Session) -> dict[str, Any]:
        """What a session shows. Spec: protocol (observe)."""
        use = self.show_use(session)
        return {
            **use,
            "percent_left": find_percent_left(use["used"], self.config.limits().base),
            "ids": [row.name for row in session.rows],
            "failures": session.failures,
            "suppressed": session.suppressed,
        }

    def touch(self, session: Session, name: str, args: dict[str, Any]) -> None:
        """Files and skills. Raises LiteralError. Spec: CMP-110, CMP-119, protocol."""
        key = read_text(args, "name" if name == "skill" else "path")
        if key is None or (key == "" and name != "skill"):
            raise LiteralError(INVALID, "name or path")
        if name == "write" and args.get("tokens") is None:
            session.disk.pop(key, None)
            return
        tokens = self.take_tokens(read_tokens(args))
        if name == "skill":
            session.skills = [*session.skills, (key, tokens)]
            return
        at = need_count(args, "at", 0)
        session.disk[key] = (tokens, at)
        if name == "read":
            session.moment += 1
            others = [read for read in session.reads if read[0] != key]
            session.reads = [(key, session.moment), *others][:100]


def run_program(
    config: dict[str, Any], steps: list[Any], choices: dict[str, str], gates: dict[str, bool]
) -> list[dict[str, Any]]:
    """The trace of a program. Raises LiteralError. Spec: protocol (program), CMP-001 to CMP-181."""
    if len(steps) > MOST_STEPS:
        raise LiteralError(INVALID, "too many steps")
    program = Program(read_config(config, choices, gates))
    trace: list[dict[str, Any]] = []
    for step in steps:
        before = copy.deepcopy(program)
        try:
            trace.append({"ok": program.run_step(step)})
        except LiteralError as error:
            program = before  # a step that ends in an error changes nothing
            trace.append({"error": {"kind": error.kind}})
    return trace
