"""A session of a program: its rows, what they cost, and the layers that cut them."""

import copy
from typing import Any

import attrs

from tests.literal.compaction.program_config import Config
from tests.literal.tokens.context import find_first_fragment, find_later_fragments
from tests.literal.tokens.rounds import split_rounds

IMAGE_TOKENS = 2_000
CLEARED_TOKENS = 8
CLEARED_UNITS = 33
ROLES = {
    "user": "user",
    "image": "user",
    "tool_result": "user",
    "summary": "user",
    "assistant": "assistant",
    "tool_call": "assistant",
    "attachment": "attachment",
    "progress": "progress",
    "system": "system",
    "boundary": "system",
}
"""The role of a row of each kind."""

SAID = ("user", "assistant", "attachment")
"""Roles of rows that can be summarised. [CMP-071]"""


@attrs.define
class Row:
    """A row of a program. Spec: CMP-180."""

    name: int | str
    kind: str
    tokens: int
    """What it costs as the log has it."""
    pair: int | None = None
    tool: str | None = None
    response: str | None = None
    usage: int = 0
    at: int | None = None
    is_saved: bool = False
    is_cleared: bool = False

    @property
    def role(self) -> str:
        """Its role."""
        return ROLES[self.kind]


@attrs.define
class Session:
    """A session. Spec: CMP-073 to CMP-076, CMP-110, CMP-181."""

    rows: list[Row] = attrs.field(factory=list)
    """The view."""
    count: int = 0
    """Rows appended so far."""
    failures: int = 0
    suppressed: bool = False
    has_reacted: bool = False
    """Whether reactive compaction ran in this turn."""
    refills: int = 0
    requests: int | None = None
    """Requests since the last automatic compaction, none where there was none."""
    is_judged: bool = False
    """Whether the refill was judged since that compaction."""
    reads: list[tuple[str, int]] = attrs.field(factory=list)
    """The read-state, the front first: path, and when it was read."""
    moment: int = 0
    disk: dict[str, tuple[int, int]] = attrs.field(factory=dict)
    """What lies on the disk: tokens and time."""
    skills: list[tuple[str, int]] = attrs.field(factory=list)
    """Uses of skills, oldest first."""
    cleared: set[int | None] = attrs.field(factory=set)
    """Pairs that were cleared since the last compaction. Spec: CMP-180."""
    replaced: set[int] = attrs.field(factory=set)
    frozen: set[int] = attrs.field(factory=set)


def show_rows(rows: list[Row]) -> list[dict[str, Any]]:
    """The rows as the chapters on tokens and messages see them."""
    return [{"role": row.role, "id": row.response} for row in rows]


def cost(row: Row, config: Config) -> int:
    """What a row costs now. Spec: CMP-180."""
    if row.role in ("progress", "system"):
        return 0
    if row.is_cleared:
        return CLEARED_TOKENS
    if row.is_saved:
        return (config.numbers["preview"] + 2) // 4  # half up
    return IMAGE_TOKENS if row.kind == "image" else row.tokens


def count_context(rows: list[Row], config: Config) -> int:
    """The count of a context. Spec: CMP-180, EST-016 to EST-019."""
    anchors = [index for index, row in enumerate(rows) if row.role == "assistant" and row.usage > 0]
    if not anchors:
        return sum(cost(row, config) for row in rows)
    shown = show_rows(rows)
    first = find_first_fragment(shown, 0, anchors[-1])
    skipped = find_later_fragments(shown, first) if config.choices["tokens.fragments"] == "skip" else set()
    tail = [index for index in range(first + 1, len(rows)) if index not in skipped]
    return rows[anchors[-1]].usage + sum(cost(rows[index], config) for index in tail)


def list_sent(rows: list[Row]) -> list[int | str]:
    """The rows that are handed to a request, in the order of the list. Spec: MSG-001, protocol (pass)."""
    return [row.name for row in rows if row.role in SAID]


def drop_head(rows: list[Row], excess: int | None, config: Config) -> list[Row] | None:
    """The rows of the next try, or none. Spec: CMP-103 to CMP-108."""
    rounds = split_rounds(show_rows(rows))
    if len(rounds) <= 1:
        return None
    costs = [
        sum(0 if row.kind == "image" else cost(row, config) for row in rows[start:end]) for start, end in rounds
    ]  # images are markers by now [CMP-100]
    if excess is not None and excess > 0:
        dropped = 0
        while dropped < len(rounds) - 1 and sum(costs[:dropped]) < excess:
            dropped += 1
    else:
        dropped = min(max(1, len(rounds) * 20 // 100), len(rounds) - 1)
    rest: list[Row] = []
    calls: set[int | None] = set()
    for row in rows[rounds[dropped][0] :]:
        if row.kind == "tool_result" and row.pair not in calls:
            continue  # [CMP-107]
        if row.kind == "tool_call":
            calls.add(row.pair)
        rest.append(row)
    return rest


def restore(session: Session, config: Config) -> tuple[list[Row], list[tuple[str, int]]]:
    """What is put back, and the read-state behind it. Spec: CMP-110 to CMP-124."""
    numbers, choices = config.numbers, config.choices
    if choices["compaction.restore_recency"] == "read":
        order = [path for path, moment in sorted(session.reads, key=lambda read: -read[1])]
    else:
        there = [path for path, _ in session.reads if path in session.disk]
        gone = [path for path, _ in session.reads if path not in session.disk]
        order = sorted(there, key=lambda path: -session.disk[path][1]) + gone
    rows: list[Row] = []
    read: list[tuple[str, int]] = []
    places = 0
    for path in order:
        if path not in session.disk or places == numbers["restore_files"]:
            continue
        places += 1
        tokens = session.disk[path][0]
        if tokens <= numbers["restore_file_tokens"]:
            rows.append(Row(f"file:{path}", "attachment", tokens))
            read.append((path, -places))
        elif choices["compaction.oversize_restore"] == "reference":
            rows.append(Row(f"ref:{path}", "attachment", 0))
        else:
            rows.append(Row(f"file:{path}", "attachment", numbers["restore_file_tokens"]))
    total = 0
    seen: set[str] = set()
    for name, tokens in reversed(session.skills):
        if name in seen:
            continue
        seen.add(name)
        kept = min(tokens, numbers["skill_tokens"])
        if total + kept <= numbers["skills_tokens"]:
            total += kept
            rows.append(Row(f"skill:{name}", "attachment", kept))
    return rows, read


def resume(session: Session) -> Session:
    """The session taken up again from its log. Spec: CMP-181."""
    taken = Session(
        rows=copy.deepcopy(session.rows),
        count=session.count,
        disk=dict(session.disk),
        skills=list(session.skills),
        replaced=set(session.replaced),
        frozen=set(session.frozen),
    )
    for row in taken.rows:
        row.is_cleared = False  # the log has it as it was
    return taken
