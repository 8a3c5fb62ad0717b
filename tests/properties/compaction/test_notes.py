"""Notes fall into stretches that are the whole text, and are never due too early."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from keel_ref.choices import Choices, Unit
from keel_ref.compaction.cuts import beginning, text_tokens
from keel_ref.compaction.extraction import SinceExtraction, extraction_due, left_to_wait_ms
from keel_ref.compaction.notes import TEMPLATE, cut_notes, notes_path, notes_template, parse_notes, review_notes
from keel_ref.compaction.trace import Why
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.strategies.restoring import notes_texts

LIMITS = pytest.mark.parametrize("limits", [TINY, DEFAULT], ids=["tiny", "default"])
UNITS = st.sampled_from(Unit).map(lambda unit: Choices(unit=unit))
SINCE = st.builds(
    SinceExtraction,
    tokens=st.none() | st.integers(0, 40_000) | st.integers(0, 40),
    calls=st.integers(0, 5),
    last_turn_has_call=st.booleans(),
)


@clause("CMP-130", "CMP-131", "CMP-132", "CMP-133")
def test_the_template_is_whole_and_empty() -> None:
    """It has the ten sections with a description each, and nothing else; its place is in the session's folder."""
    review = review_notes(notes_template())

    assert (True, True) == (review.is_intact, review.is_empty)
    assert list(TEMPLATE) == [title for title, _ in review.sections]
    assert "/s/session-memory/summary.md" == notes_path("/s")


@clause("CMP-133")
@given(notes_texts())
def test_the_stretches_are_the_text(text: str) -> None:
    """Together they are the text, none is empty, and no title comes twice."""
    parts = parse_notes(text)
    titles = [part.title for part in parts]

    assert text == "".join(part.text for part in parts)
    assert all(part.text for part in parts)
    assert len({*titles}) == len(titles)


@LIMITS
@clause("CMP-138")
@given(notes_texts(), UNITS)
def test_cut_notes_are_within_their_limit_and_stay_so(limits: Constants, text: str, choices: Choices) -> None:
    """No stretch exceeds the limit, each is a beginning of what it was, and each cut is decided."""
    cut = cut_notes(text, "/s", choices=choices, constants=limits)
    cap = limits.section_cap_tokens
    heads = [beginning(part.text, cap, choices=choices, constants=limits) for part in parse_notes(text)]

    assert all(text_tokens(head, choices=choices, constants=limits) <= cap for head in heads)
    assert "".join(heads) == cut.kept
    assert (cut.kept == text) is (not cut.decisions)
    assert len(cut.kept) <= len(text)
    assert (cut.text == cut.kept) is (not cut.decisions)


@LIMITS
@clause("CMP-138")
@given(notes_texts(), UNITS)
def test_cutting_twice_is_cutting_once(limits: Constants, text: str, choices: Choices) -> None:
    """Where each heading still begins a line, what is within the limit is not cut again."""
    kept = cut_notes(text, "/s", choices=choices, constants=limits).kept
    heads = [cut_notes(part.text, "/s", choices=choices, constants=limits).kept for part in parse_notes(text)]
    assume([part.text for part in parse_notes(kept)] == heads)  # a cut may take the line end in front of a heading

    assert kept == cut_notes(kept, "/s", choices=choices, constants=limits).kept


@LIMITS
@clause("CMP-134")
@given(notes_texts(), UNITS)
def test_what_is_condensed_is_what_is_too_large(limits: Constants, text: str, choices: Choices) -> None:
    """Within the total only stretches above their limit; above it all of them, the state last."""
    review = review_notes(text, choices=choices, constants=limits)
    over = [title for title, tokens in review.sections if tokens > limits.section_cap_tokens]
    if review.tokens <= limits.notes_cap_tokens:
        assert over == list(review.condense)
    else:
        assert sorted(title for title, _ in review.sections) == sorted(review.condense)
        assert "Current State" not in review.condense[:-1]


@clause("CMP-132")
@given(notes_texts(), st.text("ab \n", max_size=9))
def test_bodies_change_and_headings_do_not(text: str, more: str) -> None:
    """Text at the end is body, and leaves the form as it was; notes equal to themselves are intact."""
    after = f"{text}\n\n{more}"

    assert review_notes(text, before=text).is_intact
    assert review_notes(after, before=f"{text}\n\n").is_intact


@LIMITS
@clause("CMP-135", "CMP-136")
@given(st.integers(0, 60_000) | st.integers(0, 60), SINCE)
def test_notes_are_never_due_too_early(limits: Constants, tokens: int, since: SinceExtraction) -> None:
    """None below the start; later none without growth; growth with calls, or with a pause, is enough."""
    is_due = extraction_due(tokens, since, constants=limits) is Why.EXTRACTION_DUE
    if since.tokens is None:
        assert is_due is (tokens >= limits.extraction_start_tokens)
        return
    has_grown = tokens - since.tokens >= limits.extraction_growth_tokens
    is_moment = since.calls >= limits.extraction_calls or not since.last_turn_has_call

    assert is_due is (has_grown and is_moment)


@LIMITS
@clause("CMP-137")
@given(st.none() | st.integers(0, 40_000))
def test_waiting_ends(limits: Constants, running_ms: int | None) -> None:
    """What is left to wait never exceeds the bound, and is nothing where nothing runs."""
    left = left_to_wait_ms(running_ms, constants=limits)

    assert 0 <= left <= limits.extraction_wait_ms
    assert left == 0 or (running_ms is not None and left + running_ms == limits.extraction_wait_ms)
