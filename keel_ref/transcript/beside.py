"""Results of calls, which may hang beside the conversation. Spec: TRN-011."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import define, field

from keel_ref.transcript.log import LogRow
from keel_ref.transcript.walk import Walk, is_result


@define
class Results:
    """Rows with results, by the answer on which they hang."""

    walk: Walk
    chain: Collection[int]
    """Places that the walk passed through."""
    hanging: dict[int, list[int]] = field(factory=dict)
    """By place the results of its thread on it, also by way of rows that say nothing and of other results."""
    loose: dict[tuple[str | None, str], list[int]] = field(factory=dict)
    """By thread and call, results that hang on nothing and that the walk did not pass through."""

    passed: set[int] = field(factory=set)
    """Rows that lie between some result and its call; each is given once."""

    def __attrs_post_init__(self) -> None:
        rows = self.walk.rows
        for place, row in enumerate(rows):
            if row.uuid is None or not is_result(row):
                continue
            host = self.walk.host_of(place)
            if host < 0 and place not in self.chain:
                for name in _names(row, "tool_result"):
                    self.loose.setdefault((row.agent, name), []).append(place)
            elif host >= 0 and rows[host].agent == row.agent:
                self.hanging.setdefault(host, []).append(place)

    def of(self, fragments: Sequence[int]) -> Iterator[int]:
        """Results of the calls of one response, with what lies between, in the order of the file. Spec: TRN-011.

        Every result is looked at once, however many calls share an id.
        """
        rows = self.walk.rows
        calls = dict.fromkeys(name for place in fragments for name in _names(rows[place], "tool_use"))
        found: dict[str, list[int]] = {}
        for place in fragments:
            for one in self.hanging.get(place, ()):
                for name in _names(rows[one], "tool_result"):
                    found.setdefault(name, []).append(one)
        chosen: set[int] = set()
        for name in calls:
            held = found.get(name) or self.loose.pop((rows[fragments[0]].agent, name), [])
            chosen.update([one for one in held if one in self.chain] or held[:1])  # [TRN-011] the one that went on
        for place in sorted(chosen):
            yield from self._between(place)

    def _between(self, place: int) -> Iterable[int]:
        """A result, behind the rows that say nothing by way of which it hangs on its call."""
        path = [place]
        parent = self.walk.parent_of(place)
        while parent is not None and not self.walk.is_said(parent) and parent not in self.passed:
            self.passed.add(parent)
            path.append(parent)
            parent = self.walk.parent_of(parent)
        return reversed(path)


def _names(row: LogRow, kind: str) -> Iterator[str]:
    """The calls that a row makes or answers."""
    return (block.id for block in row.blocks if block.kind == kind and block.id is not None)
