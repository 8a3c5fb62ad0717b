"""The suite inside pytest, from the installed package, in a folder that holds nothing."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from keel_ref.conformance.runner import reference_command
from keel_ref.conformance.suite import load_suite
from tests.unit.conformance.program_toy_runs import command as program_toy
from tests.unit.conformance.skeletons import skeleton
from tests.unit.conformance.toy_suite import command

SUITE = load_suite()
REFERENCE = shlex.join(reference_command())
WRONG_USAGE = 4
SLEEPY = "def memory_load(args):\n    import time; time.sleep(600)\n"
NO_HELLO = 3
"""As `keel-ref check` ends."""


def run_pytest(folder: Path, *words: str, is_installed: bool = False) -> subprocess.CompletedProcess[str]:
    """A session of its own in that folder, where nothing else is.

    With the plugin as it is found once it is installed; else, which is quicker, with it alone among those installed.
    """
    call = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    if not is_installed:
        call[3:3] = ["-p", "keel_ref.conformance.pytest_plugin"]
        env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)


def counts(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """The last line of a session: how many passed, failed, were skipped."""
    found = re.findall(r"(\d+) (\w+)", done.stdout.splitlines()[-1].partition(" in ")[0])
    return {word: int(count) for count, word in found}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The whole suite against the skeleton, which claims memory and does a part of it."""
    folder = tmp_path_factory.mktemp("empty")
    adapter = shlex.join(skeleton(tmp_path_factory.mktemp("adapter")))
    return run_pytest(folder, "--keel-adapter", adapter, "-rs", is_installed=True)


def test_each_test_of_the_suite_is_one_node(session: subprocess.CompletedProcess[str]) -> None:
    """None is lost and none is counted twice; what is not claimed is skipped and says so."""
    found = counts(session)

    assert {"passed", "failed", "skipped"} == found.keys()
    assert len(SUITE.vectors) == sum(found.values())
    assert 1 == session.returncode
    assert "not claimed: needs memory.includes" in session.stdout


def test_a_failure_shows_the_failure_block(session: subprocess.CompletedProcess[str]) -> None:
    """The clause, the smallest tree, what differs and how to see it again; no trace through our own code."""
    (block,) = re.findall(
        r"_+ keel::memory-order-dot-folder-file-after-plain-file _+\n(.*?)\n_", session.stdout, flags=re.DOTALL
    )

    assert block.startswith("FAIL  memory-order-dot-folder-file-after-plain-file")
    for word in ("clause", "minimal", "expected", "replay   keel-ref replay .keel/failures/", "shell    head -2"):
        assert f"\n  {word}" in block
    assert "pytest_plugin.py" not in block
    assert "Traceback" not in session.stdout


def test_the_header_names_suite_and_adapter(session: subprocess.CompletedProcess[str]) -> None:
    """A log says what was tested by what."""

    assert f"keel-ref: suite {SUITE.version}, adapter {sys.executable}" in session.stdout


def test_nodes_are_listed_and_run_by_their_id(tmp_path: Path) -> None:
    """One test can be run again by the name that pytest shows."""
    listed = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "--co", "-q", "keel")
    one = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "keel::text-cjk", "keel::text-nul")
    nodes = [line for line in listed.stdout.splitlines() if line.startswith("keel::")]

    assert [f"keel::{vector.id}" for vector in SUITE.vectors] == nodes
    assert (0, {"passed": 2}) == (one.returncode, counts(one))


def test_tests_of_the_folder_run_beside_the_suite(tmp_path: Path) -> None:
    """`-k` chooses among both; naming the suite alone leaves the folder's tests out."""
    (tmp_path / "test_own.py").write_text("def test_mine_alone():\n    pass\n")
    both = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "-k", "mine_alone or text-first-of-two-bytes")
    alone = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "-k", "mine_alone or text-first-of-two-bytes", "keel")
    named = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "keel::text-nul", "test_own.py")

    assert 2 == counts(both)["passed"]
    assert 1 == counts(alone)["passed"]
    assert {"passed": 2} == counts(named)


def test_nothing_happens_without_the_option(tmp_path: Path) -> None:
    """Whoever has the package installed and tests something else sees nothing of it."""
    (tmp_path / "test_own.py").write_text(
        "import sys\n\ndef test_own():\n    assert 'keel_ref.errors' not in sys.modules\n"
    )
    done = run_pytest(tmp_path, is_installed=True)

    assert {"passed": 1} == counts(done)
    assert "keel-ref: suite" not in done.stdout


def test_expected_failures_are_expected(tmp_path: Path) -> None:
    """The file of `keel-ref baseline` holds here too, both ways."""
    adapter = shlex.join(skeleton(tmp_path / "adapter"))
    entry = '[[expect]]\nid = "{}"\nfails = "mismatch"\nreason = "not yet"\n'
    names = ("memory-order-dot-folder-file-after-plain-file", "memory-order-nearest-file-last")
    head = f'suite = "{SUITE.version}"\n'
    (tmp_path / "known.toml").write_text(head + "".join(entry.format(name) for name in names))
    nodes = [f"keel::{name}" for name in names]
    done = run_pytest(tmp_path, "--keel-adapter", adapter, "--keel-expected", "known.toml", *nodes)

    assert {"failed": 1, "xfailed": 1} == counts(done)
    assert "xpass: expected to fail: not yet" in done.stdout


