"""Why a session compacted, in sentences."""

from typing import Any

import pytest

from keel_ref.pages.session_words import answer_sentences, layer_colour, layer_words, times, why_sentence
from tests.browser.reports import session_report

REPORT = session_report(50)


def compaction(**fields: Any) -> dict[str, Any]:
    """A compaction behind response 41."""
    return {"after_response": 41, "trigger": "auto", "pre_tokens": 170_006, "layer": "full", **fields}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (
            {},
            (
                "After response 41 the context held 170,006 tokens, at or above the threshold of 167,000, so the "
                "client compacted by itself."
            ),
        ),
        (
            {"pre_tokens": 167_000},
            (
                "After response 41 the context held 167,000 tokens, at or above the threshold of 167,000, so the "
                "client compacted by itself."
            ),
        ),
        (
            {"pre_tokens": 166_999},
            (
                "After response 41 the context held 166,999 tokens, and the client compacted by itself, though the "
                "threshold is thought to be 167,000. So the session had another window or other settings than are "
                "assumed here."
            ),
        ),
        (
            {"trigger": "manual", "pre_tokens": 90_000},
            (
                "After response 41 the context held 90,000 tokens, 77,000 below the threshold of 167,000, and the user "
                "asked for a compaction."
            ),
        ),
        (
            {"trigger": "manual", "pre_tokens": 167_000},
            "After response 41 the context held 167,000 tokens, and the user asked for a compaction.",
        ),
        (
            {"trigger": "manual", "after_response": 0, "pre_tokens": 200_000},
            "The context held 200,000 tokens, and the user asked for a compaction.",
        ),
        ({"trigger": "manual", "pre_tokens": None}, "The user asked for it."),
        (
            {"trigger": "manual", "pre_tokens": None, "predicted_tokens": 900, "after_response": None},
            "The context held 900 tokens, 166,100 below the threshold of 167,000, and the user asked for a compaction.",
        ),
        ({"pre_tokens": None}, "The record does not say how large the context was."),
        (
            {"trigger": None, "after_response": None},
            "The context held 170,006 tokens. What set it off is not recorded.",
        ),
        (
            {"layer": "reactive", "pre_tokens": 201_000},
            (
                "After response 41 the context held 201,000 tokens, more than the provider took, so the client "
                "compacted and sent the request again."
            ),
        ),
        (
            {"layer": "reactive", "pre_tokens": None},
            (
                "After response 41 the context held an amount that is not recorded, more than the provider took, so "
                "the client compacted and sent the request again."
            ),
        ),
    ],
)
def test_a_compaction_has_a_reason(fields: dict[str, Any], why: str) -> None:
    """With the size, the threshold, and who began it, as far as they are known."""

    assert why == why_sentence(compaction(**fields), REPORT)


def test_the_first_words_answer_the_question() -> None:
    """Whether it compacted, why, and where it stands."""

    assert [
        "This session compacted once.",
        (
            "It did so because the context had reached 167,000 tokens, the threshold from which the client compacts by "
            "itself."
        ),
        "Now at 30 % of auto-compact; about 12 turns left.",
    ] == list(answer_sentences(REPORT))
    assert "This session has not compacted." == next(answer_sentences(session_report(2)))


def test_one_of_two_by_itself() -> None:
    """The other was asked for, and is not put down to the threshold."""
    report = {**REPORT, "compactions": [compaction(), compaction(trigger="manual", pre_tokens=90_000)]}

    assert (
        "This session compacted twice. Once because the context had reached 167,000 tokens, the threshold from which "
        "the client compacts by itself."
    ) in " ".join(answer_sentences(report))


def test_a_contradiction_is_not_hidden_in_the_answer() -> None:
    """A compaction below the threshold is not said to have come from it."""
    report = {**REPORT, "compactions": [compaction(pre_tokens=100_000)]}

    assert "because" not in " ".join(answer_sentences(report))
    assert "Not every time the context had reached the threshold assumed" in " ".join(answer_sentences(report))


def test_a_layer_that_is_not_in_the_table_is_unknown() -> None:
    """It gets words and a colour all the same."""

    assert "a drop of which the record does not tell the cause" == layer_words("somebody")
    assert "grey" == layer_colour(None)
    assert layer_words("session_memory") == layer_words("session memory")


def test_times_are_words_where_there_are_words() -> None:
    """Once, twice, and then figures."""

    assert ["once", "twice", "3 times", "1,000 times"] == [times(number) for number in (1, 2, 3, 1_000)]
