"""Which rows of a session were abandoned when a person went back and asked anew. Spec: EST-033, CTX-105."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen


@frozen(kw_only=True)
class Link:
    """What the graph of parents needs of a row."""

    uuid: str | None
    """Its name; None: it has none, and nothing hangs on it."""
    parent: str | None
    """The row on which it hangs; None at a root."""
    is_prompt: bool = False
    """Whether a person wrote it: neither a result, nor the client's own words."""


def find_abandoned(links: Sequence[Link]) -> frozenset[int]:
    """Places of the rows that the conversation left behind; the links stand in the order of the file.

    The conversation is what leads to the last row. A branch is taken to be abandoned only where that can be seen: it
    begins with a prompt, and another prompt on the same parent leads to the last row. Any other fork, such as results
    beside one another, is the way in which sessions are recorded. Ends on any graph, also one with circles.
    """
    places: dict[str, int] = {}
    for place, link in enumerate(links):
        if link.uuid is not None:
            places.setdefault(link.uuid, place)
    lineage = _lineage(links, places)
    prompts: dict[str, list[int]] = {}
    for place, link in enumerate(links):
        if link.is_prompt and link.parent is not None:
            prompts.setdefault(link.parent, []).append(place)
    left = [
        place
        for siblings in prompts.values()
        if not lineage.isdisjoint(siblings)
        for place in siblings
        if place not in lineage
    ]
    return _below(links, left, lineage) if left else frozenset()


def _lineage(links: Sequence[Link], places: Mapping[str, int]) -> set[int]:
    """The rows that lead to the last one. Where a parent is missing, the row above in the file stands for it."""
    seen: set[int] = set()
    place: int | None = len(links) - 1 if links else None
    while place is not None and place not in seen:
        seen.add(place)
        parent = links[place].parent
        if parent is None:
            break
        above = place - 1 if place else None
        place = places.get(parent, above)
    return seen


def _below(links: Sequence[Link], roots: Sequence[int], lineage: set[int]) -> frozenset[int]:
    """The roots and all that hangs on them, but for what leads to the last row."""
    children: dict[str, list[int]] = {}
    for place, link in enumerate(links):
        if link.parent is not None:
            children.setdefault(link.parent, []).append(place)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        place = waiting.pop()
        if place in found or place in lineage:
            continue
        found.add(place)
        uuid = links[place].uuid
        waiting += children.get(uuid, ()) if uuid is not None else ()
    return frozenset(found)
