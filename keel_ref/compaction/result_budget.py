"""Results that are too large, one by one or together, give way to a part of theirs. Spec: CMP-020 to CMP-036.

Saving touches the world, so there are two steps: `select_results` says what is to be saved, and when that has been
tried, `settle_results` says what the model is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.preview import size_of
from keel_ref.compaction.result_limits import limits_of
from keel_ref.compaction.result_select import Save, Selector
from keel_ref.compaction.result_state import BudgetState, Replacement
from keel_ref.compaction.results import (
    CLEARED_TEXT,
    Place,
    ResultAt,
    find_results,
    plain_tokens,
    tools_of,
    with_contents,
)
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import rows_of

Outcome = bool | str
"""What became of a save: whether it worked, or the path under which the text lies."""
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@frozen(kw_only=True)
class Selection:
    """What is to be saved before the list can be sent."""

    saves: tuple[Save, ...]
    """What to write, in order: each by exclusive creation, a file that is there already being a success."""
    rows: tuple[Any, ...]
    """The list that was given."""
    state: BudgetState
    """What was known before."""
    decisions: tuple[Decision, ...]
    """What was decided so far."""
    choices: Choices
    constants: Constants


@frozen(kw_only=True)
class ResultStep:
    """The list with large results replaced."""

    messages: tuple[Any, ...]
    """The same rows in the same order; a row in which nothing changed is the same object."""
    state: BudgetState
    """What is known now; every result of the list is seen."""
    decisions: tuple[Decision, ...]
    """What was done, left alone or not possible, in the order of the rows."""
    freed_tokens: int
    """Plain estimate of the list before less after; at least 0."""
    first_changed_row: int | None
    """The first row that is not as it was given; None where nothing changed."""


def select_results(
    view: Sequence[Any],
    *,
    session_folder: str,
    state: BudgetState | None = None,
    declared: Mapping[str, Any] = _NOTHING,
    overrides: Mapping[str, Any] = _NOTHING,
    names: Mapping[str, Any] = _NOTHING,
    sum_units: int | None = None,
    gates: Gates | None = None,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
    size: Callable[[str], int] | None = None,
) -> Selection:
    """The results of a view that are to be saved. Spec: CMP-020 to CMP-035.

    `declared` maps a tool to the limit that it declares, `"infinite"` or a whole number, over the built-in ones;
    `overrides` maps it to a remote value, `names` maps a call to the name of its file, `sum_units` replaces the
    limit of one message, and `size` another measure of a text. Raises `InvalidArgumentError` for what is none of these.
    """
    rows, chosen = rows_of(view), choices or Choices()
    known = state or BudgetState()
    is_open = (gates or Gates()).message_sum
    cap = constants.message_cap_units if sum_units is None else _whole("sum_units", sum_units)
    selector = Selector(
        limits=limits_of(declared, overrides, constants),
        tools=tools_of(rows),
        names=names,
        session_folder=session_folder,
        sum_units=cap if is_open else None,  # [CMP-035]
        unit=chosen.result_unit,
        size=size or (lambda text: size_of(text, chosen.result_unit)),
        constants=constants,
        texts=known.texts(),
        kept=frozenset(known.kept),
    )
    selector.select(rows)
    return Selection(
        saves=tuple(selector.saves.values()),
        rows=tuple(rows),
        state=known,
        decisions=tuple(selector.decisions),
        choices=chosen,
        constants=constants,
    )


def settle_results(selection: Selection, outcomes: Mapping[str, Outcome]) -> ResultStep:
    """The list as it is sent, once saving has been tried. Spec: CMP-028, CMP-031, CMP-032.

    `outcomes` maps the id of a save to whether it worked, or to the path where the text lies; what is not there did
    not work. Raises `InvalidArgumentError` for an outcome that is neither.
    """
    made = {save.id: text for save in selection.saves if (text := _settled(save, outcomes)) is not None}
    texts = {**made, **selection.state.texts()}
    results = list(find_results(selection.rows))
    contents = {
        result.place: texts[result.id]
        for result in results
        if result.id in texts and result.content not in (CLEARED_TEXT, texts[result.id])
    }
    messages = with_contents(selection.rows, contents)
    changed = sorted({row for row, _ in contents})
    decisions = [*selection.decisions, *_settlements(selection, made), *_again(selection, results, contents)]
    return ResultStep(
        messages=messages,
        state=_seen(selection, results, made),
        decisions=tuple(sorted(decisions, key=_order)),
        freed_tokens=_freed(selection, messages, changed),
        first_changed_row=changed[0] if changed else None,
    )


def _settled(save: Save, outcomes: Mapping[str, Outcome]) -> str | None:
    """What stands in the place of a result that was saved; None where that failed."""
    outcome = outcomes.get(save.id, False)
    if not isinstance(outcome, bool | str):
        raise InvalidArgumentError(f"outcomes.{save.id}", "is neither true, false nor a path")
    if isinstance(outcome, str):
        return save.replacement(outcome)
    return save.replacement(save.path) if outcome else None  # [CMP-028] otherwise the original stays


def _settlements(selection: Selection, made: Mapping[str, str]) -> list[Decision]:
    """One decision for each save."""
    return [
        Decision(
            layer=Layer.RESULTS,
            why=save.why if save.id in made else Why.SAVE_FAILED,
            row=save.row,
            id=save.id,
            path=save.path,
        )
        for save in selection.saves
    ]


def _again(selection: Selection, results: Sequence[ResultAt], contents: Mapping[Place, str]) -> list[Decision]:
    """One decision for each result that got the replacement of an earlier pass."""
    known = selection.state.texts()
    return [
        Decision(layer=Layer.RESULTS, why=Why.REPLACED_AGAIN, row=result.row, id=result.id)
        for result in results
        if result.place in contents and result.id in known
    ]


def _seen(selection: Selection, results: Sequence[ResultAt], made: Mapping[str, str]) -> BudgetState:
    """The state with every result of the list in it. Spec: CMP-032."""
    before = selection.state
    known = {*before.texts(), *before.kept, *made}
    # [CMP-032] what was not selected, and what could not be saved, is kept for good
    kept = dict.fromkeys(result.id for result in results if result.id is not None and result.id not in known)
    records = (Replacement(id=name, text=text) for name, text in made.items())
    return BudgetState(replaced=(*before.replaced, *records), kept=(*before.kept, *kept))


def _freed(selection: Selection, messages: Sequence[Any], changed: Sequence[int]) -> int:
    """What the list costs less by the documented rule. Spec: CMP-036."""
    before = plain_tokens([selection.rows[row] for row in changed], selection.choices, selection.constants)
    after = plain_tokens([messages[row] for row in changed], selection.choices, selection.constants)
    return max(0, before - after)


def _order(decision: Decision) -> tuple[int, str, str]:
    return -1 if decision.row is None else decision.row, decision.id or "", decision.why


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidArgumentError(name, f"{value!r} is no whole number of at least 0")
    return value
