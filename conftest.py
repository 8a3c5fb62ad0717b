"""Options of a test run in the checkout: `pytest --benchmark` measures, and runs nothing but the benches."""

from pathlib import Path

import pytest

BENCHES = Path(__file__).parent / "benches"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one option; without it each bench runs once, as a test."""
    group = parser.getgroup("keel-ref")
    group.addoption(
        "--benchmark", action="store_true", dest="measure", help="measure what is in benches/, and run only that"
    )


@pytest.hookimpl(tryfirst=True)  # before pytest-benchmark reads its own options
def pytest_configure(config: pytest.Config) -> None:
    """Let `--benchmark`, or pytest-benchmark's own `--benchmark-only`, win over the project's `--benchmark-disable`."""
    if not (config.option.measure or config.option.benchmark_only):
        return
    config.option.benchmark_disable = False
    config.option.benchmark_only = True
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(BENCHES)]
