"""Repeats, thrash, the turn machine beside the record, and what is left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.session.sessions import Writer, report_of

REMINDER = "remember this: " * 20


def grown(sizes: list[int], **about: Any) -> dict[str, Any]:
    """A session with contexts of these sizes, one turn each."""
    writer = Writer()
    for size in sizes:
        writer.say("on")
        writer.answer(size)
    return writer.report(**about)


def left(report: dict[str, Any], stage: str = "auto") -> tuple[int, int, int]:
    """Tokens, responses and turns until a stage."""
    found = report["forecast"]["left"][stage]
    return found["tokens"], found["responses"], found["turns"]


def test_the_same_text_again_is_a_repeat() -> None:
    """Of an attachment, a memory file, a result and the client's words; a person may say a thing twice."""
    writer = Writer()
    for _ in range(3):
        writer.say(REMINDER)
        writer.attach("todo_reminder", content=REMINDER + "1")
        writer.attach("nested_memory", path="/p/CLAUDE.md", content={"content": REMINDER + "2"})
        writer.say(REMINDER + "3", isMeta=True)
        writer.answer(20_000, call="Read")
        writer.result(REMINDER + "4")
    repeats = writer.report()["repeats"]

    assert {"attachment": 3, "memory": 3, "client": 3, "tool_result": 3} == {
        one["kind"]: one["times"] for one in repeats
    }
    assert [150] * 4 == [one["wasted"] for one in repeats]
    assert [2, 8, 14] == next(one["lines"] for one in repeats if one["kind"] == "attachment")


def test_what_has_gone_may_come_again() -> None:
    """Behind a compaction the first copy is no longer there; small texts are alike by chance."""
    writer = Writer()
    writer.attach("todo_reminder", content=REMINDER)
    writer.attach("todo_reminder", content="ok")
    writer.answer(168_000)
    writer.compact(168_000)
    writer.attach("todo_reminder", content=REMINDER)
    writer.attach("todo_reminder", content="ok")
    writer.attach("todo_reminder", content="ok")

    assert [] == writer.report()["repeats"]


def test_many_lines_are_not_all_named() -> None:
    """Twenty of them, and all are counted."""
    writer = Writer()
    for _ in range(50):
        writer.attach("todo_reminder", content=REMINDER)
    (one,) = writer.report()["repeats"]

    assert (50, 20) == (one["times"], len(one["lines"]))


def compacting(stretches: list[int], trigger: str = "auto") -> dict[str, Any]:
    """A compaction, then so many responses before the next, and so on."""
    writer = Writer()
    writer.answer(168_000)
    writer.compact(168_000, trigger=trigger)
    for stretch in stretches:
        for place in range(stretch):
            writer.answer(168_000 if place == stretch - 1 else 20_000)
        writer.compact(168_000, trigger=trigger)
    return writer.report()


@pytest.mark.parametrize(
    ("stretches", "runs"), [([], []), ([3], [2]), ([4], []), ([1, 2, 3], [4]), ([3, 4, 3], [2, 2]), ([4, 4], [])]
)
def test_compactions_close_together_are_thrash(stretches: list[int], runs: list[int]) -> None:
    """With at most three responses between; a run ends where there are more."""

    assert runs == [one["compactions"] for one in compacting(stretches)["thrash"]]


def test_what_a_person_asks_for_is_no_thrash() -> None:
    """However often."""

    assert [] == compacting([1, 1, 1], trigger="manual")["thrash"]


def test_a_fourth_refill_was_not_to_be_compacted() -> None:
    """The machine stops the session where the record goes on."""
    (one,) = compacting([2, 2, 2])["differences"]

    assert ("stop", "compact", "CMP-076") == (one["expected"], one["recorded"], one["clause"])


@pytest.mark.parametrize(
    ("size", "acts"),
    [
        (166_999, []),
        (167_000, [("compact", "send", "CMP-071")]),
        (177_000, [("compact", "send", "CMP-071"), ("refuse", "send", "CMP-078")]),
    ],
)
def test_a_compaction_that_is_not_there(size: int, acts: list[tuple[str, str, str]]) -> None:
    """Due at the threshold; behind a failed attempt nothing is sent from the limit on."""
    report = grown([size, 20_000])
    size_at = report["responses"][0]["context"]

    found = [(one["expected"], one["recorded"], one["clause"]) for one in report["differences"]]
    assert (size, acts if size != 166_999 else found) == (size_at, found)


def test_the_threshold_to_the_token() -> None:
    """166,999 with a prompt of one token is due; 166,998 is not."""

    assert [1, 0] == [len(grown([size, 20_000])["differences"]) for size in (166_999, 166_998)]


def test_switched_off_nothing_is_due() -> None:
    """Until the limit from which no request is sent."""
    env = {"DISABLE_AUTO_COMPACT": "1"}

    assert [] == grown([170_000, 20_000], env=env)["differences"]
    assert ["CMP-078"] == [one["clause"] for one in grown([177_000, 20_000], env=env)["differences"]]


