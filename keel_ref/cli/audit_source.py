"""What `keel-ref audit` is given: session files and requests, told apart by what they hold."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from attrs import field, frozen

from keel_ref.audit.gather import gather
from keel_ref.audit.recording import Recording
from keel_ref.audit.report import Audit, audit
from keel_ref.audit.request import gather_request, message_lines
from keel_ref.choices import Choices
from keel_ref.cli.estimate_sniff import is_session
from keel_ref.cli.progress import watch_bytes
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.exits import UsageError
from keel_ref.constants import DEFAULT
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.window.limits import Limits, window_limits
from keel_ref.window.table import find_row

HEAD_BYTES = 1024 * 1024
"""How far into a file a row of a session is looked for."""
CAP_BYTES = 1024**3
"""A request is held in memory as a whole; a larger one is refused."""
STDIN = "-"


@frozen(kw_only=True)
class Asked:
    """What stands on the command line beside the files."""

    model: str | None = None
    window: int | None = None
    max_output: int | None = None
    env: Mapping[str, str] = field(factory=dict)
    choices: Choices = Choices()


def look_at(asked: Asked, source: str) -> Audit:
    """The audit of one file. Raises `UsageError` or `KeelError` for what is neither a session nor a request."""
    recording = _recording(asked, source)
    model = asked.model or recording.model
    limits = window_limits(
        model, window=asked.window, max_output=asked.max_output, env=asked.env, choices=asked.choices
    )
    is_known = asked.window is not None or (bool(model) and bool(find_row(model or "")[0]))
    return audit(recording, limits, is_window_known=is_known and not _is_contradicted(recording, limits))


def _is_contradicted(recording: Recording, limits: Limits) -> bool:
    """Whether a compaction came by itself far below the threshold, so that the window must be another one."""
    at = [step.boundary.tokens_before for step in recording.steps if step.boundary and step.boundary.trigger == "auto"]
    return any(before is not None and before < limits.auto for before in at)


def _recording(asked: Asked, source: str) -> Recording:
    if source == STDIN:
        return _from_stdin(asked)
    if not source:
        raise UsageError("the name is empty; perhaps a variable that is not set")
    try:
        with open(source, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{_shown(source)}: is no regular file; name a session or a request")
            return _from_file(asked, file, source)
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error}); name a session or a request"
        raise UsageError(f"{_shown(source)}: {problem}") from error


def _from_stdin(asked: Asked) -> Recording:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("- is standard input, and nothing is sent there; name a file, or send one")
    with tempfile.TemporaryFile(prefix="keel-ref-") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy, HEAD_BYTES)
        copy.seek(0)
        return _from_file(asked, copy, STDIN)


def _from_file(asked: Asked, file: IO[bytes], source: str) -> Recording:
    head = file.read(HEAD_BYTES)
    is_whole = len(head) < HEAD_BYTES
    if not head.strip():
        raise UsageError(f"{_shown(source)}: holds nothing; name a session or a request")
    if is_session(head, is_whole=is_whole):
        file.seek(0)
        with watch_bytes(os.fstat(file.fileno()).st_size) as progress:
            return gather(_told(file, progress), source, choices=asked.choices)
    data = head if is_whole else head + file.read(CAP_BYTES)
    if len(data) > CAP_BYTES:
        raise UsageError(f"{_shown(source)}: is no session, and for a request it holds too much ({CAP_BYTES:,} bytes)")
    return _request(asked, data, source)


def _request(asked: Asked, data: bytes, source: str) -> Recording:
    try:
        text = data.decode("utf-8-sig")
        body: Any = parse_json(text)
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{_shown(source)}: is not UTF-8 at byte {error.start}; name a session or a request"
        ) from error
    except NotJson as error:
        raise UsageError(f"{_shown(source)}: is neither a session nor JSON ({error}); name one of the two") from error
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
        raise UsageError(f'{_shown(source)}: is no request; that is {{"model": ..., "messages": [...]}}')
    return gather_request(body, message_lines(text), source, choices=asked.choices)


def _told(file: IO[bytes], on_bytes: Callable[[int], None]) -> Iterator[bytes | None]:
    """The lines; None for one that is too long, of which no more than a piece is held at a time. Spec: TRN-002."""
    cap = DEFAULT.line_cap_bytes
    while line := file.readline(cap + 1):
        on_bytes(len(line))
        if len(line.removesuffix(b"\n")) <= cap:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(HEAD_BYTES)
            on_bytes(len(line))
        yield None


def _shown(source: str) -> str:
    return clipped(visible(source))


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe does not keep us waiting
