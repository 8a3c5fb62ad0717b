"""Programs that nobody wrote, aimed at thresholds."""

import copy
from random import Random
from typing import Any

from tests.literal.compaction.program import Program
from tests.literal.compaction.program_config import Config, read_config
from tests.literal.compaction.program_session import Session, count_context
from tests.literal.memory.errors import LiteralError

ODD: tuple[Any, ...] = (True, "5", "", -1, [], {}, 0.5)
"""Values of other kinds."""
SMALL = {"window": 1_000, "max_output": 200, "auto_buffer": 80, "warning_buffer": 60, "blocking_buffer": 40}
FAILURES = ("empty", "blank", "thinking", "tool_call", "api_error", "abort")
SOURCES = (
    *("repl_main_thread",) * 12,
    None,
    "sdk",
    "compact",
    "session_memory",
    "marble_origami",
    "repl_main_thread:x",
)
TOOLS = ("Read", "Bash", "Grep", "Edit", "Agent", "f")
PATHS = ("/a", "/b", "/c", "/d")
VARIABLES = (
    "DISABLE_COMPACT",
    "DISABLE_AUTO_COMPACT",
    "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE",
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
)


def perhaps_odd(rng: Random, value: Any, share: float = 0.01) -> Any:
    """The value, now and then one of another kind."""
    return rng.choice(ODD) if rng.random() < share else value


def drawn_program_config(rng: Random) -> dict[str, Any]:
    """What a program runs under."""
    config: dict[str, Any] = dict(SMALL)
    if rng.random() < 0.6:
        config |= {
            "preview": rng.choice((4, 40, 41, 42, 43)),
            "result_limit": rng.choice((44, 80, 81, 400, 401, 1_200)),
        }
        config["message_limit"] = rng.choice((1_200, 1_201, 1_600, 3_000))
    for name, values in (("keep_results", (1, 1, 2, 5)), ("gap_minutes", (0, 1, 2)), ("restore_files", (0, 1, 2, 5))):
        if rng.random() < 0.5:
            config[name] = rng.choice(values)
    if rng.random() < 0.5:
        config |= {"restore_file_tokens": rng.choice((30, 31))}
    if rng.random() < 0.5:
        config |= {"skill_tokens": 8, "skills_tokens": rng.choice((8, 9, 16, 20))}
    if rng.random() < 0.15:
        config["env"] = drawn_env(rng)
    if rng.random() < 0.03:
        name = rng.choice([*config, "summary_reserve"])
        config[name] = rng.choice((*ODD[:-1], 10**6))
    return config


def drawn_env(rng: Random) -> dict[str, str]:
    """Variables."""
    return {name: rng.choice(("1", "0", "50", "700", "x")) for name in VARIABLES if rng.random() < 0.3}


def drawn_outcomes(rng: Random) -> Any:
    """What calls for a summary come to."""
    outcomes: list[Any] = []
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 9))):
        kind = rng.random()
        if kind < 0.45:
            outcomes.append({"tokens": rng.choice((0, 1, 50, 60, 700, 719, 720, 800))})
        elif kind < 0.7:
            outcomes.append({"fail": rng.choice(FAILURES)})
        else:
            outcomes.append({"too_long": True} | ({"excess": rng.randint(0, 400)} if rng.random() < 0.6 else {}))
    return perhaps_odd(rng, [perhaps_odd(rng, outcome, 0.01) for outcome in outcomes], 0.005)


STEPS: tuple[str, ...] = (
    *("append", "pass", "compact", "observe", "read", "write", "skill", "set", "clear", "fork", "resume"),
    "overflow",
)
"""Steps."""
WEIGHTS = (45, 22, 5, 4, 6, 3, 3, 3, 0.7, 1, 2, 6)
"""How often each step is drawn."""


