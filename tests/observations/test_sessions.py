"""What the released client did in recorded sessions, reproduced through the turn machine."""

from __future__ import annotations

from collections import Counter

import pytest

from keel_ref.compaction import Why
from keel_ref.messages.rows import is_boundary
from tests.observations.sessions import FOLDER, FORKS, NAMES, Replay, replay


@pytest.fixture(scope="module", params=NAMES)
def run(request: pytest.FixtureRequest) -> Replay:
    """One session, driven to its end."""
    return replay(request.param)


def test_every_session_has_its_truth() -> None:
    """A file without one would be no observation."""

    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == NAMES


def test_the_attempts_are_those_that_were_seen(run: Replay) -> None:
    """How many, each with its calls, their tools and answers sent, its success, and what came back, how, in order."""

    assert run.truth["attempts"] == run.attempts
    assert [] == run.outcomes


def test_the_boundaries_are_those_of_the_file(run: Replay) -> None:
    """Their triggers, and the size of the context to the token."""
    boundaries = [row for row in run.state.log if is_boundary(row)]

    found = [{"trigger": row["trigger"], "preTokens": row["tokens_before"]} for row in boundaries]
    assert run.truth["boundaries"] == found


def test_each_fork_sends_the_rows_that_its_side_file_holds(run: Replay) -> None:
    """By their names, in order: the whole view first, then what is left when the head has gone."""

    assert FORKS.get(run.name, []) == run.forks


def test_as_many_requests_are_sent(run: Replay) -> None:
    """The pass that the refill guard ends sends none."""

    assert run.truth["main_requests"] == run.requests


def test_the_guard_ends_the_session_that_refills_at_once() -> None:
    """After three compactions, and nowhere else."""
    ends = {name: replay(name).ends for name in NAMES}

    assert {"auto-compact-thrice": ["refill-guard"]} == {name: found for name, found in ends.items() if found}


def test_the_breaker_opens_behind_three_attempts() -> None:
    """Three failed, and every later pass in which it would be due declines."""
    counted = Counter(one.why for one in replay("summary-fails-thrice").trace)

    assert (3, 6) == (counted[Why.FAILED], counted[Why.BREAKER_OPEN])


def test_a_usage_above_the_blocking_limit_compacts_first() -> None:
    """The pass that compacted is not blocked."""
    reasons = [one.why for one in replay("compact-above-blocking").trace]

    assert Why.COMPACTED in reasons
    assert Why.BLOCKING_LIMIT not in reasons
