"""The layers of a program that cut: results, snip, micro."""

from tests.literal.compaction.micro import COMPACTABLE, MINUTE, is_main
from tests.literal.compaction.program_config import Config
from tests.literal.compaction.program_session import CLEARED_UNITS, Row, Session, cost
from tests.literal.compaction.results import DECLARED


def find_tool(rows: list[Row], pair: int | None) -> str | None:
    """The tool of a result: that of the first call with its pair. Spec: CMP-020."""
    return next((row.tool for row in rows if row.kind == "tool_call" and row.pair == pair), None)


def find_limit(rows: list[Row], row: Row, config: Config) -> int | None:
    """The limit of a result in units. Spec: CMP-021, protocol."""
    tool = find_tool(rows, row.pair)
    declared = DECLARED.get(tool) if tool is not None else None
    if declared == "infinite":
        return None
    limit = config.numbers["result_limit"]
    return limit if declared is None else min(int(declared), limit)


class ResultLayer:
    """The first layer in a program. Spec: CMP-020 to CMP-036."""

    def __init__(self, session: Session, config: Config, fails: list[int]) -> None:
        self.session, self.config, self.fails = session, config, fails
        self.results = [row for row in session.rows if row.kind == "tool_result"]
        self.planned: list[Row] = []

    def is_open(self, row: Row) -> bool:
        """Whether a result is fresh, is the first of its pair, and can be replaced."""
        first = next(other for other in self.results if other.pair == row.pair)
        if first is not row or row in self.planned or row.is_cleared:
            return False
        if row.pair in self.session.replaced or row.pair in self.session.frozen:
            return False
        if find_limit(self.session.rows, row, self.config) is None:
            return False
        return self.config.numbers["preview"] < 4 * row.tokens  # [CMP-023] not smaller

    def judge(self, group: list[Row]) -> None:
        """A group against the limits of its results, then against the sum. Spec: CMP-022, CMP-030."""
        for row in group:
            limit = find_limit(self.session.rows, row, self.config)
            if self.is_open(row) and limit is not None and 4 * row.tokens > limit:
                self.planned.append(row)
        if not self.config.gates["message_sum"]:
            return
        total = sum(self.size(row) for row in group)
        open_ones = [row for row in group if self.is_open(row)]
        while total > self.config.numbers["message_limit"] and open_ones:
            largest = max(open_ones, key=lambda row: row.tokens)
            open_ones.remove(largest)
            self.planned.append(largest)
            total -= 4 * largest.tokens

    def size(self, row: Row) -> int:
        """The size in units of what is shown for a result. Spec: CMP-030."""
        pairs = {other.pair for other in self.planned} | self.session.replaced
        if row.pair in pairs and not row.is_cleared:
            return self.config.numbers["preview"]
        return CLEARED_UNITS if row.is_cleared else 4 * cost(row, self.config)

    def find_groups(self) -> list[list[Row]]:
        """The results that are judged together. Spec: CMP-029."""
        groups: list[list[Row]] = [[]]
        responses: set[str | None] = set()
        for row in self.session.rows:
            if row.role == "assistant" and row.response not in responses:
                groups.append([])
                responses.add(row.response)  # in a program each answer has a response
            if row.kind == "tool_result":
                groups[-1].append(row)
        return groups

    def run(self) -> bool:
        """Save and replace; whether anything changed. Spec: CMP-028, CMP-029, CMP-032."""
        for group in self.find_groups():
            self.judge(group)
        for row in self.planned:
            if row.pair is not None and row.pair not in self.fails:
                self.session.replaced.add(row.pair)
        has_changed = False
        for row in self.results:
            if row.pair is None:
                continue
            if row.pair not in self.session.replaced:
                self.session.frozen.add(row.pair)
            elif not row.is_saved and not row.is_cleared:
                row.is_saved = has_changed = True
        return has_changed


def run_snip(session: Session, config: Config, numbers: list[int]) -> int:
    """Remove rows for good; the tokens freed. Spec: CMP-040."""
    if not config.gates["snip"]:
        return 0
    freed = sum(cost(row, config) for row in session.rows if row.name in numbers)
    session.rows = [row for row in session.rows if row.name not in numbers]
    return freed


def run_micro(session: Session, config: Config, source: str | None, now: int | None) -> bool:
    """Clear old results; whether any was cleared. Spec: CMP-050 to CMP-064."""
    session.suppressed = False  # [CMP-064]
    answers = [row for row in session.rows if row.role == "assistant"]
    if not config.gates["time_micro"] or not is_main(source) or not answers:
        return False
    at = answers[-1].at
    if now is None or at is None or at > now or now - at < config.numbers["gap_minutes"] * MINUTE:
        return False
    pairs: list[int | None] = []
    for row in session.rows:
        if row.kind == "tool_call" and row.tool in COMPACTABLE:
            pairs = [pair for pair in pairs if pair != row.pair] + [row.pair]  # [CMP-056]
    old = pairs[: max(0, len(pairs) - max(1, config.numbers["keep_results"]))]
    cleared = [row for row in session.rows if row.kind == "tool_result" and row.pair in old and not row.is_cleared]
    for row in cleared:
        row.is_cleared = True
        session.cleared.add(row.pair)
    if cleared:
        session.suppressed = True  # [CMP-057]
    return bool(cleared)
