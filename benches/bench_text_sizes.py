"""Sizes of a text: the reference, the native kernels, and what Python users write by hand.

Run with `pytest --benchmark`. The lowest row of a group is the unit of the others, so a figure is a ratio of two times
measured in one run.
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from keel_ref import fast, text

TEXTS = {
    "ascii": "Use pnpm, never npm. Tests stand beside the code.\n" * 2_000,
    "latin": "Größe und Maß: «très» petit, niño.\n" * 2_857,
    "cjk": "提交之前先运行测试。不要直接改动生成的文件。\n" * 4_545,
    "emoji": "fix 🚀 ship 🎉 test ✅\n" * 4_762,
    "short": "a line of code",
}
"""About 100,000 code points in each storage of a Python text, and one short line for the cost of a call."""

ROUTES: dict[str, Callable[[str], int]] = {
    "reference": text.size_utf8,
    "fast": fast.size_utf8,
    "by_hand": lambda value: len(value.encode()),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", TEXTS)
def bench_size_utf8(benchmark: BenchmarkFixture, name: str, route: str) -> None:
    """Bytes of one text in UTF-8."""
    benchmark.group = f"UTF-8 bytes of {name}"
    size = benchmark(ROUTES[route], TEXTS[name])

    assert len(TEXTS[name].encode()) == size


@pytest.mark.parametrize("route", ["reference", "fast"])
@pytest.mark.parametrize("name", TEXTS)
def bench_size_utf16(benchmark: BenchmarkFixture, name: str, route: str) -> None:
    """Code units of one text in UTF-16."""
    benchmark.group = f"UTF-16 units of {name}"
    size = benchmark({"reference": text.size_utf16, "fast": fast.size_utf16}[route], TEXTS[name])

    assert len(TEXTS[name].encode("utf-16-le")) == 2 * size
