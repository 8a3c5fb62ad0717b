"""Selecting, saving and settling results, beyond what the wire can say."""

from typing import Any

import pytest

from keel_ref.choices import Choices, Unit
from keel_ref.compaction.preview import preview_of, readable_size, replacement_of
from keel_ref.compaction.result_budget import select_results, settle_results
from keel_ref.compaction.result_limits import limits_of
from keel_ref.compaction.result_state import BudgetState, Replacement
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.errors import InvalidArgumentError
from keel_ref.text import size_utf16

LARGE = "x" * 50_001


def rows(content: Any = LARGE, call: str = "A") -> list[dict[str, Any]]:
    """A call and its result."""
    return [
        {"role": "assistant", "id": "m1", "content": [{"type": "tool_use", "id": call, "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": content}]},
    ]


@clause("CMP-021")
@pytest.mark.parametrize(
    ("value", "limit"),
    [(0.5, 0), (2_999.9, 2_999), (1e9, 1_000_000_000), (60_000, 60_000)],
)
def test_a_remote_value_need_not_be_whole(value: float, limit: int) -> None:
    """It is rounded down, which no size can tell from the value itself."""

    assert limit == limits_of({}, {"f": value}, DEFAULT).limit("f")


@clause("CMP-021")
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -0.5, True, "5", [], {}])
def test_a_remote_value_that_is_none_is_ignored_and_named(value: object) -> None:
    """The declared limit holds as if it were not there."""
    limits = limits_of({"f": 7}, {"f": value}, DEFAULT)

    assert (7, ("f",)) == (limits.limit("f"), limits.ignored)


@clause("CMP-021")
@pytest.mark.parametrize("value", [None, 1.5, True, -1, "Infinite", []])
def test_a_declared_limit_that_is_none_is_refused(value: object) -> None:
    """The message names the tool and both forms."""
    with pytest.raises(InvalidArgumentError, match=r"declared\.f: .*whole number of at least 0.*'infinite'"):
        limits_of({"f": value}, {}, DEFAULT)


@clause("CMP-024")
@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", "0 bytes"),
        ("x" * 1_023, "1023 bytes"),
        ("x" * 1_024, "1.0 KB"),
        ("é" * 512, "1.0 KB"),
        ("x" * 60_000, "58.6 KB"),
        ("x" * (1_024 * 1_024 - 1), "1,024.0 KB"),
        ("x" * 1_024 * 1_024, "1.0 MB"),
        ("x" * 1_024 * 1_024 * 5, "5.0 MB"),
    ],
)
def test_a_size_is_written_as_people_read_it(text: str, size: str) -> None:
    """In bytes of the file, with one decimal from a KiB on."""

    assert size == readable_size(text)


@clause("CMP-024")
def test_the_replacement_says_that_it_is_a_part() -> None:
    """Size, path and preview stand in it, and little else."""
    text = replacement_of("x" * 60_000, "/s/tool-results/A.txt", "PREVIEW")

    assert all(part in text for part in ("58.6 KB", "/s/tool-results/A.txt", "PREVIEW", "beginning"))
    assert size_utf16(text) - len("/s/tool-results/A.txt") - len("PREVIEW") <= 250


@clause("CMP-025")
def test_a_short_text_is_shown_whole() -> None:
    """Its line ends do not matter."""

    assert "x" * 1_500 + "\n" == preview_of("x" * 1_500 + "\n", Unit.UTF16, DEFAULT)


@clause("CMP-028", "CMP-032")
@pytest.mark.parametrize("outcomes", [{}, {"A": False}, {"B": True}])
def test_a_save_of_which_nothing_good_is_heard_has_failed(outcomes: dict[str, bool]) -> None:
    """The list is the one that was given, row for row, and the id is kept."""
    given = rows()
    step = settle_results(select_results(given, session_folder="/s"), outcomes)

    assert all(old is new for old, new in zip(given, step.messages, strict=True))
    assert BudgetState(kept=("A",)) == step.state
    assert ["save-failed"] == [decision.why for decision in step.decisions]


@clause("CMP-028")
def test_the_text_may_lie_elsewhere() -> None:
    """Where the saver says another path, that path is what the model reads."""
    step = settle_results(select_results(rows(), session_folder="/s"), {"A": "/elsewhere/a.txt"})

    assert "/elsewhere/a.txt" in step.messages[1]["content"][0]["content"]
    assert "tool-results" not in step.messages[1]["content"][0]["content"]


@clause("CMP-028")
def test_an_outcome_is_a_truth_value_or_a_path() -> None:
    """Anything else is the caller's mistake."""
    with pytest.raises(InvalidArgumentError, match=r"outcomes\.A"):
        settle_results(select_results(rows(), session_folder="/s"), {"A": 1})  # type: ignore[dict-item]


@clause("CMP-023")
def test_a_list_that_no_file_can_hold_stays() -> None:
    """A value without a JSON form is no reason to stop."""
    content = [{"type": "text", "text": LARGE, "extra": object()}]
    selection = select_results(rows(content), session_folder="/s")

    assert () == selection.saves
    assert ["not-text"] == [decision.why for decision in selection.decisions]


@clause("CMP-033")
def test_the_state_comes_back_as_it_was_written() -> None:
    """Through the form of JSON."""
    state = BudgetState(replaced=(Replacement(id="A", text="a"), Replacement(id="A", text="b")), kept=("B",))

    assert state == BudgetState.of(state.as_object())
    assert {"A": "a"} == state.texts()
    assert BudgetState() == BudgetState.of(None) == BudgetState.of({})


@clause("CMP-030")
@pytest.mark.parametrize("value", [-1, 1.5, True, "5"])
def test_a_sum_is_a_whole_number(value: Any) -> None:
    """At least 0."""
    with pytest.raises(InvalidArgumentError, match="sum_units"):
        select_results([], session_folder="/s", sum_units=value)


@clause("CMP-026")
def test_both_units_save_the_same_text() -> None:
    """The unit decides how much is shown, not what is kept."""
    saves = [
        select_results(rows("字" * 50_001), session_folder="/s", choices=Choices(result_unit=unit)).saves[0]
        for unit in Unit
    ]

    assert saves[0].file_text == saves[1].file_text
    assert (2_000, 666) == (len(saves[0].preview), len(saves[1].preview))
