"""Changes that make the rows of a session file one conversation again. Rule S13."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import define, field

from keel_ref.session.mend_lines import Action, write_line
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import LogRow, Problem, Reason, SessionLog
from keel_ref.transcript.timestamps import write_timestamp

Parents = Mapping[str, str | None]
"""By the name of a row that of its parent; empty where there are no circles."""

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
    planner = _Planner(log)
    places = {row.line: place for place, row in enumerate(log.rows)}
    for problem in log.complaints:
        place = places.get(problem.line)
        if place is not None:
            planner.plan(problem, place)
    return planner.edits


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


_NEAR = 1_000
"""So many rows are looked at for one that has a name, and so many links are followed."""
_TRIED = 20
"""So many rows are tried for one that does not hang on the row in question."""


@define
class _Planner:
    """Takes the complaints about a file one after another."""

    log: SessionLog
    edits: dict[int, Edit] = field(factory=dict)
    before: dict[int, int] = field(init=False)
    """Where each row of the conversation stands in it."""
    above: list[str | None] = field(factory=list)
    """Of each row the nearest one of the conversation that stands above it in the file."""
    parents: Parents = field(factory=dict)
    """Filled where there are circles."""

    def __attrs_post_init__(self) -> None:
        self.before = {place: index for index, place in enumerate(self.log.conversation)}
        last: str | None = None
        for place, row in enumerate(self.log.rows):
            self.above.append(last)
            last = row.uuid or last if place in self.before else last
        if any(problem.reason is Reason.PARENT_CYCLE for problem in self.log.complaints):
            self.parents = {row.uuid: row.parent for row in self.log.rows if row.uuid is not None}

    def plan(self, problem: Problem, place: int) -> None:
        """What has to change for one of them."""
        edit = self.edits.get(problem.line) or Edit()
        match problem.reason:
            case Reason.MISSING_PARENT | Reason.PARENT_CYCLE:
                edit.has_parent, edit.parent = True, self._name_before(place)
            case Reason.UNREACHABLE:
                edit.has_parent, edit.parent = True, self.above[place]
                if edit.parent is None:
                    return  # nothing stands above it that it could hang on
            case Reason.ORPHAN_RESULT:
                edit.orphans.add(problem.detail)
            case Reason.MISSING_RESULT:
                edit.unanswered.append(problem.detail)
            case _:
                return
        edit.reasons.append(problem.reason)
        self.edits[problem.line] = edit

    def _name_before(self, place: int) -> str | None:
        """The row before in the conversation, which must not hang on this one; None: there is none.

        Of a side chain it is the row above of the same agent.
        """
        rows, row = self.log.rows, self.log.rows[place]
        above: Sequence[int] = range(max(0, place - _NEAR), place)
        if place in self.before:
            above = self.log.conversation[max(0, self.before[place] - _NEAR) : self.before[place]]
        names = (name for one in reversed(above) if (name := rows[one].uuid) and rows[one].agent == row.agent)
        first = next(names, None)
        if first is None or not self.parents or not _leads_to(self.parents, first, row.uuid):
            return first
        return next((name for name in islice(names, _TRIED) if not _leads_to(self.parents, name, row.uuid)), first)


def _leads_to(parents: Parents, start: str, goal: str | None) -> bool:
    """Whether the parents of a row lead to another, as far as that is looked at."""
    at: str | None = start
    for _ in range(_NEAR):
        if at is None or at == goal:
            break
        at = parents.get(at)
    return at is not None and at == goal


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