def test_an_adapter_without_hello_ends_the_session_with_3(tmp_path: Path) -> None:
    """It would fail every test alike, so it is told once, and whose fault it is."""
    done = run_pytest(tmp_path, "--keel-adapter", shlex.join(command("exit", "hello")), "keel")

    assert NO_HELLO == done.returncode
    assert "keel-ref: the adapter is at fault: the process ended with status 1" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ("--keel-adapter", REFERENCE, "keel::no-such-test"),
            "keel::no-such-test: no such test; `keel-ref list tests`",
        ),
        (("--keel-expected", "known.toml"), "go with --keel-adapter"),
        (("--keel-strict-should",), "go with --keel-adapter"),
        (("--keel-adapter", REFERENCE, "--keel-expected", "none.toml", "keel::text-cjk"), "--expected none.toml"),
        (("--keel-adapter", " "), "--keel-adapter names no command"),
        (("--keel-adapter", REFERENCE, "--keel-timeout", "0", "keel::text-nul"), "at least one millisecond"),
        (("--keel-adapter", 'node "adapter.mjs'), "No closing quotation"),
    ],
)
def test_wrong_usage_is_told_as_such(tmp_path: Path, words: tuple[str, ...], problem: str) -> None:
    """Never a pass, and never a crash of ours."""
    done = run_pytest(tmp_path, *words)

    assert WRONG_USAGE == done.returncode
    assert problem in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('suite = "0.0.1"\n', "it pins suite 0.0.1"),
        (f'suite = "{SUITE.version}"\n[[expect]]\nid = "memory-*"\nfails = "crash"\nreason = "all"\n', "at most 20"),
    ],
)
def test_an_expected_file_that_does_not_fit_is_wrong_usage(tmp_path: Path, content: str, problem: str) -> None:
    """As for `keel-ref check`, and before anything runs."""
    (tmp_path / "known.toml").write_text(content)
    done = run_pytest(tmp_path, "--keel-adapter", REFERENCE, "--keel-expected", "known.toml", "keel::text-nul")

    assert WRONG_USAGE == done.returncode
    assert problem in done.stdout + done.stderr


def test_skips_alone_are_no_success(tmp_path: Path) -> None:
    """An adapter that claims nothing has every test skipped, and proves nothing."""
    adapter = shlex.join(skeleton(tmp_path / "adapter", ('{"memory": {}}', "{}")))
    done = run_pytest(tmp_path, "--keel-adapter", adapter, "keel")

    assert 1 == done.returncode
    assert {"skipped": len(SUITE.vectors)} == counts(done)
    assert "keel-ref: 0 tests ran, fewer than 1" in done.stdout


def test_an_entry_that_no_test_can_tell_of_fails_the_session(tmp_path: Path) -> None:
    """The file must be exact, though no single test is wrong."""
    entry = '[[expect]]\nid = "memory-no-such-test"\nfails = "mismatch"\nreason = "gone"\n'
    (tmp_path / "known.toml").write_text(f'suite = "{SUITE.version}"\n{entry}')
    words = ("--keel-adapter", REFERENCE, "--keel-timeout", "60000", "--keel-expected", "known.toml", "keel")
    done = run_pytest(tmp_path, *words)

    assert 1 == done.returncode
    assert {"passed"} == counts(done).keys()
    assert "keel-ref: expected entry memory-no-such-test: no such test" in done.stdout


def test_a_folder_that_takes_no_failures_changes_no_verdict(tmp_path: Path) -> None:
    """The failure is shown, and it is said that it was not saved."""
    adapter = shlex.join(skeleton(tmp_path / "adapter"))
    (tmp_path / ".keel").touch()
    node = "keel::memory-order-dot-folder-file-after-plain-file"
    done = run_pytest(tmp_path, "--keel-adapter", adapter, node)

    assert (1, {"failed": 1}) == (done.returncode, counts(done))
    assert "FAIL  memory-order-dot-folder-file-after-plain-file" in done.stdout
    assert "keel-ref: failures were not saved" in done.stdout


def test_whoever_is_too_slow_is_told(tmp_path: Path) -> None:
    """The limit for one answer is the one that was asked for."""
    adapter = shlex.join(skeleton(tmp_path / "adapter", ("def memory_load(args):", SLEEPY)))
    done = run_pytest(
        tmp_path, "--keel-adapter", adapter, "--keel-timeout", "50", "keel::memory-order-nearest-file-last"
    )

    assert {"failed": 1} == counts(done)
    assert "timeout: no answer within the limit" in done.stdout


def test_a_program_is_a_node_like_any_other(tmp_path: Path) -> None:
    """It passes against the reference; a wrong trace is shown step by step."""
    name = next(vector.id for vector in SUITE.vectors if vector.tier == "K")
    right = run_pytest(tmp_path, "--keel-adapter", REFERENCE, f"keel::{name}")
    wrong = run_pytest(tmp_path, "--keel-adapter", shlex.join(program_toy()), f"keel::{name}")

    assert {"passed": 1} == counts(right)
    assert {"failed": 1} == counts(wrong)
    assert f"FAIL  {name}" in wrong.stdout
    assert "(shrunk from" in wrong.stdout
