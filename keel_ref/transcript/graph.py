"""The conversation that a session file holds: from the last row back along the parents. Spec: TRN-010 to TRN-016."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from keel_ref.transcript.beside import Results
from keel_ref.transcript.log import Kind, LogRow, Problem, Reason
from keel_ref.transcript.segments import Copy, Segment
from keel_ref.transcript.walk import Walk


@frozen(kw_only=True)
class Conversation:
    """The main thread, and what was found wrong on the way."""

    order: tuple[int, ...]
    """Places of its rows, from the first to the last; each once."""
    problems: tuple[Problem, ...]
    segments: Mapping[int, Segment]
    """By the place of a boundary, what it kept."""


def find_conversation(
    rows: Sequence[LogRow], groups: Sequence[tuple[int, ...]], copies: Sequence[Copy] = ()
) -> Conversation:
    """The main thread of these rows, each uuid of which stands once; `groups` are the rows of each response.

    `copies` are rows that were written again. Ends on any graph. Spec: TRN-010.
    """
    walk = Walk(rows, copies)
    chain = walk.chain()
    order = tuple(_with_beside(rows, walk, chain, groups))
    problems = [*walk.problems, *_left_out(rows, walk, frozenset(order))]
    return Conversation(order=order, problems=tuple(problems), segments=walk.segments.of)


def _with_beside(
    rows: Sequence[LogRow], walk: Walk, chain: Sequence[int], groups: Sequence[tuple[int, ...]]
) -> Iterator[int]:
    """The chain from its first row on, with the rows that belong to it and that it does not pass through."""
    group_of = {place: places for places in groups for place in places}
    on_chain = frozenset(chain)
    results = Results(walk, on_chain)
    leaves = _leaves(rows, walk, on_chain)
    done: set[int] = set()
    for place in reversed(chain):
        fresh = [place]
        if rows[place].kind is Kind.ASSISTANT and place not in done:
            fragments = [one for one in group_of[place] if rows[one].uuid is not None or one == place]
            fresh = [*fragments, *results.of(fragments)]  # [TRN-011] calls, then their results
        for one in fresh:
            if one not in done:
                done.add(one)
                yield one
                beside = [leaf for leaf in leaves.get(one, ()) if leaf not in done]
                done.update(beside)
                yield from beside


def _leaves(rows: Sequence[LogRow], walk: Walk, chain: frozenset[int]) -> dict[int, list[int]]:
    """Attachments and bookkeeping that hang beside a row, with what hangs on them, unless somebody spoke on them."""
    hosts: dict[int, int] = {}
    found: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        if walk.is_said(place) or place in walk.leads or place in chain or row.agent is not None or row.uuid is None:
            continue
        parent = walk.parent_of(place)
        if parent is None:
            continue
        host = hosts.get(parent)
        if host is None:
            if not (walk.is_said(parent) or parent in walk.leads or parent in chain):
                continue
            host = parent
        hosts[place] = host
        found.setdefault(host, []).append(place)
    return found


def _left_out(rows: Sequence[LogRow], walk: Walk, order: frozenset[int]) -> Iterator[Problem]:
    """A word for each branch that is no part of the conversation, and for each stretch that nothing leads to."""
    roots: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for place, row in enumerate(rows):
        if place in order or row.agent is not None or row.uuid is None:  # [TRN-012] without a uuid: told already
            continue
        parent = walk.parent_of(place)
        root = place if parent is None or parent in order or parent not in roots else roots[parent]
        roots[place] = root
        sizes[root] = sizes.get(root, 0) + 1
    for root, size in sizes.items():
        is_branch = walk.parent_of(root) in order
        reason = Reason.ABANDONED_BRANCH if is_branch else Reason.UNREACHABLE  # [TRN-016]
        yield Problem(line=rows[root].line, reason=reason, detail=f"{size} rows")
