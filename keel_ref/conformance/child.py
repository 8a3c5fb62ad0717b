"""A child process group and its pipes, none of which can block us or fill our memory. POSIX only.

Nothing is read that nobody waits for: while a whole line lies ready, stdout is left alone, so that at most one line and
one byte of an endless one is ever held. stderr is drained whenever we wait, and its last lines are kept.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping
from typing import IO, Final

from attrs import field, mutable

from keel_ref.conformance.line import MAX_LINE_BYTES
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed

STDERR_LINES: Final = 64
"""Last lines of stderr that are kept for each request."""
STDERR_LINE_BYTES: Final = 1024
"""How much of one line of stderr is kept."""
FLOOD_BYTES: Final = 1024 * 1024
"""Bytes on stderr during one request from which on it is noted."""

_CHUNK_BYTES: Final = 64 * 1024
_GLANCE_SECONDS: Final = 0.05
_LAST_BREATH_SECONDS: Final = 0.3
_CLOSED_STDIN_SECONDS: Final = 0.3


@mutable(kw_only=True, eq=False)
class Child:
    """One started process, the group it leads, and what came from it."""

    process: subprocess.Popen[bytes]
    """The leader of the group."""
    max_line_bytes: int
    """The longest line that is taken."""
    notes: set[str] = field(factory=set)
    """What was seen that is no failure by itself."""
    _lines: bytearray = field(factory=bytearray, init=False)
    _scanned_bytes: int = field(default=0, init=False)
    _is_ended: bool = field(default=False, init=False)
    _stderr: deque[bytes] = field(init=False)
    _stderr_rest: bytes = field(default=b"", init=False)
    _stderr_bytes: int = field(default=0, init=False)
    _is_stderr_ended: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        """Take the pipes into our own hands."""
        self._stderr = deque(maxlen=STDERR_LINES)
        for pipe in (self._pipe("stdin"), self._pipe("stdout"), self._pipe("stderr")):
            os.set_blocking(pipe.fileno(), False)

    def _pipe(self, name: str) -> IO[bytes]:
        pipe: IO[bytes] | None = getattr(self.process, name)
        assert pipe is not None
        return pipe

    def send(self, line: bytes, deadline: float) -> None:
        """Write one line, reading meanwhile. Raises `Misbehaviour` when it is not taken in time, or not at all."""
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._pipe("stdin").fileno(), rest) :]
            except BlockingIOError:
                self._wait(deadline, is_writing=True)
                if self._is_ended:
                    raise self._death() from None
                if time.monotonic() >= deadline:
                    raise self._misbehaviour(Misdeed.HUNG, "the request was not read within the limit") from None
            except BrokenPipeError:
                if self._has_ended(_CLOSED_STDIN_SECONDS):
                    raise self._death() from None
                raise self._misbehaviour(Misdeed.CLOSED_STDIN, "it closed its stdin and takes no requests") from None

    def receive(self, deadline: float) -> bytes:
        """The next line, without its line end. Raises `Misbehaviour` when there is none in time."""
        while True:
            line = self._take_line()
            if line is not None:
                return line
            if len(self._lines) > self.max_line_bytes:
                problem = f"a line of more than {self.max_line_bytes} bytes on stdout; the rest was left unread"
                raise self._misbehaviour(Misdeed.TOO_LONG, problem)
            if self._is_ended:
                raise self._death()
            if time.monotonic() >= deadline:
                half = "; only half a line came" if self._lines else ""
                raise self._misbehaviour(Misdeed.HUNG, f"no answer within the limit{half}")
            self._wait(deadline)

    def _take_line(self) -> bytes | None:
        end = self._lines.find(b"\n", self._scanned_bytes)
        if end < 0:
            self._scanned_bytes = len(self._lines)
            return None
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        self._scanned_bytes = 0
        return line

    def _wait(self, deadline: float, *, is_writing: bool = False) -> None:
        """Let something happen: a pipe that is ready, the end of the process, or a little time."""
        wanted = {"stdin": is_writing, "stdout": self._has_room(), "stderr": not self._is_stderr_ended}
        with selectors.PollSelector() as selector:
            for name in (name for name, is_wanted in wanted.items() if is_wanted):
                selector.register(self._pipe(name), selectors.EVENT_WRITE if name == "stdin" else selectors.EVENT_READ)
            seconds = min(max(deadline - time.monotonic(), 0), _GLANCE_SECONDS)
            ready = {key.fileobj for key, _ in selector.select(seconds)}
        if self._pipe("stderr") in ready:
            self._drain_stderr()
        if self._pipe("stdout") in ready:
            self._read_stdout()
        if not ready and self._has_ended(0):  # a grandchild may hold the pipes of a dead process open
            while self._has_room() and self._read_stdout():
                pass
            self._is_ended = True

    def _has_room(self) -> bool:
        """Whether more of stdout is wanted: no whole line lies ready, and the one that is coming is not too long."""
        is_short = len(self._lines) <= self.max_line_bytes
        return not self._is_ended and is_short and self._lines.find(b"\n", self._scanned_bytes) < 0

    def _read_stdout(self) -> bool:
        """Read a little more, never more than one byte too many. Says whether anything came."""
        room = self.max_line_bytes + 1 - len(self._lines)
        try:
            chunk = os.read(self._pipe("stdout").fileno(), min(_CHUNK_BYTES, room))
        except BlockingIOError:
            return False
        self._lines += chunk
        self._is_ended = not chunk
        return bool(chunk)

    def _drain_stderr(self) -> bool:
        """Read a little of stderr and keep the ends of it. Says whether anything came."""
        try:
            chunk = os.read(self._pipe("stderr").fileno(), _CHUNK_BYTES)
        except BlockingIOError:
            return False
        self._is_stderr_ended = not chunk
        self._stderr_bytes += len(chunk)
        *whole, rest = (self._stderr_rest + chunk).rsplit(b"\n", STDERR_LINES + 1)
        self._stderr.extend(line[:STDERR_LINE_BYTES] for line in whole[-STDERR_LINES:])
        self._stderr_rest = rest[:STDERR_LINE_BYTES]
        if self._stderr_bytes > FLOOD_BYTES:
            self.notes.add(f"stderr: more than {FLOOD_BYTES} bytes during one request; drained")
        return bool(chunk)

    def forget_stderr(self) -> None:
        """Begin anew with what is kept of stderr: the next request comes."""
        self._stderr.clear()
        self._stderr_rest = b""
        self._stderr_bytes = 0

    def stderr(self) -> tuple[str, ...]:
        """The last lines of stderr since the last request, with those that lie ready in the pipe."""
        for _ in range(STDERR_LINES):
            if self._is_stderr_ended or not self._drain_stderr():
                break
        rest = [self._stderr_rest] if self._stderr_rest else []
        return tuple(line.decode(errors="replace") for line in (*self._stderr, *rest))

    def _has_ended(self, seconds: float) -> bool:
        try:
            self.process.wait(seconds) if seconds else self.process.poll()
        except subprocess.TimeoutExpired:
            return False
        return self.process.returncode is not None

    def _death(self) -> Misbehaviour:
        """The end of the process in words that are the same each time."""
        half = ", in the middle of a line" if self._lines else ""
        if not self._has_ended(_LAST_BREATH_SECONDS):
            return self._misbehaviour(Misdeed.DIED, f"it closed its stdout{half}")
        code = self.process.returncode
        end = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return self._misbehaviour(Misdeed.DIED, f"the process {end}{half}")

    def _misbehaviour(self, misdeed: Misdeed, problem: str) -> Misbehaviour:
        return Misbehaviour(misdeed, problem, detail=show_line(self._lines), stderr=self.stderr())

    def kill(self) -> None:
        """Kill the process group and nothing else; whoever waits for the process notices."""
        _kill_group(self.process.pid)

    def end(self, *, patience_seconds: float = 0) -> None:
        """Close its stdin, wait for it that long, then kill what is left of its process group."""
        with contextlib.suppress(OSError):
            self._pipe("stdin").close()
        deadline = time.monotonic() + patience_seconds
        while time.monotonic() < deadline and not self._has_ended(0):
            self._wait(deadline)
        is_by_itself = self._has_ended(0)
        if not is_by_itself:
            _kill_group(self.process.pid)
            self.process.wait()
        if _kill_group(self.process.pid) and is_by_itself:
            self.notes.add("it left child processes behind; they were killed")
        for name in ("stdout", "stderr"):
            self._pipe(name).close()


def _kill_group(leader: int) -> bool:
    """Kill a process group. Says whether any of it was left."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def show_line(line: bytes | bytearray, cap_bytes: int = 120) -> str:
    """The beginning of a line that may be anything, fit for a terminal; empty for none."""
    if not line:
        return ""
    text = bytes(line[:cap_bytes]).decode(errors="backslashreplace")
    return repr(text) + ("…" if len(line) > cap_bytes else "")


def start_child(
    command: tuple[str, ...], *, max_line_bytes: int = MAX_LINE_BYTES, env: Mapping[str, str] | None = None
) -> Child:
    """Start a command in a session of its own. Raises `Misbehaviour` where it cannot be run."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env=env,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Misbehaviour(Misdeed.NOT_STARTED, f"{command[0]}: cannot be run ({reason})") from error
    return Child(process=process, max_line_bytes=max_line_bytes)
