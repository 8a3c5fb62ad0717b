"""Several processes of one command, started side by side."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.workers import start_all
from tests.unit.conformance.toy_suite import ADAPTER, LIMITS

ONLY_ONE = """\
import os, sys, time
try:
    os.mkdir({lock!r})
except FileExistsError:
    if {is_late}:
        sys.exit("the port is taken")
else:
    if not {is_late}:
        sys.exit("the first one fails")
time.sleep(0.3)
sys.argv[1:] = []
exec(open({toy!r}).read())
"""


def pair(folder: Path, *, is_late: bool) -> list[Subject]:
    """Two processes of a command that starts only once: the late one fails, or the first one does."""
    source = ONLY_ONE.format(lock=str(folder / "lock"), is_late=is_late, toy=str(ADAPTER))
    words = (sys.executable, "-I", "-S", "-c", source)
    return [Subject(words, limits=LIMITS, suite="toy", revisions=("2026.11",)) for _ in range(2)]


@pytest.mark.parametrize("is_late", [True, False])
def test_who_fails_beside_another_is_waited_for_with_it(tmp_path: Path, *, is_late: bool) -> None:
    """No process is still on its way when the fault is told, and the remedy is named."""
    subjects = pair(tmp_path, is_late=is_late)
    with ThreadPoolExecutor(max_workers=2) as pool:
        with pytest.raises(AdapterError, match="ended with status 1"):
            start_all(subjects, pool)
        running = [subject.is_running for subject in subjects]
        for subject in subjects:
            subject.close()

    assert [False, True] == sorted(running)
    assert any("-j 1" in note for subject in subjects for note in subject.notes)
    assert not any("bye" in note for subject in subjects for note in subject.notes)
