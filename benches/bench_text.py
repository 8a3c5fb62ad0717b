"""Estimates of a text: each path beside a plain read of the same bytes, the documented rule beside `len`, and peers.

Run with `pytest --benchmark`. The lowest row of a group is the unit of the others, so a figure is a ratio of two times
measured in one run.
"""

from collections.abc import Callable
from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benches.measure.exact import peers
from benches.measure.texts import KIB, LARGER_THAN_THE_CACHE, MIB, ascii_text, chinese_text, japanese_text
from keel_ref import estimate_text, fast, tokens

pytestmark = pytest.mark.skipif(fast.BACKEND != "native", reason="the model takes minutes")

if fast.BACKEND == "native":
    from keel_ref import _native

    PATHS = _native.bound_paths()
else:
    PATHS = []

SIZES = [256, 4 * KIB, 256 * KIB, LARGER_THAN_THE_CACHE]
TRIED_BYTES = 4 * KIB
"""What is enough where the benches only run once."""
LANGUAGES: dict[str, Callable[[int], str]] = {"ascii": ascii_text, "chinese": chinese_text, "japanese": japanese_text}


@pytest.fixture
def at_most(pytestconfig: pytest.Config) -> int:
    """The largest size that is of use in this run."""
    return TRIED_BYTES if pytestconfig.getoption("benchmark_disable") else LARGER_THAN_THE_CACHE


@pytest.mark.parametrize("route", ["len", "documented"])
@pytest.mark.parametrize("size", [1, KIB, MIB])
def bench_documented(benchmark: BenchmarkFixture, size: int, route: str) -> None:
    """A size that Python knows, whatever it is."""
    benchmark.group = f"documented rule, {size} B of ASCII"
    text = ascii_text(size)
    benchmark(len if route == "len" else partial(estimate_text, method="documented"), text)


@pytest.mark.parametrize("path", ["read", *PATHS])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def bench_bound(benchmark: BenchmarkFixture, at_most: int, language: str, size: int, path: str) -> None:
    """One text by each path, and a plain read of what Python keeps of it."""
    benchmark.group = f"bound, {language}, {size} B"
    text = LANGUAGES[language](min(size, at_most))
    if path == "read":
        stored = text if text.isascii() else text.encode("utf-16-le")
        benchmark(_native.read_bytes, stored, PATHS[-1])
        return
    units = benchmark(_native.bound_units, text, "any", path)

    assert estimate_text(text) == -(-units // 128)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("route", ["native", "model"])
def bench_model(benchmark: BenchmarkFixture, language: str, route: str) -> None:
    """The model, which is the definition."""
    benchmark.group = f"bound, {language}, 4 KiB, beside the model"
    text = LANGUAGES[language](4 * KIB)
    count = benchmark({"native": estimate_text, "model": tokens.estimate_text}[route], text)

    assert tokens.estimate_text(text) == count


@pytest.mark.parametrize("language", LANGUAGES)
def bench_counters(benchmark: BenchmarkFixture, at_most: int, language: str) -> None:
    """256 KiB, beside the counters that are installed; their times stand in the table of the README."""
    benchmark.group = f"bound, {language}, 256 KiB"
    text = LANGUAGES[language](min(256 * KIB, at_most))
    count = benchmark(estimate_text, text)

    assert all(exact is None or 0 < count for _, exact, _ in peers())
