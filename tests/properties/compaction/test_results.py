"""Results give way to a part of theirs, each in the same way for ever, and nothing of them is lost."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, Gates, Unit
from keel_ref.compaction.preview import preview_of, size_of
from keel_ref.compaction.result_budget import ResultStep, Selection, select_results, settle_results
from keel_ref.compaction.result_files import loose_text, path_of, text_of
from keel_ref.compaction.result_limits import limits_of
from keel_ref.compaction.result_select import message_groups
from keel_ref.compaction.result_state import BudgetState
from keel_ref.compaction.results import CLEARED_TEXT, find_results, tools_of
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.results import result_sessions, texts_of_size
from keel_ref.strategies.text import any_text
from keel_ref.tokens.estimate import estimate_messages

CONSTANTS = pytest.mark.parametrize("constants", [TINY, DEFAULT], ids=["tiny", "default"])
UNITS = st.sampled_from([*Unit])


def selection_of(rows: list[Any], constants: Constants, unit: Unit = Unit.UTF16, **given_: Any) -> Selection:
    """What is to be saved of the rows."""
    return select_results(rows, session_folder="/s", choices=Choices(result_unit=unit), constants=constants, **given_)


def step_of(rows: list[Any], constants: Constants, failed: set[str], **given_: Any) -> ResultStep:
    """What becomes of the rows when some saves fail."""
    selection = selection_of(rows, constants, **given_)
    return settle_results(selection, {save.id: save.id not in failed for save in selection.saves})


def failures() -> st.SearchStrategy[set[str]]:
    """Ids whose save fails."""
    return st.sets(st.sampled_from(["a", "b", "c"]), max_size=2)


@CONSTANTS
@clause("CMP-036", "CMP-020")
@given(st.data())
def test_rows_stay_and_the_input_is_not_changed(constants: Constants, data: st.DataObject) -> None:
    """Number, order and everything but the content of results stay."""
    rows = data.draw(result_sessions(constants) | conversations())
    before = deepcopy(rows)
    step = step_of(rows, constants, data.draw(failures()))

    assert before == rows
    assert len(rows) == len(step.messages)
    for index, (old, new) in enumerate(zip(rows, step.messages, strict=True)):
        if old is not new:
            assert step.first_changed_row is not None
            assert step.first_changed_row <= index
            assert without_contents(old) == without_contents(new)


def without_contents(row: Any) -> Any:
    """The row with every content of its results blanked."""
    held = row.get("content") if row.get("content") is not None else row.get("text")
    blocks = [{**block, "content": 0} if is_result(block) else block for block in held]
    return {**row, "content": blocks}


def is_result(block: Any) -> bool:
    """Whether the block is a result."""
    return isinstance(block, dict) and block.get("type") == "tool_result"


@CONSTANTS
@clause("CMP-031", "CMP-032", "CMP-033")
@given(st.data())
def test_once_seen_a_result_always_looks_the_same(constants: Constants, data: st.DataObject) -> None:
    """However the session goes on, with whatever limits, gates and a log read back in between."""
    rows = data.draw(result_sessions(constants))
    cut = data.draw(st.integers(0, len(rows)))
    first = step_of(rows[:cut], constants, data.draw(failures()))
    seen = {*first.state.texts(), *first.state.kept}
    again = step_of(
        rows,
        constants,
        data.draw(failures()),
        state=BudgetState.of(first.state.as_object()),
        overrides={"f": data.draw(st.integers(1, 400))},
        sum_units=data.draw(st.integers(0, 1_000)),
        gates=Gates(message_sum=data.draw(st.booleans())),
    )

    assert list(first.messages) == list(again.messages)[:cut]
    for result in find_results(again.messages):
        if result.id in seen and result.content != CLEARED_TEXT and result.id in first.state.texts():
            assert first.state.texts()[result.id] == result.content
    assert first.state.replaced == again.state.replaced[: len(first.state.replaced)]
    assert first.state.kept == again.state.kept[: len(first.state.kept)]


@CONSTANTS
@clause("CMP-031", "CMP-036")
@given(st.data())
def test_twice_is_once(constants: Constants, data: st.DataObject) -> None:
    """The layer on its own result, with its own state, saves nothing and changes nothing."""
    first = step_of(data.draw(result_sessions(constants)), constants, data.draw(failures()))
    selection = selection_of(list(first.messages), constants, state=first.state)
    second = settle_results(selection, {})

    assert () == selection.saves
    assert first.messages == second.messages
    assert first.state == second.state
    assert (0, None) == (second.freed_tokens, second.first_changed_row)


@CONSTANTS
@clause("CMP-032", "CMP-028", "CMP-034")
@given(st.data())
def test_every_result_is_seen_afterwards(constants: Constants, data: st.DataObject) -> None:
    """Each id is replaced or kept, never both; it is replaced only where its save worked."""
    failed = data.draw(failures())
    step = step_of(data.draw(result_sessions(constants)), constants, failed)
    replaced, kept = set(step.state.texts()), set(step.state.kept)

    assert {result.id for result in find_results(step.messages)} - {None} == replaced | kept
    assert set() == replaced & (kept | failed)


@CONSTANTS
@clause("CMP-021", "CMP-022", "CMP-023", "CMP-026")
@given(st.data(), UNITS)
def test_what_is_shown_is_within_the_limit(constants: Constants, data: st.DataObject, unit: Unit) -> None:
    """Unless the tool has none, the result is not text alone, or a replacement would not be smaller."""
    rows = data.draw(result_sessions(constants))
    selection = selection_of(rows, constants, unit)
    step = settle_results(selection, {save.id: True for save in selection.saves})
    excused = {decision.id for decision in step.decisions if decision.why in {"not-text", "not-smaller", "name-taken"}}
    tools, limits = tools_of(rows), limits_of({}, {}, constants)
    first = {result.id: result for result in reversed(list(find_results(step.messages)))}
    for name, result in first.items():
        limit = limits.limit(tools.get(name or ""))
        if name is not None and name not in excused and name not in step.state.texts() and limit is not None:
            assert size_of(loose_text(result.content), unit) <= limit


@CONSTANTS
@clause("CMP-029", "CMP-030", "CMP-035")
@given(st.data())
def test_a_message_is_within_the_sum_or_nothing_more_can_go(constants: Constants, data: st.DataObject) -> None:
    """What is shown in its own words fits, or the excess is reported; behind a shut gate nothing goes for the sum."""
    rows = data.draw(result_sessions(constants))
    step = step_of(rows, constants, set())
    shut = step_of(rows, constants, set(), gates=Gates(message_sum=False))
    told = {decision.row for decision in step.decisions if decision.why == "sum-exceeded"}
    texts = step.state.texts()
    for group in message_groups(step.messages):
        own = sum(size_of(loose_text(result.content), Unit.UTF16) for result in group if result.id not in texts)
        assert own <= constants.message_cap_units or group[0].row in told
    assert not {"saved-for-sum", "sum-exceeded"} & {decision.why for decision in shut.decisions}
    assert set(shut.state.texts()) <= set(texts)


@CONSTANTS
@clause("CMP-027", "CMP-024", "CMP-025")
@given(st.data())
def test_the_file_holds_the_whole_and_the_model_is_told(constants: Constants, data: st.DataObject) -> None:
    """What is saved is the whole; the replacement names the file, holds the preview and is smaller."""
    rows = data.draw(result_sessions(constants))
    selection = selection_of(rows, constants)
    step = settle_results(selection, {save.id: True for save in selection.saves})
    for save in selection.saves:
        first = next(result for result in find_results(rows) if result.id == save.id)
        shown = next(result for result in find_results(step.messages) if result.id == save.id).content
        whole = text_of(first.content)

        assert whole is not None
        assert (whole.file_text, whole.text) == (save.file_text, loose_text(first.content))
        assert save.path in shown
        assert save.preview in shown
        assert whole.text.startswith(save.preview)
        assert len(shown) < len(whole.text) or size_of(shown, Unit.UTF16) < size_of(whole.text, Unit.UTF16)
    assert len(selection.saves) == len({save.path for save in selection.saves})


@CONSTANTS
@clause("CMP-025", "CMP-026")
@given(st.data(), UNITS)
def test_a_preview_is_the_longest_beginning_that_fits(constants: Constants, data: st.DataObject, unit: Unit) -> None:
    """It is a beginning within the limit; where it is shorter, a line end follows or a character would be split."""
    text = data.draw(texts_of_size(constants) | any_text(max_code_points=60))
    preview = preview_of(text, unit, constants)
    cap = constants.preview_cap_units
    rest = text[len(preview) :]

    assert text.startswith(preview)
    assert size_of(preview, unit) <= cap
    assert not rest or rest[0] == "\n" or size_of(preview + rest[0], unit) > cap
    assert not rest or size_of(preview, unit) * 2 >= cap or unit is Unit.UTF8


@clause("CMP-027")
@given(any_text(max_code_points=20), any_text(max_code_points=20))
def test_the_path_stays_in_its_folder_and_two_names_are_two_files(one: str, other: str) -> None:
    """No name leads out of the folder, and none is that of another."""
    path = path_of("/p/s", one, "txt")

    assert path.startswith("/p/s/tool-results/")
    assert 4 == path.count("/")
    assert path.isascii()
    assert (one == other) == (path == path_of("/p/s", other, "txt"))


@CONSTANTS
@clause("CMP-036")
@given(st.data())
def test_the_saving_is_the_difference_of_the_estimates(constants: Constants, data: st.DataObject) -> None:
    """As anybody would measure it, before and after."""
    rows = data.draw(result_sessions(constants))
    step = step_of(rows, constants, set())
    before, after = (
        estimate_messages(found, method="documented", constants=constants).tokens for found in (rows, step.messages)
    )

    assert max(0, before - after) == step.freed_tokens
