"""Git by its command line: side by side, within a time limit, without a lock. Spec: CTX-003, CTX-008, CTX-009."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import IO, Final

from attrs import define, field, frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.ports import GitAnswer, GitProblem, GitRefusal

ALWAYS: Final = (
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),  # a repository of somebody else's would name a program here
    *("-c", "log.showSignature=false"),
    *("-c", "color.ui=false"),
)
"""What stands before every command."""
INSIDE: Final = "inside"
HEAD: Final = "head"
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        INSIDE: ("rev-parse", "--is-inside-work-tree"),
        HEAD: ("rev-parse", "--verify", "--quiet", "HEAD"),
        "branch": ("branch", "--show-current"),
        "main_branch": ("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"),
        "user": ("config", "user.name"),
        "status": ("status", "--short"),
        "commits": ("log", "--oneline", "--no-decorate"),
    }
)
"""Each by the name of what it answers."""
MAY_BE_EMPTY: Final = frozenset({HEAD, "main_branch", "user"})
"""What fails where there is nothing to say."""
REMOTE_PREFIX: Final = "origin/"
GRACE_SECONDS: Final = 0.5
"""For a command that was stopped to be gone."""
NOTHING_THERE: Final = 1
"""The exit code by which these say so."""


@frozen
class GitCommandLine:
    """The repository around a folder, as the command `git` describes it. Spec: CTX-009."""

    program: str = "git"
    """Its name, to be found on the path, or where it lies."""
    constants: Constants = DEFAULT
    env: Mapping[str, str] = field(factory=lambda: dict(os.environ))
    """The environment of the commands."""

    def look(self, folder: str) -> GitAnswer | GitRefusal:
        """See `Git.look`. Spec: CTX-003, CTX-009."""
        deadline = time.monotonic() + self.constants.git_wait_ms / 1_000
        runs: dict[str, _Run] = {}
        try:
            for name, command in self._commands().items():
                runs[name] = self._start(folder, command)
        except OSError as error:
            _end(runs.values())
            return GitRefusal(_problem(error, folder), str(error.strerror))
        for run in runs.values():
            run.thread.join(max(0.0, deadline - time.monotonic()))
        is_late = any(run.thread.is_alive() for run in runs.values())
        _end(runs.values())
        if is_late:
            return GitRefusal(GitProblem.TIMED_OUT)  # [CTX-003] all of them together
        return _answer(runs)

    def _commands(self) -> dict[str, tuple[str, ...]]:
        count = ("-n", str(self.constants.commits_cap_lines))
        return {**COMMANDS, "commits": (*COMMANDS["commits"], *count)}  # [CTX-008]

    def _start(self, folder: str, command: Sequence[str]) -> _Run:
        """Begin one command; its output is read while the others run. Spec: CTX-009."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by the run)
        try:
            process = subprocess.Popen(
                [self.program, *ALWAYS, *command],  # [CTX-009] no optional locks
                cwd=folder,
                env={**self.env, "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError:
            errors.close()
            raise
        run = _Run(process=process, errors=errors, cap_bytes=self.constants.git_cap_bytes)
        run.thread.start()
        return run


@define
class _Run:
    """One command that was begun."""

    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    """Where the command complains; a pipe that nobody reads would hold it up."""
    cap_bytes: int
    thread: threading.Thread = field(init=False)
    output: bytes = b""
    complaint: str = ""
    is_long: bool = False
    """Whether there was more than is read."""

    def __attrs_post_init__(self) -> None:
        self.thread = threading.Thread(target=self._read, daemon=True)

    @property
    def text(self) -> str:
        """What the command printed; bytes that are no UTF-8 are mended."""
        return self.output.decode("utf-8", "replace")

    @property
    def code(self) -> int:
        """How the command ended; one that had more to say than is read has not failed."""
        return 0 if self.is_long else self.process.returncode

    def _read(self) -> None:
        """Read as much as is allowed, then close: whoever goes on writing is told that nobody listens."""
        assert self.process.stdout is not None
        self.output = self.process.stdout.read(self.cap_bytes)  # [CTX-009]
        self.is_long = bool(self.process.stdout.read(1))
        self.process.stdout.close()
        if self.is_long:
            self._kill()
        self.process.wait()
        self.errors.seek(0)
        self.complaint = " ".join(self.errors.read(self.cap_bytes).decode("utf-8", "replace").split())
        self.errors.close()

    def _kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self.process.kill()

    def stop(self) -> None:
        """Stop the command and whatever it began, if it still runs."""
        if self.thread.is_alive():
            self._kill()


def _end(runs: Iterable[_Run]) -> None:
    """Stop what still runs; whoever left its session and holds the output open is not waited for. Spec: CTX-003."""
    stopped = tuple(runs)
    for run in stopped:
        run.stop()
    deadline = time.monotonic() + GRACE_SECONDS
    for run in stopped:
        run.thread.join(max(0.0, deadline - time.monotonic()))  # [CTX-003] an end in any case


def _answer(runs: Mapping[str, _Run]) -> GitAnswer | GitRefusal:
    """What the commands say together. Spec: CTX-003, CTX-008."""
    if runs[INSIDE].code:
        return GitRefusal(GitProblem.NO_REPOSITORY, runs[INSIDE].complaint)
    is_born = not runs[HEAD].code
    for name, run in runs.items():
        is_empty = name in MAY_BE_EMPTY and run.code == NOTHING_THERE
        is_unborn = name == "commits" and not is_born  # [CTX-008] a repository without a commit has no log
        if run.code and not is_empty and not is_unborn:
            return GitRefusal(GitProblem.FAILED, run.complaint)  # [CTX-003]
    texts = {name: "" if run.code else run.text for name, run in runs.items()}
    return GitAnswer(
        branch=texts["branch"],
        main_branch=texts["main_branch"].strip().removeprefix(REMOTE_PREFIX),  # [CTX-004] it stands without the remote
        user=texts["user"],
        status=texts["status"],
        commits=texts["commits"],
    )


def _problem(error: OSError, folder: str) -> GitProblem:
    """Why a command could not even begin. Spec: CTX-003."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return GitProblem.MISSING if os.path.isdir(folder) else GitProblem.NO_REPOSITORY
    return GitProblem.FAILED
