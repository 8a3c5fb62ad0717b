"""A row of a session file without its texts. Spec: TRN-003, TRN-004."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from keel_ref.messages.rows import BOUNDARY_SUBTYPE
from keel_ref.text import size_utf16
from keel_ref.tokens.usage import Usage
from keel_ref.transcript.log import SYNTHETIC, Block, Boundary, Kind, LogRow
from keel_ref.transcript.timestamps import read_timestamp

Cost = Callable[[Mapping[str, Any]], int]
"""Tokens of a row with `role` and `content`, by the documented rule. Spec: EST-012."""

KINDS: Final = MappingProxyType({str(kind): kind for kind in Kind if kind is not Kind.OTHER})
APART: Final = frozenset({"summary", "file-history-snapshot", "queue-operation"})
"""Kinds that are known to stand in no graph, whatever they name. Spec: TRN-003."""
HEAD_POINTS: Final = 100
"""So much of a text is kept, in code points."""
PATH_KEYS: Final = ("file_path", "notebook_path", "path")
"""Arguments by which calls name a file."""


def slim_row(line: int, kind: Kind, row: Mapping[str, Any], cost: Cost, usage: Usage | None = None) -> LogRow:
    """The row that stands on that line, with what its answer used. Spec: TRN-003.

    Never fails: what is not understood is left out.
    """
    get = row.get
    uuid, parent, logical, agent = get("uuid"), get("parentUuid"), get("logicalParentUuid"), None
    message_id = request_id = model = subtype = boundary = None
    is_error = is_summary = False
    blocks: Iterable[Block] = ()
    if kind is Kind.ASSISTANT or kind is Kind.USER:
        message = get("message")
        spoken: Mapping[str, Any] = message if isinstance(message, dict) else {}
        is_summary = get("isCompactSummary") is True
        if kind is Kind.ASSISTANT:
            message_id, request_id, model = _name(spoken.get("id")), _name(get("requestId")), _name(spoken.get("model"))
            is_error = get("isApiErrorMessage") is True
        blocks = _blocks(str(kind), spoken.get("content"), cost)
    elif kind is Kind.ATTACHMENT:
        attachment = get("attachment")
        held: Mapping[str, Any] = attachment if isinstance(attachment, dict) else {}
        subtype = _name(held.get("type"))
        blocks = _attached(held, cost)
    elif kind is Kind.SYSTEM:
        subtype = _name(get("subtype"))
        boundary = _boundary(row) if subtype == BOUNDARY_SUBTYPE else None
    elif kind is Kind.OTHER:
        subtype = _name(get("type"))
    if get("isSidechain") is True:
        agent = _name(get("agentId")) or ""
    return LogRow(
        line,
        kind,
        subtype,
        _name(uuid),
        _name(parent),
        _name(logical),
        agent,
        read_timestamp(get("timestamp")),
        message_id,
        request_id,
        model,
        None if usage is None or is_error or model == SYNTHETIC or not usage.total else usage,  # [TRN-032]
        is_error,
        get("isMeta") is True,
        is_summary,
        get("isVisibleInTranscriptOnly") is True and not is_summary,  # [TRN-004]
        tuple(blocks),
        boundary,
    )


def is_link(row: Mapping[str, Any]) -> bool:
    """Whether a row of an unknown kind names itself and a parent, so that others may hang on it. Spec: TRN-003."""
    kind = row.get("type")
    return isinstance(kind, str) and kind not in APART and _name(row.get("uuid")) is not None and "parentUuid" in row


def _blocks(role: str, content: object, cost: Cost) -> Iterator[Block]:
    if isinstance(content, str):
        yield _of_text("text", content, cost({"role": role, "content": content}))
        return
    for block in content if isinstance(content, list) else (() if content is None else (content,)):
        tokens = cost({"role": role, "content": [block]})
        held: Mapping[str, Any] = block if isinstance(block, dict) else {}
        kind = held.get("type")
        match kind:
            case "text" | "thinking":
                yield _of_text(kind, held.get(kind), tokens)
            case "tool_use":
                yield _call(held, tokens)
            case "tool_result":
                yield _result(held, tokens)
            case _:
                yield Block(kind if isinstance(kind, str) else "unknown", tokens)


def _call(block: Mapping[str, Any], tokens: int) -> Block:
    given = block.get("input")
    arguments: Mapping[str, Any] = given if isinstance(given, dict) else {}
    path = next((found for key in PATH_KEYS if (found := _text(arguments.get(key)))), None)
    whole = repr(arguments)
    head = _text(arguments.get("command")) or ""
    return Block(
        "tool_use",
        tokens,
        len(whole),
        _text(block.get("name")),
        _text(block.get("id")),
        path,
        head[:HEAD_POINTS],
        _digest(f"{block.get('name')} {whole}"),
    )


def _result(block: Mapping[str, Any], tokens: int) -> Block:
    content = block.get("content")
    texts = [content] if isinstance(content, str) else _texts(content if isinstance(content, list) else ())
    whole = texts[0] if len(texts) == 1 else "\n".join(texts)
    return Block(
        "tool_result",
        tokens,
        _units(whole),
        None,
        _text(block.get("tool_use_id")),
        None,
        whole[:HEAD_POINTS],
        _digest(whole),
        block.get("is_error") is True,
    )


def _attached(held: Mapping[str, Any], cost: Cost) -> Iterator[Block]:
    """The files and texts of an attachment. Spec: TRN-005."""
    files = held.get("files")
    if isinstance(files, list):
        for file in files:
            if isinstance(file, dict):
                yield _file(file, file.get("content"), cost)
        return
    content = held.get("content")
    if isinstance(content, dict):
        inner = content.get("file")
        yield _file(held, (inner if isinstance(inner, dict) else content).get("content"), cost)
    elif isinstance(content, list):
        yield _file(held, "\n".join(_texts(content)), cost)
    else:
        yield _file(held, content, cost)


def _file(held: Mapping[str, Any], content: object, cost: Cost) -> Block:
    text = content if isinstance(content, str) else ""
    path = _text(held.get("path")) or _text(held.get("filename"))
    tokens = cost({"role": "user", "content": text}) if text else 0
    kind = _text(held.get("type")) or "file"
    return Block(kind, tokens, _units(text), None, None, path, text[:HEAD_POINTS], _digest(text))


def _of_text(kind: str, text: object, tokens: int) -> Block:
    whole = text if isinstance(text, str) else ""
    return Block(kind, tokens, _units(whole), None, None, None, whole[:HEAD_POINTS], _digest(whole))


def _texts(blocks: Sequence[object]) -> list[str]:
    found = [block.get("text") for block in blocks if isinstance(block, dict)]
    return [text for text in found if isinstance(text, str)]


def _units(text: str) -> int:
    return len(text) if text.isascii() else size_utf16(text)


def _digest(text: str) -> int:
    """Told apart well enough to say that something came again; no proof against somebody who wants it to fail."""
    if not text:
        return 0
    data = text.encode("utf-8", "surrogatepass")
    return zlib.crc32(data) << 32 | zlib.adler32(data)


def _boundary(row: Mapping[str, Any]) -> Boundary:
    """What it says of its compaction, in either spelling. Spec: TRN-020."""
    about = row.get("compactMetadata")
    about = row.get("compact_metadata") if about is None else about
    held: Mapping[str, Any] = about if isinstance(about, dict) else {}
    segment = held.get("preservedSegment")
    kept: Mapping[str, Any] = segment if isinstance(segment, dict) else {}
    before = held.get("preTokens")
    before = held.get("pre_tokens") if before is None else before
    return Boundary(
        trigger=_text(held.get("trigger")),
        pre_tokens=before if isinstance(before, int) and not isinstance(before, bool) else None,
        head=_name(kept.get("headUuid")),
        anchor=_name(kept.get("anchorUuid")),
        tail=_name(kept.get("tailUuid")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _name(value: object) -> str | None:
    """A name; what is empty or no text is none."""
    return value if isinstance(value, str) and value else None