def test_a_use_that_is_too_large_for_the_model() -> None:
    """The record contradicts the model, and no smaller window helps; it is said, and nothing is taken in its place."""
    report = grown([250_000, 260_000])

    assert (200_000, "model") == (report["window"], report["window_source"])
    assert "a request held 260,000 tokens, more than a window of 200,000" in report["findings"][0]["text"]


def test_models_with_other_thresholds_are_told() -> None:
    """Stages are those of the last one; of a model with the same thresholds there is nothing to say."""
    writer = Writer()
    writer.answer(10_000, model="claude-sonnet-4-6")
    writer.answer(11_000, model="claude-haiku-4-5")
    writer.answer(12_000)

    (finding,) = [one for one in writer.report()["findings"] if one["rule"] == "S4"]
    assert "2 models with different thresholds answered" in finding["text"]
    assert "not for claude-sonnet-4-6." in finding["text"]
    assert [] == [one for one in writer.report(window=200_000)["findings"] if one["rule"] == "S4"]


@pytest.mark.parametrize(("minutes", "told"), [(59, []), (60, [60]), (-90, [])])
def test_an_hour_is_a_pause(minutes: int, told: list[int]) -> None:
    """From response to response; times that run backwards are none."""
    writer = Writer()
    writer.answer(10_000)
    writer.wait(minutes)
    writer.answer(11_000)

    assert told == [one["minutes"] for one in writer.report()["pauses"]]


def test_what_is_left_at_the_present_rate() -> None:
    """Ten thousand a turn: from 40,000 it takes 13 to 167,000."""

    assert (127_000, 13, 13) == left(grown([10_000, 20_000, 30_000, 40_000]))
    assert (
        "never compacted; now at 24 % of auto-compact; about 13 turns left at the present rate"
        == grown([10_000, 20_000, 30_000, 40_000])["answer"]
    )


def test_the_last_twenty_count() -> None:
    """What was long ago does not."""

    assert 100 == grown([50_000 * min(place, 1) + 100 * place for place in range(30)])["forecast"]["per_response"]


def test_what_fell_is_no_rate() -> None:
    """The drop is left out, growth before and behind it counts."""
    report = grown([20_000, 21_000, 10_000, 13_000])

    assert (2_000, 2) == (report["forecast"]["per_response"], report["forecast"]["responses_measured"])


@pytest.mark.parametrize("sizes", [[20_000], [20_000, 20_000], []])
def test_without_growth_nothing_is_foretold(sizes: list[int]) -> None:
    """One response, or none that grew."""
    report = grown(sizes)

    assert (None, None) == (report["forecast"]["per_response"], report["forecast"]["left"]["auto"]["responses"])


def test_a_stage_that_is_reached() -> None:
    """Nothing is left of it, and the next request compacts."""
    report = grown([150_000, 168_000])

    assert ((0, 0, 0), (0, 0, 0), (9_000, 1, 1)) == tuple(
        left(report, stage) for stage in ("warning", "auto", "blocking")
    )
    assert ("compact", "auto") == (report["forecast"]["next"], report["forecast"]["state"])
    assert report["answer"].endswith("the next request compacts")


def test_other_settings_change_what_is_left() -> None:
    """Half of the window, a smaller one, and none at all; what changes nothing is not told."""
    told = {one["setting"]: one for one in grown([10_000, 20_000, 30_000, 40_000])["forecast"]["what_if"]}

    assert 5 == told["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50"]["left"]["auto"]["responses"]
    assert 3 == told["CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000"]["left"]["auto"]["responses"]
    assert (False, None) == (
        told["DISABLE_AUTO_COMPACT=1"]["auto_enabled"],
        told["DISABLE_AUTO_COMPACT=1"]["left"]["auto"]["tokens"],
    )
    assert 967_000 == told["[1m] behind the model's name"]["auto"]
    smaller = {one["setting"] for one in grown([10_000], window=50_000)["forecast"]["what_if"]}
    assert "CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000" not in smaller


def test_a_conversation_that_is_the_smaller_part_is_told() -> None:
    """Rows to which nothing leads: what is told holds for the rest alone."""
    writer = Writer()
    for _ in range(3):
        writer.answer(10_000)
        writer.parent = None
    writer.say("thank you")
    writer.answer(10_000)

    (finding,) = [one for one in writer.report()["findings"] if one["rule"] == "S1"]
    assert "3 of 4 responses stand outside the conversation" in finding["text"]


def test_times_are_those_of_the_file() -> None:
    """To the millisecond, also at the end of a minute and of a year."""
    times = ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "1969-12-31T23:59:59.001Z"]
    writer = Writer()
    for time in times:
        writer.answer(10_000)["timestamp"] = time

    assert times == [one["at"] for one in writer.report()["responses"]]


def test_an_empty_file_has_an_empty_report() -> None:
    """No response, no threshold is reached."""
    report = report_of([])

    assert ("no response is recorded", [], 200_000) == (report["answer"], report["responses"], report["window"])
