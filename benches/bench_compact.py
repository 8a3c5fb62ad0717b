"""A dry run of `keel-ref compact` on 17 MB, start-up included, beside a Python that parses the same lines and stops.

Run with `pytest --benchmark benches/bench_compact.py`. The lower row is the unit of the other; the claim is at most 3
times that, and less than 300 milliseconds for 10 MB on a machine at rest.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benches.session_file import make_session_file

MEASURED_BYTES = 5_000_000
"""Rounded up by whoever makes the file, to 17 MB."""
TRIED_BYTES = 1
PARSE = "import json, sys; [json.loads(line) for line in open(sys.argv[1], 'rb')]"
ROUTES = {
    "keel-ref compact --dry-run": lambda path: [
        *("-c", "import sys; from keel_ref.cli import main; sys.exit(main())"),
        *("compact", str(path), "--dry-run", "--json"),
    ],
    "json.loads of each line": lambda path: ["-c", PARSE, str(path)],
}


@pytest.fixture(scope="module")
def session_file(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """A large file where times are measured, the smallest file where the bench only runs."""
    is_measured = not pytestconfig.getoption("benchmark_disable")
    path = tmp_path_factory.mktemp("sessions") / "session.jsonl"
    return make_session_file(path, MEASURED_BYTES if is_measured else TRIED_BYTES)


@pytest.mark.parametrize("route", ROUTES)
def bench_dry_run(benchmark: BenchmarkFixture, session_file: Path, route: str) -> None:
    """One process from its start to its end."""
    command = [sys.executable, *ROUTES[route](session_file)]

    def run() -> None:
        subprocess.run(command, check=True, capture_output=True)

    benchmark.group = "compact, dry"
    benchmark.pedantic(run, rounds=7, warmup_rounds=1)
