"""Worktrees, and what only looks like one."""

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.memory.values import Layer, MemoryRequest
from keel_ref.paths import Flavour, is_inside
from keel_ref.strategies.git_layouts import bare, repository, submodule, worktree
from keel_ref.strategies.items import FileTree, Item
from keel_ref.strategies.laws.outcome import INDEX_LAYERS
from keel_ref.strategies.places import OUTSIDE, REPOSITORY, WORKTREE, below
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, scenarios

IN_WORKTREE = st.sampled_from((WORKTREE, below(WORKTREE, "deep"))).map(lambda cwd: MemoryRequest(cwd=cwd, home="/h"))
ELSEWHERE = st.sampled_from(("/r/s", OUTSIDE)).map(lambda cwd: MemoryRequest(cwd=cwd))
NO_WORKTREES = (
    repository() + repository(WORKTREE),
    worktree(WORKTREE, "gitdir:\n"),
    worktree(WORKTREE, "gitdir: /nowhere\n"),
    worktree(WORKTREE, "# gitdir: /r/.git/worktrees/w\n"),
    worktree(WORKTREE, common=""),
    worktree(WORKTREE, common="/nowhere\n"),
)


def with_layout(scenario: Scenario, layout: tuple[Item, ...]) -> Scenario:
    """The same tree with other git data."""
    items = [item for item in scenario.tree.items if ".git" not in item.path]
    return evolve(scenario, tree=FileTree.grown((*layout, *items)))


@clause("MEM-009")
@given(scenarios(with_links=False, is_open=True, requested=IN_WORKTREE))
def test_a_worktree_inside_takes_the_project_files_of_the_main_checkout_away(scenario: Scenario) -> None:
    """Nothing found directly between the main root and the worktree has the layer project; local files have."""
    asked = with_layout(scenario, worktree(WORKTREE))
    for file in asked.load(plant_in_memory(asked.tree)).files:
        is_below = is_inside(file.path, WORKTREE, Flavour.POSIX)
        is_between = is_inside(file.path, REPOSITORY, Flavour.POSIX) and not is_below

        assert not (is_between and file.parent is None and file.layer is Layer.PROJECT)


@clause("MEM-009")
@given(scenarios(with_links=False, is_open=True, requested=IN_WORKTREE))
def test_a_worktree_inside_takes_nothing_else_away(scenario: Scenario) -> None:
    """What loads in two unrelated repositories and not in a worktree is reported, or was led to by what is reported."""
    plain, inside = (with_layout(scenario, layout) for layout in (NO_WORKTREES[0], worktree(WORKTREE)))
    whole, part = (asked.load(plant_in_memory(asked.tree)) for asked in (plain, inside))
    suppressed = {row.path for row in part.skipped if row.reason == "worktree-suppressed"}
    kept = {file.path for file in part.files}

    for file in whole.files:
        is_direct = file.parent is None and file.layer not in INDEX_LAYERS
        assert not is_direct or file.path in kept | suppressed


@clause("MEM-007", "MEM-010", "MEM-011")
@given(scenarios(with_links=False, is_open=True, requested=IN_WORKTREE), st.sampled_from(NO_WORKTREES))
def test_what_only_looks_like_a_worktree_changes_nothing(scenario: Scenario, layout: tuple[Item, ...]) -> None:
    """A nested repository and malformed data leave every file in, as if there were no git at all."""
    asked, without = with_layout(scenario, layout), with_layout(scenario, ())
    loads = [case.load(plant_in_memory(case.tree)).files for case in (asked, without)]
    found, expected = ([file for file in files if file.layer not in INDEX_LAYERS] for files in loads)

    assert expected == found


@clause("MEM-009", "MEM-011")
@given(
    scenarios(with_links=False, is_open=True, requested=ELSEWHERE),
    st.sampled_from((submodule(), bare(".bare"), worktree(OUTSIDE))),
)
def test_submodules_bare_parents_and_worktrees_outside_keep_everything(
    scenario: Scenario, layout: tuple[Item, ...]
) -> None:
    """None of them lies inside the repository that it shares files with."""
    asked = with_layout(scenario, layout)
    load = asked.load(plant_in_memory(asked.tree))

    assert not [row for row in load.skipped if row.reason == "worktree-suppressed"]
