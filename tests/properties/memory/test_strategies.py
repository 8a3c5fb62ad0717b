"""What the strategies of this area draw often enough for a property to meet it."""

from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings

from keel_ref.memory.values import Layer
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, scenarios
from keel_ref.trace import Reason

MANY = 1_500
RARE = {Reason.ON_DEMAND}
"""Reasons that a start-up load never gives."""


def test_scenarios_meet_every_layer_and_every_reason() -> None:
    """Each layer loads, each reason is given, includes go several hops, and warnings are drawn."""
    met: Counter[object] = Counter()

    @settings(
        max_examples=MANY,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios())
    def count(scenario: Scenario) -> None:
        load = scenario.load(plant_in_memory(scenario.tree))
        met.update(file.layer for file in load.files)
        met.update(row.reason for row in load.skipped)
        met.update(notice.kind for notice in load.notices)
        met.update(f"{file.depth} hops" for file in load.files)

    count()
    wanted = {*Layer, *(set(Reason) - RARE), "1 hops", "2 hops", "index-cut", "frontmatter-invalid"}

    assert set() == {word for word in wanted if not met[word]}
