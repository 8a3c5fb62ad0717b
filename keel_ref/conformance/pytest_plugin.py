"""The suite inside pytest: `pytest --keel-adapter "node adapter.mjs"`, one node for each test.

    pytest --keel-adapter "node adapter.mjs" keel                   the suite alone
    pytest --keel-adapter "node adapter.mjs" keel::text-cjk         one test of it
    pytest --keel-adapter "node adapter.mjs" -k include             with what else the folder holds

Without the option the plugin does nothing. All chosen tests are run together before the first is told, so that they
share processes, batches and the verdicts of `keel-ref check`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from keel_ref.conformance.failures import SavedFailure
    from keel_ref.conformance.runner import Policy, Run
    from keel_ref.conformance.suite import Suite
    from keel_ref.conformance.verdict import TestResult

_NAME: Final = "keel"
"""What the suite is called among pytest's nodes, and on its command line."""
_CANNOT_BE_TESTED: Final = 3
"""As `keel-ref check` ends where no hello is accepted."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; none of them does anything by itself."""
    group = parser.getgroup("keel-ref", "conformance of an implementation (keel-ref)")
    group.addoption("--keel-adapter", metavar="CMD", help='run the suite against an adapter, e.g. "node adapter.mjs"')
    group.addoption("--keel-expected", metavar="FILE", help="the file of known failures (keel-expected.toml)")
    group.addoption("--keel-timeout", metavar="MS", type=int, help="time for one answer, as `keel-ref check --timeout`")
    group.addoption("--keel-strict-should", action="store_true", help="a SHOULD that fails fails the test")


def pytest_configure(config: pytest.Config) -> None:
    """Take up the work where an adapter is named."""
    command = config.getoption("keel_adapter")
    if command:
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise pytest.UsageError(f"--keel-adapter {command}: {error}") from error
        config.pluginmanager.register(_Plugin(config, words), "keel-ref-suite")
    elif config.getoption("keel_expected") or config.getoption("keel_strict_should"):
        raise pytest.UsageError("--keel-expected and --keel-strict-should go with --keel-adapter")


