"""`pytest --benchmark` measures the benches; a plain run tries each once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run_pytest(*arguments: str) -> str:
    """A test run of its own in the checkout; gives what it printed."""
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ended.returncode, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("option", ["--benchmark", "--benchmark-only"])
def test_the_option_measures_the_benches_and_nothing_else(option: str, tmp_path: Path) -> None:
    """The short spelling is no abbreviation that pytest-benchmark could take for another option."""
    report = tmp_path / "report.json"
    run_pytest(option, "-k", "size_utf8 and short", "--benchmark-max-time=0.001", f"--benchmark-json={report}")
    measured = json.loads(report.read_bytes())["benchmarks"]

    assert {"benches/bench_text_sizes.py::bench_size_utf8"} == {row["fullname"].partition("[")[0] for row in measured}
    assert all(row["stats"]["rounds"] > 1 for row in measured)


def test_a_folder_named_is_the_folder_measured() -> None:
    """The option adds no benches to the ones that were asked for."""

    assert "1 passed" in run_pytest("--benchmark", "benches/bench_text_sizes.py", "-k", "size_utf8 and short and fast")


def test_a_plain_run_tries_each_bench_once() -> None:
    """No table of times stands in the output, and the bench has run."""
    printed = run_pytest("benches/bench_text_sizes.py", "-k", "size_utf8 and short and fast")

    assert "1 passed" in printed
    assert "Rounds" not in printed
