"""Whatever a repository, a memory or a plan says, what surrounds the conversation keeps its form."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Gates
from keel_ref.conformance.marks import clause
from keel_ref.context.git_snapshot import CLEAN, REMARK, STATUS_NOTICE, GitSnapshot, NoSnapshot, Part, snapshot_of
from keel_ref.context.reminders import Form, Mode, cadence_of, injected_memory, is_prompt
from keel_ref.context.system_context import ContextEntry, system_blocks, system_context
from keel_ref.context.user_context import META, TAG, context_message, user_context, with_user_context
from keel_ref.errors import InvalidArgumentError
from keel_ref.ports import GitAnswer, GitProblem, GitRefusal
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.text import any_text
from keel_ref.text import size_utf8, size_utf16, trim_white_space

LONG = st.builds(lambda text, count: text * count, any_text(), st.sampled_from([1, 200, 700]))
DATES = st.sampled_from(["2026-11-30", "1999-12-31"])


@clause("CTX-001", "CTX-004", "CTX-005", "CTX-006", "CTX-007", "CTX-008")
@given(status=LONG, branch=any_text(), user=any_text(), commits=any_text())
def test_a_snapshot_has_its_blocks_and_says_where_it_was_cut(status: str, branch: str, user: str, commits: str) -> None:
    """The notice stands if and only if the trimmed status is longer than 2,000 units."""
    found = snapshot_of(GitAnswer(branch=branch, user=user, status=status, commits=commits))
    trimmed = trim_white_space(status) or CLEAN

    assert isinstance(found, GitSnapshot)
    assert (size_utf16(trimmed) > 2_000) == found.is_cut == (STATUS_NOTICE in found.text.replace(status, ""))
    assert trimmed.startswith(found.status)
    assert 2_000 - found.is_cut <= size_utf16(found.status) <= 2_000 or found.status == trimmed
    assert found.text.startswith(f"{REMARK}\n\n")
    assert (Part.USER in found.parts) == bool(trim_white_space(user))
    assert 5 >= len(found.commits)
    assert found.branch == (trim_white_space(branch) or "HEAD")
    assert "main" == found.main_branch


@clause("CTX-002", "CTX-003")
@pytest.mark.parametrize("problem", list(GitProblem))
def test_a_refusal_is_no_snapshot(problem: GitProblem) -> None:
    """Whatever the reason, and it is kept."""

    assert NoSnapshot(why=problem, detail="d") == snapshot_of(GitRefusal(problem, "d"))


@clause("CTX-010", "CTX-011", "CTX-012")
@given(git=st.none() | any_text(), injection=st.none() | any_text(), prompt=st.lists(any_text()), is_open=st.booleans())
def test_the_system_context_is_the_last_block(
    git: str | None, injection: str | None, prompt: list[str], *, is_open: bool
) -> None:
    """No block is empty, none is lost, and the entries are those that there are."""
    entries = system_context(git, injection, Gates(break_cache=is_open))
    blocks = system_blocks(prompt, entries)

    assert [entry.key for entry in entries] == ["gitStatus"] * bool(git) + ["cacheBreaker"] * bool(
        injection and is_open
    )
    assert [text for text in prompt if text] == list(blocks[: len(blocks) - bool(entries)])
    assert "" not in blocks
    assert not entries or blocks[-1].startswith(f"{entries[0].key}: {entries[0].value}")


@clause("CTX-020", "CTX-021", "CTX-022", "CTX-023", "CTX-086")
@given(memory=st.none() | any_text(), date=DATES, rows=json_rows(2))
def test_the_user_context_is_one_message_in_front(memory: str | None, date: str, rows: list[Any]) -> None:
    """The date is always told, memory if and only if there is any, and the rows stay what they are."""
    entries = user_context(memory, date)
    first, *rest = with_user_context(rows, entries)

    assert rows == rest
    assert ("user", True) == (first["role"], first[META])
    assert not is_prompt(first)
    assert ContextEntry("currentDate", f"Today's date is {date}.") == entries[-1]
    assert [entry.value for entry in entries[:-1]] == [memory] * bool(memory)
    assert first["content"].startswith(f"<{TAG}>\n")
    assert first["content"].endswith(f"\n</{TAG}>\n")
    assert all(f"\n# {entry.key}\n{entry.value}\n" in context_message(entries)["content"] for entry in entries)


@clause("CTX-022")
@pytest.mark.parametrize("date", ["", "2026-11-3", "2026-11-30\n", "30.11.2026", "\u0662026-11-30"])
def test_another_form_is_no_date(date: str) -> None:
    """It is the caller's mistake."""
    with pytest.raises(InvalidArgumentError):
        user_context(None, date)


@clause("CTX-045")
@given(text=LONG | st.builds(lambda text, count: f"{text}\n" * count, any_text(), st.integers(195, 205)))
def test_an_injected_memory_is_within_both_limits(text: str) -> None:
    """A beginning of at most 200 lines and 4,096 bytes; the note, with the full path, if and only if it was cut."""
    found = injected_memory("/m/a.md", text)

    assert text.startswith(found.text)
    assert 200 >= len(found.text.removesuffix("\n").split("\n"))
    assert 4_096 >= size_utf8(found.text)
    assert (found.text != text) == found.is_cut == (found.note is not None)
    assert found.note is None or "/m/a.md" in found.note


MOMENTS = st.lists(st.sampled_from(["prompt", "prompt", "prompt", "prompt", "result", "compact", "exit"]), max_size=80)


@clause("CTX-040", "CTX-041", "CTX-042", "CTX-043", "CTX-044")
@given(moments=MOMENTS, mode=st.sampled_from(list(Mode)))
def test_reminders_of_one_stay_keep_their_distance(moments: list[str], mode: Mode) -> None:
    """Never two within five turns; the first of a view is full, and every fifth behind it."""
    rows: list[dict[str, Any]] = []
    since: list[int] = []
    for moment in moments:
        match moment:
            case "prompt":
                rows.append({"role": "user", "content": "x"})
                since = [turns + 1 for turns in since]
            case "result":
                rows.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]})
            case "compact":
                rows += [
                    {"role": "system", "subtype": "compact_boundary"},
                    {"role": "attachment", "attachment": f"{mode}_mode"},
                ]
                since = [0]
            case _:
                rows.append({"role": "attachment", "attachment": f"{mode}_mode_exit"})
                since = []
        due = cadence_of(rows, mode).due

        assert (not since or since[-1] >= 5) == (due is not None)
        if due is not None:
            assert (Form.FULL if len(since) % 5 == 0 else Form.SHORT) is due
            rows.append({"role": "attachment", "attachment": f"{mode}_mode", "form": str(due)})
            since.append(0)


@clause("CTX-040")
@given(rows=json_rows(2))
def test_any_rows_give_a_cadence(rows: list[Any]) -> None:
    """What is no row of ours counts nothing."""
    cadence = cadence_of(rows, Mode.PLAN)

    assert (cadence.turns is None) == (cadence.reminders == 0)