class _Plugin:
    """The suite in one session of pytest."""

    def __init__(self, config: pytest.Config, command: tuple[str, ...]) -> None:
        """Take the tests of the suite that the command line names out of pytest's own arguments."""
        if not command:
            raise pytest.UsageError("--keel-adapter names no command")
        self.command = command
        self._suite: Suite | None = None
        self.policy = _read_policy(config, self.suite)
        self.named = {word for word in config.args if word == _NAME or word.startswith(f"{_NAME}::")}
        self.is_alone = bool(self.named) and len(self.named) == len(config.args)
        config.args = [word for word in config.args if word not in self.named]
        self._run: Run | None = None
        self._results: dict[str, TestResult] = {}
        self._saved: dict[str, SavedFailure] = {}
        self._notes: list[str] = []
        self.is_unproved = False
        """Whether the whole suite was run and the run is not conformant."""

    @property
    def suite(self) -> Suite:
        """The suite, read when it is first needed."""
        from keel_ref.conformance.suite import load_suite  # noqa: PLC0415 (only where an adapter is named)

        if self._suite is None:
            self._suite = load_suite()
        return self._suite

    def pytest_report_header(self) -> str:
        """Say what is tested by what."""
        return f"keel-ref: suite {self.suite.version}, adapter {shlex.join(self.command)}"

    @pytest.hookimpl(tryfirst=True)  # so that -k and the like choose among these tests too
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add one item for each test of the suite."""
        if self.is_alone:
            items.clear()
        folder = SuiteNode.from_parent(session, name=_NAME, nodeid=_NAME)
        known = {f"{_NAME}::{vector.id}": vector.id for vector in self.suite.vectors}
        unknown = sorted(self.named - known.keys() - {_NAME})
        if unknown:
            raise pytest.UsageError(f"{unknown[0]}: no such test; `keel-ref list tests` shows them")
        is_whole = not self.named or _NAME in self.named
        chosen = [name for node, name in known.items() if is_whole or node in self.named]
        items.extend(VectorItem.from_parent(folder, name=name, plugin=self) for name in chosen)

    def result_of(self, item: VectorItem) -> TestResult:
        """What became of a test; the first that asks has all chosen ones run."""
        if self._run is None:
            names = [other.name for other in item.session.items if isinstance(other, VectorItem)]
            self._run = self._run_tests(tuple(names))
            self._results = {result.vector.id: result for result in self._run.results}
        return self._results[item.name]

    def _run_tests(self, names: tuple[str, ...]) -> Run:
        """Run the chosen tests. An adapter that says no hello ends the session, for it would fail them all alike.

        Where none is left out, the run also has to be conformant as a whole: skips alone prove nothing, and the
        expected file must be exact.
        """
        from keel_ref.conformance.failures import save_failures  # noqa: PLC0415 (only where an adapter is named)
        from keel_ref.conformance.runner import run_suite  # noqa: PLC0415
        from keel_ref.conformance.select import Selection  # noqa: PLC0415

        is_whole = set(names) == {vector.id for vector in self.suite.vectors}
        selection = Selection() if is_whole else Selection(ids=names)
        run = run_suite(self.suite, selection, self.command, self.policy)
        if run.hello is None:
            problem = run.error.problem if run.error else "no hello"
            pytest.exit(f"keel-ref: the adapter is at fault: {problem}", returncode=_CANNOT_BE_TESTED)
        try:
            self._saved = dict(save_failures(run))
        except OSError as error:
            self._notes.append(f"failures were not saved: {error}")
        if is_whole and run.conclusion.code:
            self._notes.extend(run.conclusion.reasons)
            self.is_unproved = True
        return run

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run that proves nothing is no success, though no single test failed."""
        if self.is_unproved and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what no single test can say."""
        for note in self._notes:
            terminalreporter.write_line(f"keel-ref: {note}")

    def failure_block(self, result: TestResult) -> str:
        """The failure as `keel-ref check` shows it."""
        from keel_ref.conformance.report_terminal import PLAIN, render_failure  # noqa: PLC0415 (only on a failure)

        assert self._run is not None
        return "\n".join(render_failure(self._run, result, self._saved.get(result.vector.id), PLAIN))


def _read_policy(config: pytest.Config, suite: Suite) -> Policy:
    """How strictly the suite judges, as the options say."""
    from keel_ref.conformance.exits import UsageError  # noqa: PLC0415 (only where an adapter is named)
    from keel_ref.conformance.expected import check_fit, load_expected  # noqa: PLC0415
    from keel_ref.conformance.limits import Limits  # noqa: PLC0415
    from keel_ref.conformance.runner import Policy  # noqa: PLC0415

    name = config.getoption("keel_expected")
    try:
        expected = load_expected(Path(name)) if name else None
        if expected:
            known = [vector.id for vector in suite.vectors]
            check_fit(expected, name, suite=suite.version, known=known)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    limit = config.getoption("keel_timeout")
    if limit is not None and limit < 1:
        raise pytest.UsageError(f"--keel-timeout {limit}: at least one millisecond")
    return Policy(
        limits=Limits(timeout_ms=limit) if limit else Limits(),
        expected=expected,
        is_should_strict=config.getoption("keel_strict_should"),
    )


class SuiteNode(pytest.Collector):
    """The suite among pytest's nodes."""

    def collect(self) -> Iterator[pytest.Item]:
        """Nothing: the items are added when pytest has collected its own."""
        return iter(())


class Failed(Exception):
    """A test of the suite failed; the message is the whole failure block."""


class VectorItem(pytest.Item):
    """One test of the suite."""

    def __init__(self, *, plugin: _Plugin, **settings: Any) -> None:
        """Take the plugin, which has the tests run."""
        super().__init__(**settings)
        self.plugin = plugin

    def runtest(self) -> None:
        """Tell what became of the test, in pytest's terms."""
        from keel_ref.conformance.verdict import Verdict, is_binding  # noqa: PLC0415 (only where an adapter is named)

        result = self.plugin.result_of(self)
        is_strict = self.plugin.policy.is_should_strict
        if result.verdict is Verdict.PASS:
            return
        if result.verdict in (Verdict.NOT_CLAIMED, Verdict.NOT_APPLICABLE, Verdict.WITHDRAWN):
            pytest.skip(f"{result.verdict.value.replace('_', ' ')}: {result.note}")
        if result.verdict is Verdict.XFAIL:
            pytest.xfail(result.note)
        if result.verdict is Verdict.FAIL and not is_binding(result.level, is_should_strict=is_strict):
            pytest.xfail(f"{result.level.value}, so it fails no run")
        if result.verdict is Verdict.FAIL:
            raise Failed(self.plugin.failure_block(result))
        raise Failed(f"{result.verdict.value.replace('_', ' ')}: {result.note or '; '.join(result.vector.problems)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure block alone, without a trace through our own code."""
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the test is said to stand: in no file of the folder."""
        return self.path, None, f"{_NAME}::{self.name}"
