"""Which rows are one response, and what it used: the one counting rule. Spec: TRN-030, TRN-031."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from keel_ref.tokens.usage import Usage
from keel_ref.transcript.log import Kind, LogRow, Response

Key = tuple[str | None, str | None, str | None, int]
"""Sub-agent, message id, request id and prompt of a response."""


def find_responses(
    rows: Sequence[LogRow], groups: Sequence[tuple[int, ...]], conversation: Collection[int]
) -> tuple[Response, ...]:
    """Every response that recorded a usage, once, by its first row. Spec: TRN-030, TRN-031."""
    chosen = frozenset(conversation)
    found = (_response(rows, places, chosen) for places in groups)
    return tuple(response for response in found if response is not None)


def group_responses(rows: Sequence[LogRow]) -> tuple[tuple[int, ...], ...]:
    """Places of the rows of each response, in the order of their first rows. Spec: TRN-030."""
    groups: dict[Key | int, list[int]] = {}
    prompts = _prompts(rows)
    for place, row in enumerate(rows):
        if row.kind is not Kind.ASSISTANT:
            continue
        key: Key | int = place  # [TRN-030] a row with neither id is a response of its own
        if row.message_id is not None or row.request_id is not None:
            key = row.agent, row.message_id, row.request_id, prompts[place]
        groups.setdefault(key, []).append(place)
    return tuple(tuple(places) for places in groups.values())


def _response(rows: Sequence[LogRow], places: tuple[int, ...], conversation: frozenset[int]) -> Response | None:
    usage: Usage | None = None
    for place in places:
        own = rows[place].usage
        if own is not None and (usage is None or own.total >= usage.total):  # [TRN-030] the output grows
            usage = own
    if usage is None:
        return None
    model = next((rows[place].model for place in places if rows[place].model is not None), None)
    return Response(rows=places, usage=usage, model=model, in_conversation=not conversation.isdisjoint(places))


def _prompts(rows: Sequence[LogRow]) -> Mapping[int, int]:
    """Of each row the nearest prompt or boundary above it, -1 for none; ids may start anew behind another."""
    names: dict[str, int] = {}
    for place, row in enumerate(rows):
        if row.uuid is not None:
            names.setdefault(row.uuid, place)
    found: dict[int, int] = {}
    for place in range(len(rows)):
        _find_prompt(rows, names, found, place)
    return found


def _find_prompt(rows: Sequence[LogRow], names: Mapping[str, int], found: dict[int, int], place: int) -> None:
    """Put the prompt of a place, and of all that lie above it, into what was found. Ends on any graph."""
    walked: list[int] = []
    seen: set[int] = set()
    at: int | None = place
    prompt = -1
    while at is not None and at not in seen:
        if at in found:
            prompt = found[at]
            break
        walked.append(at)
        seen.add(at)
        if rows[at].is_prompt or rows[at].boundary is not None:
            prompt = at  # [TRN-030]
            break
        parent = rows[at].parent
        at = None if parent is None else names.get(parent)
    for one in walked:
        found[one] = prompt
