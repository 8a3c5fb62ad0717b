"""Changes that make the rows of a session file one conversation again. Rule S13."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from keel_ref.session.mend_lines import Action, write_line
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import LogRow, Problem, Reason, SessionLog
from keel_ref.transcript.timestamps import write_timestamp

NO_CALL = "[A tool result; the call that it answers is not in this file.]\n"
NO_RESULT = "[No result was recorded.]"


@define
class Edit:
    """What happens to one row."""

    reasons: list[Reason] = field(factory=list)
    has_parent: bool = False
    """Whether it gets another parent, which may be none."""
    parent: str | None = None
    orphans: set[str] = field(factory=set)
    """Calls that are not there, whose results become texts."""
    unanswered: list[str] = field(factory=list)
    """Calls that get a result behind the row."""


def plan_edits(log: SessionLog) -> Mapping[int, Edit]:
    """By line, what has to change; nothing for what cannot be mended."""
    edits: dict[int, Edit] = {}
    places = {row.line: place for place, row in enumerate(log.rows)}
    before = {place: index for index, place in enumerate(log.conversation)}
    for problem in log.complaints:
        place = places.get(problem.line)
        if place is not None:
            _plan(log, problem, place, before, edits)
    return edits


def apply_edit(line: bytes, row: LogRow, edit: Edit) -> Sequence[bytes]:
    """The lines that stand in the place of the row's."""
    found = read_line(line)
    if not isinstance(found, Mapping):
        return (line,)
    changed = dict(found)
    if edit.has_parent:
        changed["parentUuid"] = edit.parent
        if row.boundary is not None:  # one begins anew, and says what stood before it
            changed |= {"parentUuid": None, "logicalParentUuid": edit.parent}
    if edit.orphans:
        _free_orphans(changed, edit.orphans)
    return (write_line(changed), *(write_line(one) for one in _results(changed, row, edit.unanswered)))


def actions_of(edits: Mapping[int, Edit]) -> Iterator[Action]:
    """What they mend, by line."""
    for line, edit in sorted(edits.items()):
        yield from (Action(line=line, reason=reason) for reason in edit.reasons)


def _plan(log: SessionLog, problem: Problem, place: int, before: Mapping[int, int], edits: dict[int, Edit]) -> None:
    edit = edits.get(problem.line) or Edit()
    match problem.reason:
        case Reason.MISSING_PARENT | Reason.PARENT_CYCLE:
            edit.has_parent, edit.parent = True, _name_before(log, place, before)
        case Reason.UNREACHABLE:
            edit.has_parent, edit.parent = True, _nearest_above(log, place, before)
            if edit.parent is None:
                return  # nothing stands above it that it could hang on
        case Reason.ORPHAN_RESULT:
            edit.orphans.add(problem.detail)
        case Reason.MISSING_RESULT:
            edit.unanswered.append(problem.detail)
        case _:
            return
    edit.reasons.append(problem.reason)
    edits[problem.line] = edit


_NEAR = 1_000
"""So many rows are looked at for one that has a name."""


def _name_before(log: SessionLog, place: int, before: Mapping[int, int]) -> str | None:
    """The row before in the conversation; of a side chain the row above of the same agent. None: it is the first."""
    above: Sequence[int] = range(max(0, place - _NEAR), place)
    if place in before:
        above = log.conversation[max(0, before[place] - _NEAR) : before[place]]
    names = (log.rows[one].uuid for one in reversed(above) if log.rows[one].agent == log.rows[place].agent)
    return next((name for name in names if name is not None), None)


def _nearest_above(log: SessionLog, place: int, before: Mapping[int, int]) -> str | None:
    for above in range(place - 1, -1, -1):
        if above in before and log.rows[above].uuid is not None:
            return log.rows[above].uuid
    return None


def _free_orphans(row: dict[str, Any], orphans: set[str]) -> None:
    """Results without a call become texts, so that nothing that was said is lost."""
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list):
        return
    blocks = [_freed(block, orphans) for block in content]
    row["message"] = {**message, "content": blocks}
    if all(isinstance(block, dict) and block.get("type") == "text" for block in blocks):
        row["isMeta"] = True  # they are nobody's own words


def _freed(block: Any, orphans: set[str]) -> Any:
    if not (isinstance(block, dict) and block.get("type") == "tool_result" and block.get("tool_use_id") in orphans):
        return block
    content = block.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return {"type": "text", "text": NO_CALL + "\n".join(text for text in texts if isinstance(text, str))}


def _results(row: Mapping[str, Any], slim: LogRow, calls: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Rows with results for calls that have none."""
    kept = {
        key: row[key] for key in ("sessionId", "version", "cwd", "gitBranch", "userType", "isSidechain") if key in row
    }
    for call in calls:
        block = {"type": "tool_result", "tool_use_id": call, "content": NO_RESULT, "is_error": True}
        yield {
            **kept,
            "type": "user",
            "uuid": f"{slim.uuid}-result-{call}",
            "parentUuid": slim.uuid,
            "timestamp": write_timestamp(slim.at_ms or 0),
            "message": {"role": "user", "content": [block]},
        }
