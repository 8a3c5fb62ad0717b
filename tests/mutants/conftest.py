"""What comes of the mutants that the selected tests ask for: all of them are run in one go, before the first test."""

from collections.abc import Mapping

import pytest

from tests.mutants.mutant import Mutant, Report, run_all


@pytest.fixture(scope="session")
def reports(request: pytest.FixtureRequest) -> Mapping[str, Report]:
    """What comes of the sound model, and of each mutant that a selected test asks for."""
    specs = [getattr(item, "callspec", None) for item in request.session.items]
    asked = [spec.params["mutant"] for spec in specs if spec is not None and "mutant" in spec.params]
    controls = [getattr(getattr(item, "module", None), "CONTROL", None) for item in request.session.items]
    mutants = {mutant.name: mutant for mutant in (*controls, *asked) if isinstance(mutant, Mutant)}
    return run_all(tuple(mutants.values()))


@pytest.fixture
def control(request: pytest.FixtureRequest, reports: Mapping[str, Report]) -> Report:
    """What comes of every vector of the module's areas with the sound model."""
    found: Report = reports[request.module.CONTROL.name]
    return found
