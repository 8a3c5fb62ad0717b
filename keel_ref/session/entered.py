"""What entered the context between two responses, by what it is. Rule S3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from keel_ref.session.timeline import Step
from keel_ref.transcript.log import Kind, LogRow

Amounts = dict[str, int | dict[str, int]]
"""Tokens by kind; of tool results and attachments by name as well."""
MEMORY: Final = frozenset({"instructions", "nested_memory"})
"""Attachments that are instruction files."""
NO_CALL: Final = "unknown tool"
NO_TYPE: Final = "unknown"


@define
class Entries:
    """Adds up what entered, step by step; remembers which call each result answers."""

    rows: Sequence[LogRow]
    tools: dict[str, str] = field(factory=dict)
    """The tool of each call so far."""

    def of(self, step: Step, base: int, said: int) -> Amounts:
        """What entered with a step whose response follows a context of `base` tokens and an answer of `said`.

        The amounts add up to the growth: what no estimate explains is `unattributed`, and below 0 where the estimates
        were too high or something left.
        """
        assert step.response is not None, "only a request shows what entered"
        found: Amounts = {}
        if said:
            found["assistant"] = said
        places = step.cuts[-1].behind if step.cuts else step.before
        if step.cuts and step.cuts[-1].kept.rows:
            found["kept"] = step.cuts[-1].kept.tokens
        for place in places:
            self._add_row(found, self.rows[place])
        self._remember(step.response.rows)
        found["unattributed"] = step.response.usage.input_total - base - sum_amounts(found)
        return found

    def _add_row(self, found: Amounts, row: LogRow) -> None:
        match row.kind:
            case Kind.USER:
                self._add_user(found, row)
            case Kind.ATTACHMENT:
                if row.subtype in MEMORY:
                    _add(found, "memory", row.tokens)
                else:
                    _add_named(found, "attachments", row.subtype or NO_TYPE, row.tokens)
            case Kind.ASSISTANT:  # without a usage; an error row is what the client says
                _add(found, "client" if row.is_error else "assistant", row.tokens)
            case _:
                return

    def _add_user(self, found: Amounts, row: LogRow) -> None:
        if row.is_for_the_screen:
            return
        own = "summary" if row.is_summary else "client" if row.is_meta else "own_words"
        for block in row.blocks:
            if block.kind == "tool_result":
                _add_named(found, "tool_results", self.tools.get(block.id or "", NO_CALL), block.tokens)
            else:
                _add(found, own, block.tokens)

    def _remember(self, places: Sequence[int]) -> None:
        for place in places:
            for block in self.rows[place].blocks:
                if block.kind == "tool_use" and block.id is not None and block.name is not None:
                    self.tools[block.id] = block.name


def sum_amounts(amounts: Mapping[str, int | dict[str, int]]) -> int:
    """The tokens of all kinds together."""
    return sum(sum(value.values()) if isinstance(value, dict) else value for value in amounts.values())


def merge_amounts(into: Amounts, more: Mapping[str, int | dict[str, int]]) -> None:
    """Add amounts to others, kind by kind."""
    for kind, value in more.items():
        if isinstance(value, dict):
            for name, tokens in value.items():
                _add_named(into, kind, name, tokens)
        else:
            _add(into, kind, value)


def _add(found: Amounts, kind: str, tokens: int) -> None:
    before = found.get(kind, 0)
    assert isinstance(before, int), "a kind has names or none"
    found[kind] = before + tokens


def _add_named(found: Amounts, kind: str, name: str, tokens: int) -> None:
    names = found.setdefault(kind, {})
    assert isinstance(names, dict), "a kind has names or none"
    names[name] = names.get(name, 0) + tokens
