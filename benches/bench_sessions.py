"""A session file from the page cache: native figures and the log beside `orjson.loads` line by line and a plain read.

Run with `pytest --benchmark`. The lowest row is the unit of the others, so a figure is a ratio of two times of one run.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benches.session_file import load_lines, make_session_file, read_plainly
from keel_ref import fast
from keel_ref.adapters.session_stream import read_session_log

MEASURED_BYTES = 100_000_000
TRIED_BYTES = 1


@pytest.fixture(scope="module")
def session_file(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """A large file where times are measured, the smallest one where the bench only runs."""
    is_measured = not pytestconfig.getoption("benchmark_disable")
    path = tmp_path_factory.mktemp("sessions") / "session.jsonl"
    return make_session_file(path, MEASURED_BYTES if is_measured else TRIED_BYTES)


ROUTES: dict[str, Callable[[Path], object]] = {
    "session log": lambda path: read_session_log(str(path)),
    "documented, 1 thread": lambda path: fast.estimate_transcript(path, method="documented", threads=1),
    "documented, 2 threads": lambda path: fast.estimate_transcript(path, method="documented", threads=2),
    "bound, 1 thread": lambda path: fast.estimate_transcript(path, threads=1),
    "bound, 2 threads": lambda path: fast.estimate_transcript(path, threads=2),
    "plain read": read_plainly,
    **({"orjson.loads": partial(load_lines, import_module("orjson").loads)} if find_spec("orjson") else {}),
}


@pytest.mark.skipif(fast.BACKEND != "native", reason="the model takes minutes")
@pytest.mark.parametrize("route", ROUTES)
def bench_session_file(benchmark: BenchmarkFixture, session_file: Path, route: str) -> None:
    """One file from the first line to the last."""
    benchmark.group = "a session file"
    benchmark.pedantic(ROUTES[route], (session_file,), rounds=5, warmup_rounds=1)


@pytest.mark.skipif(fast.BACKEND != "native", reason="the model takes minutes")
def bench_made_file_is_sound(session_file: Path) -> None:
    """No line of the file is broken, so that nothing is passed over."""
    figures = fast.estimate_transcript(session_file, method="documented")

    assert 0 == figures.broken
    assert 0 < figures.rows
