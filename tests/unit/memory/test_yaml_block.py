"""The bounds of a block."""

import pytest
from attrs import evolve

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory.yaml_block import BlockFailure, BlockValue, parse_block


def flat(count: int) -> str:
    """A list under one key: the mapping, the key, the list, and so many items."""
    return f"k: [{', '.join('a' * count)}]"


@clause("MEM-046")
@pytest.mark.parametrize(("kind", "nodes"), [(BlockValue, 11), (BlockValue, 12), (BlockFailure, 13)])
def test_a_block_has_as_many_nodes_as_the_bound(kind: type, nodes: int) -> None:
    """Each scalar, list and mapping is one, keys too."""

    assert isinstance(parse_block(flat(nodes - 3), evolve(TINY, yaml_cap_nodes=12)), kind)


@clause("MEM-046")
@pytest.mark.parametrize(("kind", "items"), [(BlockValue, 2), (BlockFailure, 3)])
def test_an_alias_counts_as_all_that_it_stands_for(kind: type, items: int) -> None:
    """The mapping, two keys, the list with its items, and the list once more."""
    block = f"a: &a [{', '.join('x' * items)}]\nb: *a"

    assert isinstance(parse_block(block, evolve(TINY, yaml_cap_nodes=9)), kind)


@clause("MEM-046")
@pytest.mark.parametrize(("kind", "levels"), [(BlockValue, 3), (BlockValue, 4), (BlockFailure, 5)])
def test_a_block_has_as_many_levels_as_the_bound(kind: type, levels: int) -> None:
    """Lists and mappings within one another; scalars are no level."""

    assert isinstance(parse_block("[" * levels + "]" * levels, TINY), kind)


@clause("MEM-046")
def test_a_bomb_is_met_before_it_goes_off() -> None:
    """Nine lists of nine aliases each would be a thousand million nodes."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    value = parse_block("\n".join(lines), DEFAULT)

    assert isinstance(value, BlockFailure)
    assert "nodes" in value.why


@clause("MEM-046")
@pytest.mark.parametrize(("kind", "units"), [(BlockValue, 119), (BlockValue, 120), (BlockFailure, 121)])
def test_a_block_is_as_large_as_the_bound(kind: type, units: int) -> None:
    """What is larger is not even parsed."""

    assert isinstance(parse_block("#" * units, TINY), kind)


@clause("MEM-046")
def test_levels_without_end_are_a_failure() -> None:
    """No depth of nesting raises."""

    assert isinstance(parse_block("[" * 30_000, DEFAULT), BlockFailure)
    assert isinstance(parse_block("- " * 30_000, DEFAULT), BlockFailure)
