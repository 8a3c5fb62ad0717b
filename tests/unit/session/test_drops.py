"""Which layer made a context smaller: told where the record shows it, unknown where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from keel_ref.choices import Gates
from keel_ref.compaction.results import CLEARED_TEXT
from tests.unit.session.sessions import MODEL, Writer


def full(writer: Writer, size: int = 168_000) -> Writer:
    """A prompt and an answer that fill the window."""
    writer.say("hello")
    writer.answer(size)
    return writer


def compaction(writer: Writer, **about: Any) -> dict[str, Any]:
    """The only one of them."""
    (one,) = writer.report(**about)["compactions"]
    return dict(one)


@pytest.mark.parametrize(
    ("trigger", "layer"), [("auto", "full"), ("manual", "manual"), (None, "unknown"), ("elsewhere", "unknown")]
)
def test_a_boundary_names_what_set_it_off(trigger: str | None, layer: str) -> None:
    """By hand, by itself, or in a way that nobody knows."""
    writer = full(Writer())
    writer.compact(168_000, trigger=trigger)

    assert layer == compaction(writer)["layer"]


def test_kept_rows_are_those_of_session_memory() -> None:
    """The tail that a boundary names; what it keeps is not dropped."""
    writer = full(Writer())
    first, last = writer.say("the last words"), writer.answer(168_100)
    writer.compact(168_200, headUuid=first["uuid"], anchorUuid="row-5", tailUuid=last["uuid"])
    one = compaction(writer)

    assert ("session_memory", 2, 2) == (one["layer"], one["kept"]["rows"], one["dropped"]["rows"])


def test_a_refused_request_makes_it_reactive() -> None:
    """The error row stands just before the boundary."""
    writer = full(Writer())
    writer.fail("Prompt is too long: 201000 tokens > 200000 maximum")
    writer.compact(168_001)

    assert "reactive" == compaction(writer)["layer"]


def test_why_it_happened() -> None:
    """At the threshold, below it, by hand, and not recorded."""
    told = []
    for trigger, size in (("auto", 167_000), ("auto", 166_999), ("manual", 20_000), (None, 20_000)):
        writer = full(Writer(), size)
        writer.compact(size, trigger=trigger)
        told.append(compaction(writer, window=200_000)["why"].split(",")[0])

    assert ["167", "it began at 166", "somebody asked for it", "the boundary does not say why"] == told


def test_the_predicted_size_stands_beside_the_recorded_one() -> None:
    """168,000 and five of output, and a word of 2 characters; the record says one more."""
    writer = full(Writer())
    writer.answer(168_000, output=5, call="Bash")
    writer.result("ok")
    writer.compact(168_007)
    one = compaction(writer)

    assert (168_007, 168_006) == (one["pre_tokens"], one["predicted_tokens"])


def test_a_boundary_without_figures_is_still_one() -> None:
    """Unknown stays unknown; what follows is behind it."""
    writer = full(Writer())
    writer.compact(None, trigger=None)
    one = compaction(writer)

    assert (None, None, None) == (one["pre_tokens"], one["trigger"], one["post_tokens"])


def test_restored_files_are_told_where_the_record_has_them() -> None:
    """Attachments behind the summary, before anybody speaks."""
    writer = full(Writer())
    writer.compact(168_000)
    writer.attach("file", filename="/p/a.txt", content={"type": "text", "file": {"content": "text"}})
    writer.attach("compact_file_reference", filename="/p/b.txt")
    writer.say("now then")
    writer.attach("file", filename="/p/c.txt", content={"type": "text", "file": {"content": "text"}})

    expected = [{"path": "/p/a.txt", "how": "inlined"}, {"path": "/p/b.txt", "how": "named"}]
    assert expected == compaction(writer)["restored"]


def drop(between: Any, *, model: str = MODEL) -> dict[str, Any]:
    """The drop of 10,000 tokens behind something that happened."""
    writer = full(Writer(), 40_000)
    between(writer)
    writer.answer(30_000, model=model)
    (one,) = writer.report()["drops"]
    return dict(one)


def test_what_the_record_shows_is_told() -> None:
    """A row of the client, the command, and the text that stands in the place of a cleared result."""

    def cleared(writer: Writer) -> None:
        writer.answer(40_001, call="Read")
        writer.result(CLEARED_TEXT)

    assert "snip" == drop(lambda writer: writer.put("system", subtype="snip_boundary"))["layer"]
    assert "micro" == drop(lambda writer: writer.put("system", subtype="microcompact_boundary"))["layer"]
    assert "clear" == drop(lambda writer: writer.say("<command-name>/clear</command-name>"))["layer"]
    assert "micro" == drop(cleared)["layer"]


def test_what_it_does_not_show_is_unknown() -> None:
    """With what may be behind it."""
    plain, late = drop(lambda writer: writer.say("x")), drop(lambda writer: writer.wait(60))
    other = drop(lambda writer: writer.say("x"), model="another-model")

    assert {("unknown", 10_000)} == {(one["layer"], one["tokens"]) for one in (plain, late, other)}
    assert "time_micro" in late["why"]
    assert "another-model" in other["why"]


def test_the_first_response_and_growth_are_no_drop() -> None:
    """Nor is the same size again."""
    writer = full(Writer(), 40_000)
    writer.answer(40_000)
    writer.answer(40_001)

    assert [] == writer.report()["drops"]


def test_a_side_chain_and_a_branch_are_not_in_the_conversation() -> None:
    """A sub-agent's small context is no drop, and neither is an abandoned answer; both are counted."""
    writer = full(Writer(), 40_000)
    home = writer.parent
    writer.answer(90_000)
    writer.parent = home
    writer.say("another way")
    writer.answer(41_000)
    aside = writer.answer(1_000)
    aside.update(isSidechain=True, agentId="a")
    report = writer.report()

    assert ([], [40_000, 41_000]) == (report["drops"], [one["context"] for one in report["responses"]])
    assert (1, 1, 4) == tuple(report["totals"][key] for key in ("side_chains", "outside", "responses"))


def test_gates_change_no_layer() -> None:
    """Nobody guesses a layer from a gate."""
    writer = full(Writer())
    writer.compact(168_000)

    assert "full" == compaction(writer, gates=Gates())["layer"]
