"""Which results give way: each above its own limit, then the largest of a message. Spec: CMP-022, CMP-023, CMP-030."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from keel_ref.choices import Unit
from keel_ref.compaction.preview import preview_of, replacement_of
from keel_ref.compaction.result_files import ResultText, loose_text, name_of, path_of, text_of
from keel_ref.compaction.result_limits import Limits
from keel_ref.compaction.results import CLEARED_TEXT, ResultAt, find_results
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import Constants
from keel_ref.messages.rows import Role, response_id, role_of


@frozen(kw_only=True)
class Save:
    """A result that is to be saved and replaced."""

    id: str
    """Id of the call."""
    row: int
    """Index of the row in the list."""
    path: str
    """The file to create."""
    file_text: str
    """What is written to it: the whole of the result."""
    preview: str
    """The beginning that the model is shown."""
    text: str
    """The result as text, of which the preview is the beginning."""
    why: Why
    """For its own limit, or for the sum of its message."""

    def replacement(self, path: str) -> str:
        """What the model reads, when the text lies in that file. Spec: CMP-024."""
        return replacement_of(self.text, path, self.preview)


@define(kw_only=True)
class Selector:
    """Goes through the results of a list, message by message."""

    limits: Limits
    tools: Mapping[str, str]
    """The tool of each call."""
    names: Mapping[str, Any]
    session_folder: str
    sum_units: int | None
    """What the results of one message may have together; None: they are not added up."""
    unit: Unit
    constants: Constants
    size: Callable[[str], int]
    """Size of a text, in the unit of the limits."""
    texts: dict[str, str]
    """What stands in the place of each result that was replaced before; the selection adds to it."""
    kept: frozenset[str]
    """Ids that stay whole for good."""
    saves: dict[str, Save] = field(factory=dict, init=False)
    decisions: list[Decision] = field(factory=list, init=False)
    _seen: set[str] = field(factory=set, init=False)
    _paths: set[str] = field(factory=set, init=False)

    def select(self, rows: Sequence[Any]) -> None:
        """Fill `saves` and `decisions`."""
        for tool in self.limits.ignored:
            self.decisions.append(Decision(layer=Layer.RESULTS, why=Why.OVERRIDE_IGNORED, id=tool))
        for group in message_groups(rows):
            self._select_in(group)

    def _select_in(self, group: Sequence[ResultAt]) -> None:
        fresh = [result for result in group if self._is_fresh(result)]
        waiting = [result for result in fresh if not self._is_settled(result)]
        if self.sum_units is None:
            return
        total = sum(self._size_shown(result) for result in group)
        waiting.sort(key=lambda result: -self._size_shown(result))  # [CMP-030] the largest; the earlier of two alike
        for result in waiting:
            if total <= self.sum_units:  # [CMP-030] exactly so much is allowed
                return
            size = self._size_shown(result)
            if self._save(result, Why.SAVED_FOR_SUM):
                total -= size  # [CMP-030] what replaces it is counted from the next pass on
        if total > self.sum_units:
            self._decide(group[0], Why.SUM_EXCEEDED)  # [CMP-030] what is kept for good may exceed it

    def _is_fresh(self, result: ResultAt) -> bool:
        """Whether nothing was ever decided about the result. Spec: CMP-031, CMP-034."""
        if result.id is None:
            self._decide(result, Why.NO_CALL_ID)
            return False
        if result.id in self._seen:
            self._decide(result, Why.SECOND_RESULT)  # [CMP-034] the first one decided
            return False
        self._seen.add(result.id)
        return result.id not in self.texts and result.id not in self.kept and result.content != CLEARED_TEXT

    def _is_settled(self, result: ResultAt) -> bool:
        """Whether the result is above its own limit, or can never be replaced. Spec: CMP-021 to CMP-023."""
        limit = self.limits.limit(self.tools.get(result.id or ""))
        if limit is None:
            return True  # [CMP-021] counts, and stays
        is_above = self._size_shown(result) > limit  # [CMP-022] exactly the limit stays
        if text_of(result.content) is None:
            if is_above:
                self._decide(result, Why.NOT_TEXT)  # [CMP-023]
            return True
        if is_above:
            self._save(result, Why.SAVED_FOR_LIMIT)
        return is_above

    def _save(self, result: ResultAt, why: Why) -> bool:
        """Plan to save the result, unless its place is taken or nothing would be won. Spec: CMP-023, CMP-027."""
        whole, call = text_of(result.content), result.id
        assert whole is not None
        assert call is not None
        save = self._planned(result, call, whole, why)
        replacement = save.replacement(save.path)
        if save.path in self._paths:
            self._decide(result, Why.NAME_TAKEN, save.path)  # [CMP-027] two texts in one file: one would be lost
            return False
        if self.size(replacement) >= self.size(whole.text):
            self._decide(result, Why.NOT_SMALLER)  # [CMP-023]
            return False
        self._paths.add(save.path)
        self.saves[call] = save
        self.texts[call] = replacement
        return True

    def _planned(self, result: ResultAt, call: str, whole: ResultText, why: Why) -> Save:
        return Save(
            id=call,
            row=result.row,
            path=path_of(self.session_folder, name_of(call, self.names), whole.extension),
            file_text=whole.file_text,
            preview=preview_of(whole.text, self.unit, self.constants),
            text=whole.text,
            why=why,
        )

    def _size_shown(self, result: ResultAt) -> int:
        """Size of what the model is shown for the result, as far as that is known. Spec: CMP-030."""
        text = None if result.id is None or result.content == CLEARED_TEXT else self.texts.get(result.id)
        return self.size(loose_text(result.content) if text is None else text)

    def _decide(self, result: ResultAt, why: Why, path: str | None = None) -> None:
        self.decisions.append(Decision(layer=Layer.RESULTS, why=why, row=result.row, id=result.id, path=path))


def message_groups(rows: Sequence[Any]) -> Iterator[list[ResultAt]]:
    """The results of the list, parted where a response begins that was not seen before. Spec: CMP-029."""
    opens = list(_openings(rows))
    group: list[ResultAt] = []
    last = 0
    for result in find_results(rows):
        passed = bisect_left(opens, result.row)
        if passed != last and group:
            yield group
            group = []
        last = passed
        group.append(result)
    if group:
        yield group


def _openings(rows: Sequence[Any]) -> Iterator[int]:
    """Rows at which a new message of the provider's begins. Spec: CMP-029."""
    seen: set[str] = set()
    for index, row in enumerate(rows):
        if role_of(row) is not Role.ASSISTANT:
            continue  # [CMP-029] progress, attachments and prompts part nothing
        own = response_id(row)
        if own is None or own not in seen:  # [CMP-029] a response without id is like no other
            yield index
        if own is not None:
            seen.add(own)
