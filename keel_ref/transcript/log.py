"""What is kept of a session file: its rows without their texts, and everything that was found out about them.

No text stays in memory but the beginning of some, so what a log takes grows with the number of rows and not with what
they say. Spec: TRN-001.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from attrs import frozen

from keel_ref.tokens.usage import Usage


class Kind(StrEnum):
    """Kinds of rows that stand in the graph of parents. Spec: TRN-003."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    ATTACHMENT = "attachment"
    PROGRESS = "progress"
    OTHER = "other"
    """Any other type that names itself and its parent, and so may stand between two rows of a chain."""


class Reason(StrEnum):
    """What may be reported about a line or a row. Spec: the list `transcript` of errors.json."""

    BROKEN_LINE = "broken-line"
    JOINED_LINES = "joined-lines"
    NOT_AN_OBJECT = "not-an-object"
    LONG_LINE = "long-line"
    DEEP_LINE = "deep-line"
    INCOMPLETE_LINE = "incomplete-line"
    NO_KIND = "no-kind"
    NO_UUID = "no-uuid"
    DUPLICATE_UUID = "duplicate-uuid"
    CHANGED_DUPLICATE = "changed-duplicate"
    MISSING_PARENT = "missing-parent"
    PARENT_CYCLE = "parent-cycle"
    ABANDONED_BRANCH = "abandoned-branch"
    UNREACHABLE = "unreachable"
    ORPHAN_RESULT = "orphan-result"
    MISSING_RESULT = "missing-result"
    BAD_USAGE = "bad-usage"


NOTES = frozenset({Reason.DUPLICATE_UUID, Reason.ABANDONED_BRANCH})
"""What a client writes in the course of things; all else is a complaint."""


SYNTHETIC = "<synthetic>"
"""Model of the rows that a client wrote itself."""


@frozen(kw_only=True)
class Problem:
    """One thing that was found, and where."""

    line: int
    """The line, counted from 1."""
    reason: Reason
    detail: str = ""
    """What makes it plain: a name, a number of rows."""


@frozen
class Block:
    """One block of a row, or one file of an attachment, without its text."""

    kind: str
    """The type that the block names: `text`, `tool_use`, `tool_result` and so on."""
    tokens: int
    """Estimate by the documented rule. Spec: EST-012."""
    units: int = 0
    """UTF-16 units of its text, where it is made of text."""
    name: str | None = None
    """The tool that is called."""
    id: str | None = None
    """The call that this is, or that it answers."""
    path: str | None = None
    """The file that a call or an attachment names."""
    head: str = ""
    """The beginning of its text."""
    digest: int = 0
    """The same for the same text; 0 where there is none."""
    is_error: bool = False
    """Whether a result says that the call failed."""


@frozen(kw_only=True)
class Boundary:
    """What a boundary says of its compaction. Spec: TRN-020."""

    trigger: str | None = None
    """`auto` or `manual`; None: it does not say."""
    pre_tokens: int | None = None
    """The size of the context before; None: it does not say."""
    head: str | None = None
    """The first row that was kept."""
    anchor: str | None = None
    """The row behind which the kept ones stand."""
    tail: str | None = None
    """The last row that was kept."""


@frozen
class LogRow:
    """One row of the graph, without its texts."""

    line: int
    """Where it stands, counted from 1."""
    kind: Kind
    subtype: str | None
    """Of a system row its subtype, of an attachment its type, of another kind its name."""
    uuid: str | None
    parent: str | None
    logical_parent: str | None
    agent: str | None
    """The sub-agent that wrote it; empty for a side chain that names none, None in the main thread."""
    at_ms: int | None
    """Milliseconds since 1970."""
    message_id: str | None
    request_id: str | None
    model: str | None
    usage: Usage | None
    """What the row records; None: nothing that can be used (EST-015), or no model wrote the row (EST-019)."""
    is_error: bool
    is_meta: bool
    is_summary: bool
    is_for_the_screen: bool
    """Whether only the person saw it."""
    blocks: tuple[Block, ...]
    boundary: Boundary | None

    @property
    def tokens(self) -> int:
        """Estimate of the row by the documented rule; 0 for what is not sent."""
        return 0 if self.is_for_the_screen else sum(block.tokens for block in self.blocks)

    @property
    def is_prompt(self) -> bool:
        """Whether a person wrote it: neither a result, nor a summary, nor the client's own words."""
        return (
            self.kind is Kind.USER
            and not (self.is_meta or self.is_summary or self.is_for_the_screen)
            and not any(block.kind == "tool_result" for block in self.blocks)
        )


@frozen(kw_only=True)
class Response:
    """One response of the model, however many rows hold it. Spec: TRN-030."""

    rows: tuple[int, ...]
    """Places of its rows in the log, in the order of the file."""
    usage: Usage
    """Counted once: of its rows the usage with the largest total, of equal ones the last."""
    model: str | None
    in_conversation: bool
    """Whether it belongs to the main thread as it went on: neither a side chain nor an abandoned branch."""


@frozen(kw_only=True)
class Totals:
    """Sums of usage, each term by itself."""

    responses: int = 0
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0

    @property
    def input_total(self) -> int:
        """All three terms of the input."""
        return self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens


@frozen(kw_only=True)
class SessionLog:
    """A session file as far as it can be told. Spec: TRN-001."""

    lines: int
    """All lines, blank and broken ones too."""
    rows: Sequence[LogRow]
    """Rows of the graph in the order of the file, each uuid once."""
    problems: tuple[Problem, ...]
    """By line, then by reason."""
    other_kinds: tuple[tuple[str, int], ...]
    """Kinds of rows that are in no graph, with how many there are, by name."""
    conversation: tuple[int, ...]
    """Places of the rows of the main thread, in the order of the conversation; each once."""
    view: tuple[int, ...]
    """Places of what the next turn sees, from the last boundary on. Spec: TRN-022."""
    kept: frozenset[int]
    """Places of the view that the last boundary kept; what they measured is void (EST-020)."""
    responses: tuple[Response, ...]
    """Every response once, by its first row in the file."""
    naive: Totals
    """What summing the usage of every row would give; wrong, and here to be shown."""
    header: tuple[tuple[str, str], ...] = ()
    """What the last row that names its session says of it: id, folder, version and so on."""

    @property
    def complaints(self) -> tuple[Problem, ...]:
        """Problems that are no mere notes."""
        return tuple(problem for problem in self.problems if problem.reason not in NOTES)

    @property
    def model(self) -> str | None:
        """The model that answered last in the conversation; None: none did."""
        rows = (self.rows[place] for place in reversed(self.conversation))
        return next((row.model for row in rows if row.model not in {None, SYNTHETIC} and not row.is_error), None)

    @property
    def totals(self) -> Totals:
        """Sums over all responses, side chains and abandoned branches too, each once. Spec: TRN-031."""
        return sum_usage(response.usage for response in self.responses)


def sum_usage(usages: Iterable[Usage]) -> Totals:
    """The sums over these usages."""
    count = fresh = made = read = out = 0
    for usage in usages:
        count += 1
        fresh += usage.input_tokens
        made += usage.cache_creation_input_tokens
        read += usage.cache_read_input_tokens
        out += usage.output_tokens
    return Totals(
        responses=count,
        input_tokens=fresh,
        cache_creation_input_tokens=made,
        cache_read_input_tokens=read,
        output_tokens=out,
    )