class Drawer:
    """Draws steps, and looks at what the session holds meanwhile."""

    def __init__(self, rng: Random, config: Config) -> None:
        self.rng = rng
        self.program = Program(copy.deepcopy(config))
        self.steps: list[Any] = []
        self.pairs = 0
        self.spare = 0
        self.answered: set[int] = set()
        self.kinds = rng.choice(((25, 25, 20, 25, 0.5, 2, 2), (5, 5, 45, 45, 0, 0, 0)))
        """How often each kind of row is drawn."""
        self.small_share = rng.choice((0.2, 0.6, 0.9))
        """How many rows are small; the others lead to a threshold."""
        self.is_willing = rng.random() < 0.4
        """Do most calls for a summary succeed at once?"""
        self.minutes = 0

    def run(self, count: int) -> list[Any]:
        """So many steps."""
        while len(self.steps) < count:
            step = self.draw()
            self.steps.append(step)
            before = copy.deepcopy(self.program)
            try:
                self.program.run_step(copy.deepcopy(step))
            except LiteralError:
                self.program = before
        return self.steps

    def draw(self) -> Any:
        """One step."""
        rng = self.rng
        name = rng.choices(STEPS, WEIGHTS)[0]
        args: dict[str, Any] = getattr(self, f"draw_{name}", dict)()
        if rng.random() < 0.05 and name not in ("append", "overflow"):
            args["s"] = rng.choice("ab")
        if rng.random() < 0.003:
            odd: tuple[Any, ...] = ([], [name], "x", [7, {}], ["nothing", {}], [name, {}, {}])
            return rng.choice(odd)
        return [name, args]

    def draw_append(self) -> dict[str, Any]:
        """A row, with tokens that often lead to a threshold."""
        rng = self.rng
        kinds = ("user", "assistant", "tool_call", "tool_result", "image", "progress", "system")
        kind = rng.choices(kinds, self.kinds)[0]
        args: dict[str, Any] = {"kind": perhaps_odd(rng, kind, 0.005)}
        if kind != "image" and rng.random() < 0.99:
            args["tokens"] = perhaps_odd(rng, self.draw_tokens(kind))
        if kind == "tool_call":
            self.pairs += rng.random() < 0.95
            args["tool"] = perhaps_odd(rng, rng.choice(TOOLS))
        if kind in ("tool_call", "tool_result"):
            args["pair"] = self.pairs if kind == "tool_call" else self.find_open_pair()
        if kind in ("assistant", "tool_call"):
            if rng.random() < 0.5:
                args["response"] = rng.choice(("m1", "m2", "m3"))
            if rng.random() < 0.3:
                args["usage"] = perhaps_odd(rng, rng.choice((0, 1, 700, 719, 720, 721, 659, 660, 759, 760, 761)))
        if rng.random() < 0.9:
            self.minutes += rng.random() < 0.2
            args["at"] = perhaps_odd(rng, self.minutes * 60_000)
        return args

    def find_open_pair(self) -> int:
        """A pair without a result, as a rule."""
        rows = self.program.sessions.setdefault("a", Session()).rows
        asked = [row.pair or 0 for row in rows if row.kind == "tool_call" and row.pair not in self.answered]
        self.spare += 1
        pair = self.rng.choice(asked) if asked else 1_000 + self.spare
        here = [row.pair or 0 for row in rows if row.kind == "tool_result"]
        if here and self.rng.random() < 0.1:
            return self.rng.choice(here)  # of one that was compacted away it is open what a second one costs (CMP-180)
        self.answered.add(pair)
        return pair

    def draw_tokens(self, kind: str) -> int:
        """Tokens of a row."""
        if kind == "tool_call":
            return self.rng.choice((8, 8, 9, 7, 20))
        if kind == "tool_result":
            return self.rng.choice((0, 1, 5, 10, 11, 12, 25, 99, 100, 101, 150, 200, 300))
        return self.aim()

    def aim(self) -> int:
        """Tokens that lead to, just below or just above a threshold, or any."""
        rng = self.rng
        if rng.random() < self.small_share:
            return rng.choice((0, 1, 5, 10, 11, 12, 20, 25, 26, 100, 101, 150, 300))
        used = count_context(self.program.sessions.setdefault("a", Session()).rows, self.program.config)
        return max(0, rng.choice((660, 720, 720, 720, 760)) + rng.choice((-1, 0, 0, 1)) - used)

    def draw_pass(self) -> dict[str, Any]:
        """A pass."""
        rng = self.rng
        args: dict[str, Any] = {"summary": drawn_outcomes(rng)} if rng.random() < 0.8 else {}
        if self.is_willing:
            args["summary"] = [{"tokens": rng.choice((1, 50, 60))}]
        if rng.random() < 0.3:
            args["source"] = rng.choice(SOURCES)
        if rng.random() < 0.7:
            gap = self.program.config.numbers["gap_minutes"] * 60_000
            args["at"] = perhaps_odd(rng, self.minutes * 60_000 + rng.choice((-1, 0, gap - 1, gap, gap, gap + 1)))
        if rng.random() < 0.3:
            args["snip"] = perhaps_odd(rng, [rng.randint(1, 12) for _ in range(rng.randint(0, 3))])
        if rng.random() < 0.2:
            args["fails"] = perhaps_odd(rng, [rng.randint(0, self.pairs)])
        return args

    def draw_compact(self) -> dict[str, Any]:
        """A compaction by hand."""
        if self.rng.random() < 0.5:
            return {"summary_tokens": perhaps_odd(self.rng, self.rng.choice((0, 5, 50, 720)))}
        return {"summary": drawn_outcomes(self.rng)}

    def draw_overflow(self) -> dict[str, Any]:
        """A request that was refused."""
        args: dict[str, Any] = {"summary": drawn_outcomes(self.rng)}
        if self.rng.random() < 0.4:
            args["kind"] = perhaps_odd(self.rng, self.rng.choice(("prompt", "media")))
        return args

    def draw_read(self) -> dict[str, Any]:
        """A file is read."""
        args = {"path": self.rng.choice(PATHS), "tokens": self.rng.choice((0, 5, 29, 30, 31, 32))}
        return args | {"at": self.rng.randint(0, 3)}

    def draw_write(self) -> dict[str, Any]:
        """The disk changes."""
        tokens = self.rng.choice((None, 5, 30, 31))
        return {"path": self.rng.choice(PATHS), "tokens": tokens, "at": self.rng.randint(0, 4)}

    def draw_skill(self) -> dict[str, Any]:
        """A skill is invoked."""
        return {"name": self.rng.choice("kmn"), "tokens": self.rng.choice((0, 3, 7, 8, 9))}

    def draw_set(self) -> dict[str, Any]:
        """Other limits from now on."""
        rng = self.rng
        args: dict[str, Any] = {}
        if rng.random() < 0.5:
            args["window"] = rng.choice((1_000, 1_000, 900, 1_100, 250, 0, -1))
        if rng.random() < 0.2:
            args["max_output"] = rng.choice((200, 100))
        if rng.random() < 0.3:
            args["env"] = drawn_env(rng) if rng.random() < 0.5 else {}
        if rng.random() < 0.3:
            args["settings"] = {"autoCompactEnabled": rng.random() < 0.8}
        return args

    def draw_fork(self) -> dict[str, Any]:
        """A copy."""
        return {"to": self.rng.choice("ab")}


def drawn_program(rng: Random, choices: dict[str, str], gates: dict[str, bool]) -> tuple[dict[str, Any], list[Any]]:
    """A config and steps."""
    config = drawn_program_config(rng)
    try:
        read = read_config(config, choices, gates)
    except LiteralError:
        return config, [["observe", {}]]
    return config, Drawer(rng, read).run(rng.choice((5, 15, 30)))
