"""What the native estimates keep in memory: nothing in proportion to the text."""

import re
import tracemalloc
from pathlib import Path

import pytest

from keel_ref import _native

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")
RESETS_THE_PEAK = "5"

CODE_POINTS = 8_000_000
"""A copy of such a text in any form would take megabytes."""
ALLOWED_KIB = 512
"""Stacks, and pages that the interpreter asks for meanwhile."""
TEXTS = {"ascii": "plain ", "latin": "Größe ", "wide": "提交 a", "widest": "fix 🚀 "}


@pytest.fixture(params=[*TEXTS, "bytes", "broken"])
def text(request: pytest.FixtureRequest) -> str | bytes:
    """A large text in each storage, and as bytes."""
    match request.param:
        case "bytes":
            return "提交 ab".encode() * (CODE_POINTS // 8)
        case "broken":
            return b"plain \xff" * (CODE_POINTS // 7)
        case name:
            return TEXTS[name] * (CODE_POINTS // len(TEXTS[name]))


@pytest.mark.parametrize("method", ["bound", "documented"])
@pytest.mark.skipif(not RESET.exists(), reason="the peak of memory is read from Linux")
def test_an_estimate_takes_no_memory_for_the_text(text: str | bytes, method: str) -> None:
    """The peak of the process stays where it was, whatever the text is kept in."""
    _native.estimate_text("warm up", method=method)
    RESET.write_text(RESETS_THE_PEAK, encoding="ascii")
    before = peak_kib()
    _native.estimate_text(text, method=method)

    assert peak_kib() - before < ALLOWED_KIB


def test_an_estimate_makes_no_object_of_python(text: str | bytes) -> None:
    """But the number that it gives."""
    tracemalloc.start()
    try:
        _native.estimate_text(text)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak_bytes < 1_000


def peak_kib() -> int:
    """The most memory that the process has had at once since the peak was reset."""
    found = re.search(r"^VmHWM:\s*(\d+) kB$", STATUS.read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1])
