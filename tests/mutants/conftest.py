"""What comes of the mutants that the tests of a module ask for: they are run in one go, before its first test."""

from collections.abc import Mapping

import pytest

from tests.mutants.mutant import Mutant, Report, run_all


@pytest.fixture(scope="module")
def reports(request: pytest.FixtureRequest) -> Mapping[str, Report]:
    """What comes of the sound model, and of each mutant that a selected test of the module asks for."""
    items = [item for item in request.session.items if getattr(item, "module", None) is request.module]
    specs = [getattr(item, "callspec", None) for item in items]
    asked = [spec.params["mutant"] for spec in specs if spec is not None and "mutant" in spec.params]
    mutants = {mutant.name: mutant for mutant in (request.module.CONTROL, *asked) if isinstance(mutant, Mutant)}
    return run_all(tuple(mutants.values()))


@pytest.fixture
def control(request: pytest.FixtureRequest, reports: Mapping[str, Report]) -> Report:
    """What comes of every vector of the module's areas with the sound model."""
    found: Report = reports[request.module.CONTROL.name]
    return found
