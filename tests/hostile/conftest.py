"""Where hostile trees stand, and what watches over the tests that stay in this process."""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hostile.place import PATIENCE_SECONDS, Place

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder with a name of its own is made in it)
ROOM_BYTES = 1 << 28


def pytest_configure(config: pytest.Config) -> None:
    """Some of these take longer than a second or two."""
    config.addinivalue_line("markers", "slow: makes many files on the disk; `-m 'not slow'` leaves it out")


@pytest.fixture
def place() -> Iterator[Place]:
    """A place that anybody may enter; in memory where that can be, since a disk takes its time for deep trees."""
    has_room = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > ROOM_BYTES
    top = Path(tempfile.mkdtemp(prefix="keel-hostile-", dir=SHARED_MEMORY if has_room else None))
    top.chmod(0o755)
    try:
        yield Place(top=top.resolve())
    finally:
        subprocess.run([shutil.which("rm") or "rm", "-rf", str(top)], check=True)


@pytest.fixture
def within_time() -> Iterator[None]:
    """Break off a test that stays in this process and hangs, be it in a call of the system."""

    def break_off(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, break_off)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def work() -> Callable[[Callable[[], object]], int]:
    """Counts the calls that Python makes while something runs: the same every time, on every machine."""

    def count(act: Callable[[], object]) -> int:
        calls = 0

        def seen(*_: object) -> None:
            nonlocal calls
            calls += 1

        before = sys.getprofile()
        sys.setprofile(seen)
        try:
            act()
        finally:
            sys.setprofile(before)
        return calls

    return count
