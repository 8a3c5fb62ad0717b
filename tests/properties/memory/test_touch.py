"""What a session attaches when files are read."""

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import LoadReason
from keel_ref.strategies.laws import session
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.laws.session import Visits
from keel_ref.strategies.places import TARGETS
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios
from keel_ref.strategies.watched_tree import WatchedTree

READS = st.lists(st.sampled_from(TARGETS), min_size=1, max_size=4)


def session_of(scenario: Scenario) -> MemorySession:
    """A session on the tree in memory."""
    return MemorySession(
        plant_in_memory(scenario.tree),
        scenario.request,
        choices=scenario.choices,
        gates=scenario.gates,
        constants=scenario.constants,
    )


def visits_of(scenario: Scenario, reads: list[str]) -> Visits:
    """A session that reads these files."""
    opened = session_of(scenario)
    start = Outcome(scenario=scenario, tree=opened.world.tree, world=opened.world, load=opened.start)
    return Visits(start=start, touches=tuple(opened.touch(path) for path in reads))


@clause("MEM-143")
@given(scenarios(), READS)
def test_nothing_comes_twice_in_a_session(scenario: Scenario, reads: list[str]) -> None:
    """What was loaded at start, or attached by one read, is not attached by a later one."""

    assert [] == list(session.nothing_attaches_twice(visits_of(scenario, [*reads, *reads])))


@clause("MEM-058", "MEM-140", "MEM-148")
@given(scenarios(), READS)
def test_reads_outside_cwd_attach_nothing(scenario: Scenario, reads: list[str]) -> None:
    """Outside cwd, in bare mode, and with everything switched off, no memory comes on demand."""

    assert [] == list(session.targets_outside_attach_nothing(visits_of(scenario, reads)))


@clause("MEM-050", "MEM-057", "MEM-058")
@given(scenarios(with_links=False, requested=plain_requests()), READS)
def test_a_rule_attaches_only_where_it_matches(scenario: Scenario, reads: list[str]) -> None:
    """Its patterns match the target as seen from its base, and the target lies below that base."""

    assert [] == list(session.attached_rules_match(visits_of(scenario, reads)))


@clause("MEM-033", "MEM-141")
@given(scenarios(is_open=True, requested=plain_requests()), READS)
def test_a_rule_that_waits_comes_with_the_first_match(scenario: Scenario, reads: list[str]) -> None:
    """After a target that a waiting rule of the organisation, the user or the chain matches, the rule is there."""

    assert [] == list(session.waiting_rules_come(visits_of(scenario, reads)))


@clause("MEM-035", "MEM-141")
@given(scenarios(with_links=False, requested=plain_requests()), READS)
def test_attached_files_stand_in_their_order(scenario: Scenario, reads: list[str]) -> None:
    """Managed rules, the user's rules, the folders from cwd down with local before rules, the rules of the chain."""

    assert [] == list(session.attached_files_stand_in_order(visits_of(scenario, reads)))


@clause("MEM-144", "MEM-145")
@given(scenarios(), READS)
def test_attached_texts_keep_their_white_space(scenario: Scenario, reads: list[str]) -> None:
    """An attached text lacks frontmatter and block comments alone; where it is cut, a notice says so."""

    assert [] == list(session.attached_texts_are_untrimmed(visits_of(scenario, reads)))


@clause("MEM-147")
@given(scenarios(), READS)
def test_nothing_outside_cwd_is_included_on_demand(scenario: Scenario, reads: list[str]) -> None:
    """An approval counts at start only."""

    assert [] == list(session.nothing_external_attaches(visits_of(scenario, reads)))


@clause("MEM-142")
@given(scenarios(), READS)
def test_sources_keep_local_files_and_rules_of_the_user_out(scenario: Scenario, reads: list[str]) -> None:
    """Without the source local no local file comes on demand, without user no rule of the user."""

    assert [] == list(session.sources_hold_on_demand(visits_of(scenario, reads)))


@clause("MEM-143", "MEM-146")
@given(scenarios(), READS)
def test_a_compaction_begins_the_session_anew(scenario: Scenario, reads: list[str]) -> None:
    """After it the start-up files are those of a new session, and the same reads attach the same files again."""
    opened = session_of(scenario)
    start = opened.start
    before = [opened.touch(path).load.files for path in reads]
    again = opened.compact()

    assert start.files == tuple(
        evolve(file, reason=LoadReason.SESSION_START) if file.reason is LoadReason.COMPACT else file
        for file in again.files
    )
    assert before == [opened.touch(path).load.files for path in reads]


@clause("MEM-140")
@given(scenarios(requested=plain_requests()), st.sampled_from(("a.ts", "d/a.ts", "s/d/a.ts")))
def test_whether_the_target_exists_does_not_matter(scenario: Scenario, target: str) -> None:
    """A touch looks at the name of the target, never at the target itself."""
    watched = WatchedTree(plant_in_memory(scenario.tree))
    opened = MemorySession(watched, scenario.request)
    path = opened.touch(target).path

    assert path not in watched.read
    assert path not in watched.listed
