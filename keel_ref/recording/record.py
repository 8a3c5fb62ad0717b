"""What a session file says of its own course, row by row. Spec: EST-033, CMP-150."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.messages.rows import as_list, as_object, has_mark
from keel_ref.transcript.rewinds import Link
from keel_ref.transcript.session_rows import Row, SessionRows, read_rows

UNSHOWN: Final = "unshown"
"""Kind of an attachment of which the file does not say how the client shows it."""
MEMORY: Final = "memory"
"""Where a row keeps the instruction files that it lists."""


@frozen(kw_only=True)
class MemoryRecord:
    """An instruction file that the record says was loaded."""

    path: str
    type: str | None
    """The client's word for its layer, in lower case; None: it says none."""
    text: str | None
    """What it held; None: it does not say."""
    is_nested: bool = False
    """Whether it came in because a file was touched."""


@frozen(kw_only=True)
class FileSeen:
    """A file as a tool found or left it."""

    path: str
    text: str | None
    """The whole text; None: the record does not hold all of it."""
    is_unchanged: bool = False
    """Whether the tool said only that it is as it was."""


@frozen(kw_only=True)
class Detail:
    """What a row says beside its place in the conversation."""

    line: int
    link: Link
    model: str | None = None
    file: FileSeen | None = None


@frozen(kw_only=True)
class Record:
    """A session file, read."""

    session: SessionRows
    details: Sequence[Detail]
    """One for each row."""

    @property
    def memory(self) -> tuple[MemoryRecord, ...]:
        """The instruction files of the last list, and those that were attached after it."""
        found: list[MemoryRecord] = []
        for row in self.session.rows:
            held: Sequence[MemoryRecord] = row.get(MEMORY, ())
            if row.get("lists"):
                found = []
            found += held
        return tuple(found)


def read_record(lines: Iterable[bytes]) -> Record:
    """The lines of a session file, with or without their LF. Nothing stops the reading. Spec: EST-033."""
    reader = _Reader()
    session = read_rows(lines, keep=reader.keep, render=attachment_row)
    details = tuple(
        Detail(line=line, link=one.link, model=one.model, file=one.file)
        for line, one in zip(session.lines, reader.details, strict=True)
    )
    return Record(session=session, details=details)


@define
class _Reader:
    details: list[Detail] = field(factory=list)

    def keep(self, index: int, row: Row, line: Mapping[str, Any]) -> Row:
        """The row as it is; what else its line says is put aside."""
        assert index == len(self.details)
        message = as_object(line.get("message")) or {}
        model = message.get("model")
        is_answer = row.get("role") == "assistant" and not has_mark(row, "error")
        self.details.append(
            Detail(
                line=0,
                link=_link(row, line),
                model=model if is_answer and isinstance(model, str) else None,
                file=file_seen(line.get("toolUseResult")),
            )
        )
        return row


def _link(row: Row, line: Mapping[str, Any]) -> Link:
    uuid, parent, content = row.get("uuid"), line.get("parentUuid"), row.get("content")
    is_own = row.get("role") == "user" and line.get("isMeta") is not True and not row.get("summary")
    kinds = [(as_object(block) or {}).get("type") for block in as_list(content) or ()]
    return Link(
        uuid=uuid if isinstance(uuid, str) else None,
        parent=parent if isinstance(parent, str) else None,
        is_prompt=is_own and "tool_result" not in kinds,
    )


def file_seen(result: object) -> FileSeen | None:
    """The file of which the result of a tool speaks; None: of none."""
    held = as_object(result) or {}
    file = as_object(held.get("file"))
    if file is None:
        path, text = held.get("filePath"), held.get("content")
        is_write = isinstance(text, str) and held.get("type") in {"create", "update"}
        return FileSeen(path=path, text=text if is_write else None) if isinstance(path, str) else None
    path, text = file.get("filePath"), file.get("content")
    if not isinstance(path, str):
        return None
    is_whole = file.get("startLine", 1) == 1 and file.get("numLines") == file.get("totalLines")
    return FileSeen(
        path=path,
        text=text if isinstance(text, str) and is_whole else None,
        is_unchanged=held.get("type") == "file_unchanged",
    )


def attachment_row(attachment: Mapping[str, Any]) -> Row:
    """A row in the place of an attachment that is no file; it costs nothing. Spec: EST-033, CTX-104."""
    kind, content = attachment.get("type"), attachment.get("content")
    row: dict[str, Any] = {"role": "attachment", "attachment": UNSHOWN}
    match kind:
        case "instructions":
            files = as_list(attachment.get("files")) or ()
            row |= {MEMORY: tuple(_memory(files, is_nested=False)), "lists": True}
        case "nested_memory":
            held = as_object(content) or {"content": content}
            row[MEMORY] = tuple(_memory([{"path": attachment.get("path"), **held}], is_nested=True))
        case _:
            pass
    return row


def _memory(files: Iterable[object], *, is_nested: bool) -> Iterator[MemoryRecord]:
    for file in files:
        found = as_object(file) or {}
        path, kind, text = found.get("path"), found.get("type"), found.get("content")
        if isinstance(path, str):
            yield MemoryRecord(
                path=path,
                type=kind.lower() if isinstance(kind, str) else None,
                text=text if isinstance(text, str) else None,
                is_nested=is_nested,
            )
