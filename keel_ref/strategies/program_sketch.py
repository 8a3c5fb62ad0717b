"""What is known of a session while a program is drawn, and the sizes and times that its next step is aimed by."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field, frozen

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.program_config import Thresholds

MOST_TOKENS: Final = 300_000
"""Tokens of one row that is drawn, so that a program of many fits into a line."""


@define
class SessionSketch:
    """What the next steps of a session are aimed by."""

    used: int = 0
    rows: int = 0
    """Rows appended since the start; their numbers are 1 to this."""
    pairs: int = 0
    open_pairs: list[int] = field(factory=list)
    """Calls that have no result yet."""
    files: list[str] = field(factory=list)
    is_sent: bool = False
    """Whether a request was sent, which can then be refused."""

    def note(self, name: str, args: Mapping[str, Any], ok: Mapping[str, Any]) -> None:
        """Take in a step that did not end in an error."""
        self.used = ok.get("used", self.used)
        if name == "append":
            self.rows += 1
            if args["kind"] == "tool_result" and args.get("pair") in self.open_pairs:
                self.open_pairs.remove(args["pair"])
            elif args["kind"] == "tool_call" and "pair" in args:
                self.pairs = max(self.pairs, args["pair"])
                self.open_pairs.append(args["pair"])
        elif name == "pass":
            self.is_sent = ok.get("end") == "sent"
        elif name == "read":
            self.files.append(args["path"])
        elif name == "clear":
            self.rows, self.open_pairs, self.files, self.is_sent = 0, [], [], False

    def copy(self) -> "SessionSketch":
        """The same for a session that is forked."""
        return evolve(self, open_pairs=list(self.open_pairs), files=list(self.files))


@frozen(kw_only=True)
class Drawn:
    """What one step is drawn from."""

    draw: Draw
    thresholds: Thresholds
    session: SessionSketch
    now_ms: int
    others: Sequence[str]
    """Names that sessions may have."""
    opened: frozenset[str] = frozenset()
    """Gates that the config opens."""

    def edge(self, base: int) -> int:
        """A size, one less or one more."""
        return base + self.draw.pick((0, -1, 1))

    def tokens(self) -> int:
        """Tokens of a row: plain ones, or as many as bring the context to an edge."""
        warning, auto, blocking = self.thresholds.context
        above = [size for size in (auto, warning, auto, blocking) if size - 1 > self.session.used]
        if above and self.draw.chance(45):
            wanted = self.edge(self.draw.pick(above)) - self.session.used
            return min(max(wanted, 0), MOST_TOKENS)
        return self.some_tokens()

    def some_tokens(self) -> int:
        """Tokens of a row that is aimed at nothing."""
        share = max(self.thresholds.window // self.draw.pick((20, 100, 5)), 1)
        room = self.thresholds.context[2] - self.session.used
        if room > 0 and self.draw.chance(80):
            share = min(share, room)
        return min(self.draw.pick((1, self.draw.integer(1, share), self.draw.integer(1, share), 0)), MOST_TOKENS)

    def result_tokens(self) -> int:
        """Tokens of a result: at its own limit, at that of a message, or as of any row."""
        within = [size for size in self.thresholds.results if size < self.thresholds.window]
        if within and self.draw.chance(40):
            return min(max(self.edge(self.draw.pick(within)), 0), MOST_TOKENS)
        return self.tokens()

    def clock(self) -> dict[str, int]:
        """The time, where a step says it."""
        return {"at": self.now_ms} if self.draw.chance(75) else {}
