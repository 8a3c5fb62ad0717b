"""What entered adds up to what the provider counted."""

from __future__ import annotations

from tests.unit.session.sessions import Writer


def session() -> Writer:
    """One of each kind."""
    writer = Writer()
    writer.attach("instructions", files=[{"path": "/p/CLAUDE.md", "type": "Project", "content": "m" * 40}])
    writer.say("o" * 80)
    writer.answer(20_000, output=30, call="Read")
    writer.result("r" * 400)
    writer.attach("todo_reminder", content="t" * 20)
    writer.say("c" * 12, isMeta=True)
    writer.say("s" * 4_000, isVisibleInTranscriptOnly=True)
    writer.answer(20_200, output=50)
    writer.compact(20_300, trigger="manual")
    writer.say("o" * 8)
    writer.answer(16_000)
    return writer


def test_each_kind_has_its_name() -> None:
    """Estimates by a quarter of the size; the model's words as recorded; what only the person saw is not there."""
    first, second, third = (one["entered"] for one in session().report()["responses"])

    assert {"memory": 10, "own_words": 20, "unattributed": 19_970} == first
    assert {
        "assistant": 30,
        "tool_results": {"Read": 100},
        "attachments": {"todo_reminder": 5},
        "client": 3,
        "unattributed": 62,
    } == second
    assert {"summary": 100, "own_words": 2, "unattributed": 15_898} == third


def test_it_adds_up_over_the_session() -> None:
    """Kind by kind."""
    found = session().report()["entered"]

    assert (22, 30, {"Read": 100}, 19_970 + 62 + 15_898) == (
        found["own_words"],
        found["assistant"],
        found["tool_results"],
        found["unattributed"],
    )


def test_a_result_without_its_call() -> None:
    """Is of an unknown tool."""
    writer = Writer()
    writer.say("x")
    writer.answer(1_000)
    writer.result("r" * 40)
    writer.answer(1_100)

    assert {"unknown tool": 10} == writer.report()["entered"]["tool_results"]
