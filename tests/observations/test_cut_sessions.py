"""What the released client was seen to cut from its sessions, and what the model cuts from the same ones."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from keel_ref.choices import Gates
from keel_ref.compaction.drop_head import drop_head
from keel_ref.compaction.micro_step import apply_microcompact
from keel_ref.compaction.microcompact import clear_old_results
from keel_ref.compaction.result_budget import select_results
from keel_ref.compaction.results import find_results
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT

SESSIONS = Path(__file__).parents[1] / "fixtures" / "sessions"
RELEASED = Gates(message_sum=False)
ONE_DAY_MS = 86_400_000


def lines_of(name: str) -> list[dict[str, Any]]:
    """The lines of a session."""
    return [json.loads(line) for line in (SESSIONS / f"{name}.jsonl").read_text("utf-8").splitlines()]


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a session that are sent, up to its first boundary."""
    rows = []
    for line in lines_of(name):
        if line.get("subtype") == "compact_boundary":
            break
        if line["type"] in {"user", "assistant"}:
            at = int(datetime.fromisoformat(line["timestamp"]).timestamp() * 1_000)
            message = line["message"]
            rows.append({"role": line["type"], "id": message.get("id"), "content": message["content"], "at": at})
    return rows


def count_answers(rows: Any) -> int:
    """Responses of the model in the rows, none of which has fragments here."""
    return sum(row["role"] == "assistant" for row in rows)


@clause("CMP-021", "CMP-022", "CMP-027")
def test_the_large_result_of_the_shell_lies_where_it_was_saved() -> None:
    """With the name that the shell gave, in the session's folder; 30,000 characters are what the row keeps."""
    line = next(line for line in lines_of("persisted-result") if isinstance(line.get("toolUseResult"), dict))
    held = line["toolUseResult"]
    path = Path(held["persistedOutputPath"])
    rows = rows_of("persisted-result")
    result = next(find_results(rows))
    assert result.id is not None
    whole = [
        *rows[:2],
        {"role": "user", "content": [{**rows[2]["content"][0], "content": "a" * held["persistedOutputSize"]}]},
    ]
    selection = select_results(whole, session_folder=str(path.parents[1]), names={result.id: path.stem})

    assert DEFAULT.shell_cap_units == len(held["stdout"])
    assert [str(path)] == [save.path for save in selection.saves]
    assert held["persistedOutputSize"] == len(selection.saves[0].file_text)
    assert "a" * DEFAULT.preview_cap_units == selection.saves[0].preview


@clause("CMP-029", "CMP-030", "CMP-035")
def test_eight_results_go_out_whole_behind_the_shut_gate() -> None:
    """They are one message of 232,000 characters: nothing goes in the released build, two by the documents."""
    rows = rows_of("eight-parallel-results")
    released = select_results(rows, session_folder="/s", gates=RELEASED)
    documented = select_results(rows, session_folder="/s")

    assert [29_000] * 8 == [len(result.content) for result in find_results(rows)]
    assert () == released.saves
    assert 2 == len(documented.saves)


@clause("CMP-052", "CMP-054")
def test_a_resumed_session_keeps_its_results_behind_the_shut_gate() -> None:
    """The next day nothing is cleared in the released build; with the gate open three of eight results are."""
    rows = rows_of("resumed-next-day")
    before = rows[: next(i for i, row in enumerate(rows) if row["content"] == "again")]
    now = before[-1]["at"] + ONE_DAY_MS
    released = apply_microcompact(before, now_ms=now, source="repl_main_thread", gates=RELEASED)
    cleared = clear_old_results(before, now_ms=now, source="repl_main_thread", is_enabled=True)

    assert 8 == len(list(find_results(before)))
    assert before == list(released.messages)
    assert ("tu_0", "tu_1", "tu_2") == cleared.ids


@pytest.mark.parametrize("name", ["summary-too-long-then-compacts", "summary-always-too-long"])
@clause("CMP-103", "CMP-104", "CMP-108")
def test_as_many_answers_are_sent_again_as_were_seen(name: str) -> None:
    """Each try sends what the server saw; an excess larger than the history leaves one round, and then none can go."""
    truth = json.loads((SESSIONS / f"{name}.truth.json").read_text("utf-8"))["attempts"][0]
    seen = [call["assistant_messages_sent"] for call in truth["calls"] if call["tools"] == "all"]
    rows: Any = rows_of(name)
    if name == "summary-always-too-long":
        rows = rows[:-1]  # the answer that came after the failed attempt
    retried = drop_head(rows, 11_539)

    assert seen == [count_answers(rows), count_answers(retried.messages)]
    assert "user" == retried.messages[0]["role"]
    assert drop_head(retried.messages, 11_539, retries=1).is_given_up
