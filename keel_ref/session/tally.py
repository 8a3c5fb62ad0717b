"""How much some rows are, in numbers. Rule S5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen

from keel_ref.transcript.log import LogRow


@frozen
class Tally:
    """What a stretch of a conversation amounts to."""

    rows: int = 0
    prompts: int = 0
    tool_results: int = 0
    tokens: int = 0
    """Estimates."""

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            self.rows + other.rows,
            self.prompts + other.prompts,
            self.tool_results + other.tool_results,
            self.tokens + other.tokens,
        )

    def less(self, other: Tally) -> Tally:
        """Without the other, of which this may hold only a part; nothing is below 0."""
        return Tally(
            max(0, self.rows - other.rows),
            max(0, self.prompts - other.prompts),
            max(0, self.tool_results - other.tool_results),
            max(0, self.tokens - other.tokens),
        )


def tally(rows: Iterable[LogRow]) -> Tally:
    """These rows together."""
    count = prompts = results = tokens = 0
    for row in rows:
        count += 1
        prompts += row.is_prompt
        tokens += row.tokens
        for block in row.blocks:
            results += block.kind == "tool_result"
    return Tally(count, prompts, results, tokens)


@define
class Stretches:
    """Tallies of stretches of a conversation, each at once, however many are asked for."""

    rows: Sequence[LogRow]
    conversation: Sequence[int]
    ends: list[Tally] = field(init=False)
    """Of each place, all before it."""
    names: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ends = list(_running(self.rows[place] for place in self.conversation))
        self.names = {
            name: index for index, place in enumerate(self.conversation) if (name := self.rows[place].uuid) is not None
        }

    def between(self, head: str, tail: str) -> Tally:
        """From one row to another, both among them; nothing where they are not there in this order."""
        first, last = self.names.get(head), self.names.get(tail)
        if first is None or last is None or first > last:
            return Tally()
        return self.ends[last + 1].less(self.ends[first])


def _running(rows: Iterable[LogRow]) -> Iterator[Tally]:
    total = Tally()
    yield total
    for row in rows:
        total = total + tally((row,))
        yield total
