"""Side chains: what sub-agents wrote into the file of the main thread, or into one of their own. Spec: TRN-017."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence

from attrs import frozen

from keel_ref.transcript.graph import find_conversation
from keel_ref.transcript.log import LogRow, Problem, Response, SideChain
from keel_ref.transcript.segments import Copy


@frozen(kw_only=True)
class SideChains:
    """All of them, and what was found wrong in them."""

    chains: tuple[SideChain, ...]
    """By their first row in the file."""
    problems: tuple[Problem, ...]


def find_side_chains(
    rows: Sequence[LogRow], groups: Sequence[tuple[int, ...]], copies: Sequence[Copy], responses: Sequence[Response]
) -> SideChains:
    """The conversation of each sub-agent, by the walk of the main thread. Linear in the rows. Spec: TRN-017."""
    names = {row.uuid: place for place, row in enumerate(rows) if row.uuid is not None}
    threads = _threads(rows, names)
    thread_of = {place: index for index, thread in enumerate(threads) for place in thread}
    own_groups: list[list[tuple[int, ...]]] = [[] for _ in threads]
    for group in groups:
        for index, part in _parted(group, thread_of):
            own_groups[index].append(part)
    own_copies: list[list[Copy]] = [[] for _ in threads]
    for copy in copies:
        if (place := names[copy.uuid]) in thread_of:
            own_copies[thread_of[place]].append(copy)
    own_responses: list[list[Response]] = [[] for _ in threads]
    for response in responses:
        if response.rows[0] in thread_of:
            own_responses[thread_of[response.rows[0]]].append(response)
    chains: list[SideChain] = []
    problems: list[Problem] = []
    for index, thread in enumerate(threads):
        order, found = _walk(rows, thread, own_groups[index], own_copies[index], names)
        agent = rows[thread[0]].agent or ""
        chains.append(SideChain(agent=agent, conversation=order, responses=tuple(own_responses[index])))
        problems += found
    return SideChains(chains=tuple(chains), problems=tuple(problems))


def _threads(rows: Sequence[LogRow], names: dict[str, int]) -> list[list[int]]:
    """Places of the rows of each side chain, in the order of the file."""
    found: dict[str | int, list[int]] = {}
    tops: dict[int, int] = {}
    for place, row in enumerate(rows):
        if row.agent is not None:
            # [TRN-017] without a name, what hangs together is one chain
            found.setdefault(row.agent or _top(rows, names, tops, place), []).append(place)
    return list(found.values())


def _top(rows: Sequence[LogRow], names: dict[str, int], tops: dict[int, int], place: int) -> int:
    """The highest row without a name of its agent above this one. Ends on any graph."""
    walked: list[int] = []
    at: int | None = place
    top = place
    while at is not None and rows[at].agent == "":
        if at in tops:
            top = tops[at]
            break
        tops[at] = top = at
        walked.append(at)
        parent = rows[at].parent
        at = None if parent is None else names.get(parent)
    for one in walked:
        tops[one] = top
    return top


def _parted(group: tuple[int, ...], thread_of: dict[int, int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """A response by the chains in which it stands; mostly one."""
    parts: dict[int, list[int]] = {}
    for place in group:
        if place in thread_of:
            parts.setdefault(thread_of[place], []).append(place)
    for index, places in parts.items():
        yield index, tuple(places)


def _walk(
    rows: Sequence[LogRow],
    thread: Sequence[int],
    groups: Sequence[tuple[int, ...]],
    copies: Sequence[Copy],
    elsewhere: Container[str],
) -> tuple[tuple[int, ...], tuple[Problem, ...]]:
    """The order of one chain, and what was found wrong."""
    place_of = {place: index for index, place in enumerate(thread)}
    own = [rows[place] for place in thread]
    conversation = find_conversation(
        own,
        [tuple(place_of[place] for place in group) for group in groups],
        [Copy(copy.uuid, copy.parent, bisect_left(thread, copy.place)) for copy in copies],
        agent=own[0].agent,
        elsewhere=elsewhere,
    )
    return tuple(thread[index] for index in conversation.order), conversation.problems
