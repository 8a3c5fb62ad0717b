"""The figures of one file for `keel-ref estimate`, from the fast functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from keel_ref import fast
from keel_ref.cli.estimate_input import NotReadableError, Source, chunks, on_disk, opened, pieces
from keel_ref.cli.progress import Progress
from keel_ref.cli.utf8_pieces import Utf8Pieces, not_utf8_remark
from keel_ref.messages.rows import Reported
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.families import Family
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.tokens.running import RunningText
from keel_ref.tokens.transcript import BLANKS, TranscriptEstimate

BOUND = "bound"
DOCUMENTED = "documented"
MESSAGES_CAP_BYTES = 1024**3
"""A list of messages is held in memory as a whole; a larger one is refused."""


@frozen(kw_only=True)
class Question:
    """What is asked of every file."""

    methods: Sequence[str]
    """Which estimates, `bound` before `documented`."""
    family: Family
    """The family of the bound."""
    kind: str | None
    """What every file is to be taken for; None: to be found out."""
    is_shown: bool = True
    """Whether anybody sees more than the exit code."""


@frozen(kw_only=True)
class Counted:
    """The figures of one file."""

    name: str
    """As it was given."""
    kind: str
    """`text`, `json`, `session` or `messages`."""
    size_bytes: int
    """Bytes that were read."""
    tokens: Mapping[str, int]
    """By method."""
    not_utf8: int = 0
    """Parts of a text that are no UTF-8, each of which counts as U+FFFD. Spec: EST-001."""
    reported: Sequence[Reported] = ()
    """What could not be taken as it stands. Spec: EST-026."""
    transcripts: Mapping[str, TranscriptEstimate] = field(factory=dict)
    """Of a session file, by method. Spec: EST-033."""
    remarks: Sequence[str] = ()
    """What a person should know before trusting the figures."""


def count_file(name: str, question: Question, progress: Progress) -> Counted:
    """Read one file and count it. Raises `NotReadableError`."""
    with opened(name, question.kind) as source:
        match source.kind:
            case "session":
                return _count_session(source, question, progress)
            case "messages":
                return _count_messages(source, question, progress)
            case _:
                return _count_text(source, question, progress)


def _count_text(source: Source, question: Question, progress: Progress) -> Counted:
    """In pieces, so that a file may be larger than the memory."""
    text = RunningText(
        family=question.family,
        size_of=fast.size_utf16,
        units_of=fast.bound_units if BOUND in question.methods else None,
    )
    size_bytes = 0

    def advance(more: int) -> None:
        nonlocal size_bytes
        size_bytes += more
        progress(more)

    decoded = Utf8Pieces()
    for piece in pieces(source, decoded, advance):
        text.add(piece)
    is_json = source.kind == "json"
    tokens = {
        method: int(text.bound() if method == BOUND else text.documented(is_json=is_json))
        for method in question.methods
    }
    replaced = (not_utf8_remark(decoded.replaced),) if decoded.replaced else ()
    return Counted(
        name=source.name,
        kind=source.kind,
        size_bytes=size_bytes,
        tokens=tokens,
        not_utf8=decoded.replaced,
        remarks=(*source.remarks, *replaced),
    )


def _count_session(source: Source, question: Question, progress: Progress) -> Counted:
    with on_disk(source) as path:
        transcripts = {
            method: fast.estimate_transcript(path, method=method, family=question.family) for method in question.methods
        }
        size_bytes = path.stat().st_size
        remarks = _broken_lines(source.name, path, next(iter(transcripts.values())))
    progress(size_bytes)
    return Counted(
        name=source.name,
        kind=source.kind,
        size_bytes=size_bytes,
        tokens={method: found.tokens for method, found in transcripts.items()},
        transcripts=transcripts,
        remarks=remarks,
    )


def _broken_lines(name: str, path: Path, found: TranscriptEstimate) -> Sequence[str]:
    """What to say of lines that are not counted. Raises `NotReadableError` where all are such. Spec: EST-033."""
    if not found.broken:
        return ()
    is_empty = not (found.rows or found.sidechain_rows or found.boundaries or found.attachments)
    if is_empty and (found.broken == found.lines or found.broken == _written_lines(path)):
        raise NotReadableError(name, "is no session file, since no line of it is a JSON object; try --as text")
    return (f"{found.broken:,} of {found.lines:,} lines are no JSON objects and are not counted",)


def _written_lines(path: Path) -> int:
    """Lines that are not blank."""
    with path.open("rb") as file:
        return sum(bool(line.removesuffix(b"\n").strip(BLANKS)) for line in file)


def _count_messages(source: Source, question: Question, progress: Progress) -> Counted:
    data = _whole(source, progress)
    rows = _rows(source.name, data)
    # what is reported, the same whatever the method, only the model knows; it is slower, so it is not asked in vain
    model = estimate_messages(rows, method=DOCUMENTED) if question.is_shown else None
    tokens = {
        method: model.tokens
        if model is not None and method == DOCUMENTED
        else fast.estimate_messages(rows, method=method, family=question.family)
        for method in question.methods
    }
    reported = () if model is None else model.reported
    return Counted(name=source.name, kind=source.kind, size_bytes=len(data), tokens=tokens, reported=reported)


def _whole(source: Source, progress: Progress) -> bytes:
    """All bytes of the file. Raises `NotReadableError` for too many."""
    data = bytearray()
    for chunk in chunks(source):
        data += chunk
        progress(len(chunk))
        if len(data) > MESSAGES_CAP_BYTES:
            raise NotReadableError(source.name, f"holds more than {MESSAGES_CAP_BYTES:,} bytes; count it in parts")
    return bytes(data)


def _rows(name: str, data: bytes) -> list[Any]:
    """The list of messages that the JSON says. Raises `NotReadableError`.

    Nothing in it is nested too deep to be serialised, since JSON of more than 200 levels is refused here.
    """
    try:
        value = parse_json(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotReadableError(name, f"is not UTF-8 at byte {error.start}") from error
    except NotJson as error:
        raise NotReadableError(name, f"is no JSON ({error}); a text is counted with --as text") from error
    rows = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise NotReadableError(name, 'holds neither a list of messages nor {"messages": [...]}')
    return rows
