"""What is kept is given back as it is, and each event clears what its row of the table names."""

import pytest
from attrs import evolve

from keel_ref.compaction.cleanup import Store, cleanup_after
from keel_ref.conformance.marks import clause
from keel_ref.context.caches import FRESH, Caches, Happening, Kept, LoadedFor, Surroundings, ask, happen, load

OLD = Surroundings(git="g1", memory="m1", date="2026-11-30")
NEW = Surroundings(git="g2", memory="m2", date="2026-12-01")
WARM = ask(Caches(), OLD).caches


def told(caches: Caches, world: Surroundings = NEW) -> tuple[str, ...]:
    """Every value of both contexts, as whoever asks gets them."""
    after = ask(caches, world).caches
    return tuple(entry.value for entry in (*(after.system_context or ()), *(after.user_context or ())))


@clause("CTX-030", "CTX-031")
def test_a_second_call_gets_the_same_objects() -> None:
    """Nothing is made again, whatever the world says."""
    again = ask(WARM, NEW)

    assert again.caches is WARM
    assert () == again.made


@clause("CTX-032")
@pytest.mark.parametrize("injection", [None, "", "x"])
def test_an_injection_makes_both_contexts_anew_of_the_same_parts(injection: str | None) -> None:
    """Old git, old files, and today's date."""
    after = happen(WARM, Happening.INJECTED, injection)

    assert ("g1", "m1", "Today's date is 2026-12-01.") == told(after)
    assert injection == after.injection


@clause("CTX-033")
def test_a_compaction_reads_the_files_again_and_not_git() -> None:
    """And an agent's does neither."""

    assert ("g1", "m2", "Today's date is 2026-12-01.") == told(happen(WARM, Happening.COMPACTED))
    assert ("g1", "m1", "Today's date is 2026-11-30.") == told(happen(WARM, Happening.AGENT_COMPACTED))


@clause("CTX-033")
def test_the_table_agrees_with_the_cleanup() -> None:
    """What the cleanup clears of the main thread alone is fresh here, and nothing of it is for an agent."""
    shared = {Store.USER_CONTEXT, Store.MEMORY_FILES}

    assert {str(store) for store in shared} <= {str(kept) for kept in FRESH[Happening.COMPACTED]}
    assert shared <= set(cleanup_after("sdk").cleared)
    assert not shared & set(cleanup_after("agent:x").cleared)
    assert Kept.SENT_SKILL_NAMES not in FRESH[Happening.COMPACTED]


@clause("CTX-034", "CTX-035")
@pytest.mark.parametrize(
    "silent",
    [Happening.WORKTREE_ENTERED, Happening.WORKTREE_LEFT, Happening.SETTINGS_SYNCED, Happening.MEMORY_DIALOG],
)
def test_a_silent_way_forgets_the_files_alone(silent: Happening) -> None:
    """The user context that was made of them stays; a reason that waits goes on waiting."""
    after = happen(WARM, silent)

    assert ("g1", "m1", "Today's date is 2026-11-30.") == told(after)
    assert None is load(after, NEW).loaded_for
    assert LoadedFor.COMPACT is load(happen(happen(WARM, Happening.COMPACTED), silent), NEW).loaded_for


@clause("CTX-035")
def test_a_reason_serves_one_load() -> None:
    """The first load of a session uses up its reason, also where nobody listens."""
    first = load(Caches(), OLD)

    assert LoadedFor.SESSION_START is first.loaded_for
    assert None is load(evolve(first.caches, memory_files=None), OLD).loaded_for


@clause("CTX-036")
def test_to_clear_begins_anew() -> None:
    """Everything is read again, for the reason of a start; what was injected is the program's."""
    after = happen(evolve(WARM, injection="x"), Happening.CLEARED)

    assert ("g2", "m2", "Today's date is 2026-12-01.") == told(after)
    assert LoadedFor.SESSION_START is ask(after, NEW).loaded_for
    assert "x" == after.injection


@clause("CTX-037")
@pytest.mark.parametrize("happening", list(Happening))
def test_every_event_has_a_row(happening: Happening) -> None:
    """No value is named twice, and what is not named stays."""
    fresh, after = FRESH[happening], happen(WARM, happening)

    assert len(set(fresh)) == len(fresh)
    assert (Kept.USER_CONTEXT in fresh) == (after.user_context is None)
    assert (Kept.SYSTEM_CONTEXT in fresh) == (after.system_context is None)
