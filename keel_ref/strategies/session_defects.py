"""Defects planted in a session file by name, each what a reader must then say, and what it must still know."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.session_truth import NO_TERMS, KnownSession, WrittenLine
from keel_ref.strategies.session_writer import START_MS, as_line, is_boundary
from keel_ref.transcript.log import Reason
from keel_ref.transcript.timestamps import write_timestamp

Defect = Callable[[Draw, KnownSession], KnownSession | None]
"""The file with the defect and its truth; None where the file has no place for it."""

FOREIGN: Mapping[str, tuple[tuple[bytes | None, ...], tuple[Reason, ...]]] = MappingProxyType(
    {
        "broken line": (
            (b'{"type":"user","uu\n', b"\xff\xfe{}\n", b"\0\0\0\n", b'{"type":"user","n":NaN}\n', b'"\n', b"{} x\n"),
            (Reason.BROKEN_LINE,),
        ),
        "joined lines": ((b'{"type":"user"}{"type":"user"}\n', b'{"a":"}"} {"b":1}\n'), (Reason.JOINED_LINES,)),
        "no object": ((b"5\n", b"null\n", b"[]\n", b'"text"\n', b"[{}]\n"), (Reason.NOT_AN_OBJECT,)),
        "no kind": ((b"{}\n", b'{"type":5,"uuid":"x"}\n'), (Reason.NO_KIND,)),
        "deep line": (
            (b'{"type":"user","x":' + b"[" * 200 + b"]" * 200 + b"}\n", b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b"\n"),
            (Reason.DEEP_LINE,),
        ),
        "long line": ((None,), (Reason.LONG_LINE,)),
        "no uuid": (
            (b'{"type":"user","parentUuid":null,"message":{"content":"x"}}\n', b'{"type":"progress","uuid":""}\n'),
            (Reason.NO_UUID,),
        ),
        "blank line": ((b"\n", b" \t\r\n"), ()),
        "unknown kind": ((b'{"type":"of tomorrow","x":1}\n',), ()),
    }
)
"""Lines that stand in no graph, and what is said of them."""


def _foreign(name: str) -> Defect:
    def plant(draw: Draw, known: KnownSession) -> KnownSession | None:
        choices, reports = FOREIGN[name]
        if name == "no uuid" and not known.conversation:
            return None  # where no row has one, the file is read in its order
        known = _insert(known, draw.integer(0, len(known.lines)), WrittenLine(draw.pick(choices), reports=reports))
        others = dict(known.other_kinds)
        if name == "unknown kind":
            others["of tomorrow"] = others.get("of tomorrow", 0) + 1
        return evolve(known, other_kinds=tuple(sorted(others.items())))

    return plant


def cut_last_line(draw: Draw, known: KnownSession) -> KnownSession:
    """A line that is still being written."""
    whole = as_line({"type": "user", "uuid": "late", "parentUuid": known.tip, "message": {"content": "日本"}})
    line = WrittenLine(whole[: draw.integer(1, len(whole) - 3)], reports=(Reason.INCOMPLETE_LINE,))
    return _insert(known, len(known.lines), line)


def change_duplicate(draw: Draw, known: KnownSession) -> KnownSession | None:
    """A row again under its uuid, with other words."""
    places = [at for at, line in enumerate(known.lines) if line.uuid is not None]
    if not places:
        return None
    at = draw.pick(places)
    line = known.lines[at]
    changed = evolve(line, data=as_line({**_row(line), "more": 1}), reports=(Reason.CHANGED_DUPLICATE,))
    return _insert(known, draw.integer(at + 1, len(known.lines)), changed)


def lose_parent(draw: Draw, known: KnownSession) -> KnownSession | None:
    """A parent that is in no line. What stands right above is the row that was named."""
    at = _pick(draw, known, [*_after_their_predecessor(known)])
    return None if at is None else _hang(known, at, "ghost", Reason.MISSING_PARENT)


def close_circle(draw: Draw, known: KnownSession) -> KnownSession | None:
    """A parent that stands below, or is the row itself."""
    rows = {line.uuid: _row(line) for line in known.lines if line.uuid is not None}
    prompts = [at for at in _after_their_predecessor(known) if _is_prompt(_row(known.lines[at]))]
    at = _pick(draw, known, [at for at in prompts if known.lines[at].uuid != known.tip])
    if at is None or known.tip is None:
        return None
    path = [known.tip]
    while path[-1] != known.lines[at].uuid and rows[path[-1]]["parentUuid"] is not None:
        path.append(rows[path[-1]]["parentUuid"])
    # a row that hangs on the last one, or beside it, would take the end of the conversation elsewhere
    below = path[2:] if path[-1] == known.lines[at].uuid else []
    return _hang(known, at, draw.pick([str(known.lines[at].uuid), *below]), Reason.PARENT_CYCLE)


def spoil_usage(draw: Draw, known: KnownSession) -> KnownSession | None:
    """A usage that cannot be used, on a row of a response whose last row says it all."""
    firsts = {min(one.rows) for one in known.responses if len(one.rows) > 1}
    at = _pick(draw, known, [at for at, line in enumerate(known.lines) if line.uuid in firsts])
    if at is None:
        return None
    row = _row(known.lines[at])
    usage: Any = draw.pick(("much", [1], -5, True, {"input_tokens": -1, "output_tokens": True}))
    row["message"]["usage"] = usage
    naive = NO_TERMS if isinstance(usage, dict) else None
    spoilt = evolve(known.lines[at], data=as_line(row), reports=(Reason.BAD_USAGE,), naive=naive)
    return _replace(known, at, evolve(spoilt, reports=(*known.lines[at].reports, Reason.BAD_USAGE)))


def turn_clock_back(_draw: Draw, known: KnownSession) -> KnownSession:
    """Times that fall from row to row; they decide nothing."""
    names = {uuid: at for at, uuid in enumerate(dict.fromkeys(line.uuid for line in known.lines))}
    lines = (
        line
        if line.uuid is None or line.data is None
        else evolve(
            line, data=as_line({**_row(line), "timestamp": write_timestamp(START_MS - names[line.uuid] * 3_600_000)})
        )
        for line in known.lines
    )
    return evolve(known, lines=tuple(lines))


def orphan_result(_draw: Draw, known: KnownSession) -> KnownSession | None:
    """A result, last of all, whose call nobody made."""
    if known.tip is None:
        return None
    block = {"type": "tool_result", "tool_use_id": "toolu_none", "content": "x"}
    row = {"type": "user", "uuid": "orphan", "parentUuid": known.tip, "message": {"content": [block]}}
    line = WrittenLine(as_line(row), "orphan", "orphan", (Reason.ORPHAN_RESULT,))
    view, conversation = (*known.view, "orphan"), (*known.conversation, "orphan")
    return evolve(_insert(known, len(known.lines), line), view=view, conversation=conversation, tip="orphan")


def break_prompt(draw: Draw, known: KnownSession) -> KnownSession | None:
    """A prompt of which only half a line is left, so that what hangs on it loses its parent."""
    candidates = []
    whole = b"".join(line.data or b"" for line in known.lines)
    for at in _after_their_predecessor(known):
        uuid = str(known.lines[at].uuid)
        child = next((place for place, line in enumerate(known.lines) if _hangs_on(line, uuid)), None)
        is_named_once = whole.count(f'"{uuid}"'.encode()) == 2  # noqa: PLR2004 (in its own row, and in that of its child)
        if child == at + 1 and is_named_once and _is_prompt(_row(known.lines[at])) and _is_said(known.lines[child]):
            candidates.append(at)
    chosen = _pick(draw, known, candidates)
    if chosen is None:
        return None
    line, below = known.lines[chosen], known.lines[chosen + 1]
    known = _replace(known, chosen + 1, evolve(below, reports=(*below.reports, Reason.MISSING_PARENT)))
    half = (line.data or b"")[:-5] + b"\n"
    known = _replace(known, chosen, WrittenLine(half, None, line.group, (Reason.BROKEN_LINE,)))
    conversation = tuple(uuid for uuid in known.conversation if uuid != line.uuid)
    view = tuple(uuid for uuid in known.view if uuid != line.uuid)
    return evolve(known, conversation=conversation, view=view, kept=known.kept - {str(line.uuid)})


APART: Mapping[str, Defect] = MappingProxyType({name: _foreign(name) for name in FOREIGN})
"""Defects that may be planted any number of times."""
INSIDE: Mapping[str, Defect] = MappingProxyType(
    {
        "duplicate with other content": change_duplicate,
        "missing parent": lose_parent,
        "circle of parents": close_circle,
        "bad usage": spoil_usage,
        "clock that runs backwards": turn_clock_back,
        "result without a call": orphan_result,
        "broken prompt": break_prompt,
    }
)
"""Defects of the rows of the session; one of them in a file."""
DEFECTS: Mapping[str, Defect] = MappingProxyType({**INSIDE, **APART, "cut last line": cut_last_line})
"""All of them by name; the cut line has to be planted last."""


def _after_their_predecessor(known: KnownSession) -> list[int]:
    """Places of prompts and first rows of responses that stand right behind the row before them, and once."""
    before: dict[str, str] = dict(zip(known.conversation[1:], known.conversation, strict=False))
    firsts = {min(one.rows, key=known.place_of) for one in known.responses}
    found = []
    above: str | None = None
    for at, line in enumerate(known.lines):
        if line.uuid is None or Reason.DUPLICATE_UUID in line.reports:
            continue
        row = _row(line)
        if row.get("isSidechain"):
            continue
        starts = _is_prompt(row) or line.uuid in firsts
        if starts and row["parentUuid"] is not None and above is not None and before.get(line.uuid) == above:
            found.append(at)
        above = line.uuid
    return found


def _pick(draw: Draw, known: KnownSession, places: Sequence[int]) -> int | None:
    """One of these whose row stands once in the file and has nothing said of it."""
    counts: dict[str | None, int] = {}
    for line in known.lines:
        counts[line.uuid] = counts.get(line.uuid, 0) + 1
    once = [at for at in places if counts[known.lines[at].uuid] == 1]
    return draw.pick(once) if once else None


def _hang(known: KnownSession, at: int, parent: str, reason: Reason) -> KnownSession:
    line = known.lines[at]
    row = {**_row(line), "parentUuid": parent}
    return _replace(known, at, evolve(line, data=as_line(row), reports=(*line.reports, reason)))


def _insert(known: KnownSession, at: int, line: WrittenLine) -> KnownSession:
    return evolve(known, lines=(*known.lines[:at], line, *known.lines[at:]))


def _replace(known: KnownSession, at: int, line: WrittenLine) -> KnownSession:
    return evolve(known, lines=(*known.lines[:at], line, *known.lines[at + 1 :]))


def _row(line: WrittenLine) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line.data or b"{}")
    return row


def _hangs_on(line: WrittenLine, uuid: str) -> bool:
    return line.uuid is not None and _row(line).get("parentUuid") == uuid


def _is_said(line: WrittenLine) -> bool:
    return _row(line)["type"] in {"user", "assistant"}


def _is_prompt(row: Mapping[str, Any]) -> bool:
    marks = {"isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult"}
    return row["type"] == "user" and not marks & set(row) and not is_boundary(row)
