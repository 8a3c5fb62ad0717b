"""Attempts at a compaction in a program, and what they are counted for."""

from typing import Any

from tests.literal.compaction.program_config import Config
from tests.literal.compaction.program_session import SAID, Row, Session, cost, drop_head, restore

MOST_TRIES = 4
"""A try, and at most three with a shorter head. [CMP-092]"""

REFILL_REQUESTS = 3
MOST_REFILLS = 3
EMPTY = {"fail": "empty"}


class Attempt:
    """Everything that is done to get one summary. Spec: CMP-090 to CMP-094."""

    def __init__(self, session: Session, config: Config, outcomes: list[dict[str, Any]]) -> None:
        self.session, self.config = session, config
        self.outcomes = list(outcomes)
        self.calls = 0

    def ask(self) -> dict[str, Any]:
        """One call; when no outcome is left it comes back empty."""
        self.calls += 1
        outcome = self.outcomes.pop(0) if self.outcomes else EMPTY
        if outcome.get("tokens") == 0:
            return EMPTY
        return outcome

    def find_summary(self) -> tuple[str, int]:
        """How the attempt ends, and the tokens of the summary. Spec: CMP-092, CMP-093."""
        rows = self.session.rows
        for number in range(MOST_TRIES):
            outcome: dict[str, Any] = EMPTY
            for _ in range(2):  # the forked call, and the fallback
                outcome = self.ask()
                if "tokens" in outcome:
                    return "compacted", outcome["tokens"]
                if outcome.get("fail") == "abort":
                    return "aborted", 0
            rest = drop_head(rows, outcome.get("excess"), self.config) if "too_long" in outcome else None
            if rest is None or number == MOST_TRIES - 1:
                return "failed", 0
            rows = rest
        return "failed", 0

    def run(self) -> str:
        """Compact, or say why not. Spec: CMP-091, CMP-094, CMP-124, CMP-159."""
        why, tokens = self.find_summary()
        if why != "compacted":
            return why
        restored, reads = restore(self.session, self.config)
        rows = [Row("boundary", "boundary", 0), Row("summary", "summary", tokens), *restored]
        sums = [sum(cost(row, self.config) for row in each) for each in (rows, self.session.rows)]
        if self.config.choices["compaction.inflated_summary"] == "refuse" and sums[0] > sums[1]:
            return "inflated"
        self.session.rows, self.session.reads = rows, reads
        self.session.failures = 0
        self.session.suppressed = True
        self.session.cleared = set()  # [CMP-156]
        return why


def holds_something(session: Session) -> bool:
    """Whether there is something to summarise. Spec: CMP-071."""
    return any(row.role in SAID for row in session.rows)


def run_automatic(session: Session, config: Config, outcomes: list[dict[str, Any]]) -> tuple[str, int]:
    """An automatic attempt, counted. Spec: CMP-073, CMP-074, CMP-076."""
    attempt = Attempt(session, config, outcomes)
    why = attempt.run()
    if why == "compacted":
        session.requests, session.is_judged = 0, False
    elif why != "aborted" or config.choices["compaction.abort_counts"] == "yes":
        session.failures += 1
    return why, attempt.calls


def is_refilled(session: Session, config: Config) -> bool:
    """Judge whether the window was filled at once; whether that ends the session. Spec: CMP-076."""
    if session.requests is not None and not session.is_judged:
        session.refills = session.refills + 1 if session.requests <= REFILL_REQUESTS else 0
        session.is_judged = True
    return config.choices["compaction.refill_guard"] == "on" and session.refills >= MOST_REFILLS
