"""What is known of a session file because it was written that way, and how a reading of it differs from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import field, frozen

from keel_ref.tokens.usage import Usage
from keel_ref.transcript.log import Reason, Response, SessionLog, Totals

Terms = tuple[int, int, int, int]
"""Input, cache creation, cache read and output of one usage, in tokens."""
NO_TERMS: Terms = (0, 0, 0, 0)


@frozen
class WrittenLine:
    """One line of the file, and what a reader has to say of it."""

    data: bytes | None
    """With its LF; None: longer than a line may be."""
    uuid: str | None = None
    group: str | None = None
    """Lines of one group have an order; those of several groups may be mixed in any way."""
    reports: tuple[Reason, ...] = ()
    naive: Terms | None = None
    """The usage that the line would add for who sums up rows; None: it has none."""


@frozen(kw_only=True)
class KnownResponse:
    """One response, however many rows hold it."""

    rows: frozenset[str]
    terms: Terms
    model: str
    in_conversation: bool


@frozen(kw_only=True)
class KnownSession:
    """A session file with its truth; rows go by uuid."""

    lines: tuple[WrittenLine, ...] = field(repr=False)
    conversation: tuple[str, ...]
    view: tuple[str, ...]
    kept: frozenset[str]
    responses: tuple[KnownResponse, ...]
    boundaries: frozenset[tuple[str, str | None, int | None]]
    """Of each its uuid, its trigger and the count that it gives."""
    side_chains: frozenset[tuple[str, tuple[str, ...]]]
    """Of each its agent and its rows."""
    other_kinds: tuple[tuple[str, int], ...]
    tip: str | None = None
    """The last row that was said; a line of it that comes last in the file is where reading begins."""

    @property
    def data(self) -> tuple[bytes | None, ...]:
        """The lines as a reader takes them."""
        return tuple(line.data for line in self.lines)

    def place_of(self, uuid: str) -> int:
        """Where the row stands first."""
        return next(place for place, line in enumerate(self.lines) if line.uuid == uuid)


def find_differences(known: KnownSession, log: SessionLog, *, parts: Sequence[str] = ()) -> list[str]:
    """What a reading says otherwise, part by part; of all parts unless some are named."""
    found = []
    for name, wanted, given in _parts(known, log):
        if wanted != given and (not parts or name in parts):
            found.append(f"{name}: wanted {wanted!r}, read {given!r}")
    return found


def _parts(known: KnownSession, log: SessionLog) -> Iterator[tuple[str, object, object]]:
    def uuids(places: Sequence[int]) -> tuple[str | None, ...]:
        return tuple(log.rows[place].uuid for place in places)

    def as_known(response: Response) -> tuple[object, ...]:
        return frozenset(uuids(response.rows)), _terms(response.usage), response.model, response.in_conversation

    yield "lines", len(known.lines), log.lines
    yield "conversation", known.conversation, uuids(log.conversation)
    yield "view", known.view, uuids(log.view)
    yield "kept", known.kept, frozenset(uuids(sorted(log.kept)))
    responses = Counter((one.rows, one.terms, one.model, one.in_conversation) for one in known.responses)
    yield "responses", responses, Counter(as_known(one) for one in log.responses)
    totals = [sum(one.terms[at] for one in known.responses) for at in range(len(NO_TERMS))]
    yield "totals", (len(known.responses), *totals), _sums(log.totals)
    naive = [line.naive for line in known.lines if line.naive is not None]
    yield "naive", (len(naive), *(sum(terms[at] for terms in naive) for at in range(len(NO_TERMS)))), _sums(log.naive)
    found = {(row.uuid, row.boundary.trigger, row.boundary.pre_tokens) for row in log.rows if row.boundary is not None}
    yield "boundaries", known.boundaries, found
    sides = Counter((side.agent, uuids(side.conversation)) for side in log.side_chains)
    yield "side_chains", Counter(known.side_chains), sides
    yield "other_kinds", known.other_kinds, log.other_kinds
    wanted = Counter((at, reason.value) for at, line in enumerate(known.lines, 1) for reason in line.reports)
    yield "problems", wanted, Counter((problem.line, problem.reason.value) for problem in log.problems)


def _terms(usage: Usage) -> Terms:
    inputs = usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens
    return (*inputs, usage.output_tokens)


def _sums(totals: Totals) -> tuple[int, ...]:
    inputs = totals.input_tokens, totals.cache_creation_input_tokens, totals.cache_read_input_tokens
    return (totals.responses, *inputs, totals.output_tokens)
