"""The first layer: large results are saved and replaced."""

import math
from typing import Any

import attrs

from tests.literal.compaction.arguments import (
    CLEARED,
    INVALID,
    Decisions,
    change_results,
    count_plain,
    find_calls,
    find_first_changed,
    find_results,
    need_count,
    read_object,
    read_text,
    read_texts,
    size_text,
)
from tests.literal.compaction.result_texts import make_preview, name_file, read_whole_text
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.rows import get_response_id, is_assistant, read_id, read_rows
from tests.literal.tokens.serialise import serialise
from tests.literal.window.numbers import is_whole

MOST_UNITS = 50_000
"""The limit of one result. [CMP-021]"""

DECLARED: dict[str, Any] = {"Read": "infinite", "Bash": 30_000}
"""What tools declare. [CMP-021]"""

MESSAGE_UNITS = 200_000
"""The sum of a message. [CMP-030]"""


@attrs.define
class Result:
    """One result of the list."""

    row: int
    number: int
    """Its place among the results of its row."""
    group: int
    name: str | None
    """The id of the call."""
    content: Any
    is_second: bool
    shown: Any = None
    """What stands for it in the end."""
    plan: dict[str, Any] | None = None
    """Its save, where one is tried."""
    for_sum: bool = False
    is_settled: bool = False
    """Nothing more is asked about it."""

    def is_text_alone(self) -> bool:
        """Whether it is text alone. Spec: CMP-020."""
        if isinstance(self.content, str):
            return True
        return isinstance(self.content, list) and all(
            isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
            for block in self.content
        )


class Layer:
    """One run of the layer. Spec: CMP-020 to CMP-036."""

    def __init__(self, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> None:
        """Read the arguments. Raises LiteralError."""
        self.rows = read_rows(args)
        self.choices, self.unit, self.has_sum = choices, choices["results.unit"], gates["message_sum"]
        folder = read_text(args, "session_folder")
        self.folder = "/s" if folder is None else folder
        self.read_state(read_object(args, "state") or {})
        self.declared = DECLARED | self.read_declared(read_object(args, "declared") or {})
        self.decisions = Decisions("results")
        self.overrides = self.read_overrides(read_object(args, "overrides") or {})
        self.names = read_object(args, "names") or {}
        self.failed = read_texts(args, "failed")
        self.most = need_count(args, "sum_units", MESSAGE_UNITS)
        self.tools: dict[str, Any] = {}
        for row in self.rows:
            for call in find_calls(row):
                self.tools.setdefault(call["id"], call.get("name"))  # the first call decides
        self.results = self.find()
        self.taken: set[str] = set()
        self.tried: list[Result] = []

    def read_state(self, state: dict[str, Any]) -> None:
        """The record of earlier passes. Raises LiteralError. Spec: CMP-031, CMP-033."""
        replaced, kept = state.get("replaced"), state.get("kept")
        self.replaced = [] if replaced is None else replaced
        self.kept = [] if kept is None else kept
        if not isinstance(self.replaced, list) or not isinstance(self.kept, list):
            raise LiteralError(INVALID, "state")
        for item in self.replaced:
            if not isinstance(item, dict) or read_id(item.get("id")) is None or not isinstance(item.get("text"), str):
                raise LiteralError(INVALID, "state.replaced")
        if not all(read_id(item) is not None for item in self.kept):
            raise LiteralError(INVALID, "state.kept")
        self.stored: dict[str, str] = {}
        for item in self.replaced:
            self.stored.setdefault(item["id"], item["text"])  # [CMP-031] the first record counts

    def read_declared(self, declared: dict[str, Any]) -> dict[str, Any]:
        """What tools declare in the call. Raises LiteralError. Spec: CMP-021."""
        for value in declared.values():
            if value != "infinite" and (not is_whole(value) or value < 0):
                raise LiteralError(INVALID, "declared")
        return declared

    def read_overrides(self, overrides: dict[str, Any]) -> dict[str, int]:
        """The remote limits that can be used. Spec: CMP-021."""
        usable: dict[str, int] = {}
        for tool, value in overrides.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is None:
                continue
            if is_number and math.isfinite(value) and value > 0:
                usable[tool] = math.floor(value)
            else:
                self.decisions.add("override-ignored", id=tool)
        return usable

    def find(self) -> list[Result]:
        """All results of the list, with their groups. Spec: CMP-020, CMP-029, CMP-034."""
        found: list[Result] = []
        group = 0
        responses: set[str] = set()
        seen: set[str] = set()
        for index, row in enumerate(self.rows):
            if is_assistant(row):
                response = get_response_id(row)
                if response is None or response not in responses:
                    group += 1  # [CMP-029]
                if response is not None:
                    responses.add(response)
            for number, block in enumerate(find_results(row)):
                name = read_id(block.get("tool_use_id"))
                content = block.get("content")
                found.append(Result(index, number, group, name, content, name in seen, shown=content))
                if name is not None:
                    seen.add(name)
        return found

    def find_limit(self, result: Result) -> int | None:
        """The limit of a result; none where there is none. Spec: CMP-021."""
        tool = self.tools.get(result.name) if result.name is not None else None
        tool = tool if isinstance(tool, str) else None
        if tool is not None and self.declared.get(tool) == "infinite":
            return None
        if tool is not None and tool in self.overrides:
            return self.overrides[tool]
        if tool is not None and tool in self.declared:
            return min(int(self.declared[tool]), MOST_UNITS)
        return MOST_UNITS

    def size(self, content: Any) -> int:
        """The size of a content. Spec: CMP-020."""
        return size_text(read_whole_text(content), self.unit)

    def is_fresh(self, result: Result) -> bool:
        """Whether a result can be judged and selected at all. Spec: CMP-023, CMP-031, CMP-034."""
        if result.name is None or result.is_second or result.is_settled:
            return False
        return result.name not in self.stored and result.name not in self.kept and result.content != CLEARED

    def render_earlier(self) -> None:
        """What was replaced in earlier passes looks as it did. Spec: CMP-031, CMP-034."""
        for result in self.results:
            if result.name is None:
                self.decisions.add("no-call-id", row=result.row)
                continue
            if result.is_second:
                self.decisions.add("second-result", row=result.row, id=result.name)
            text = self.stored.get(result.name)
            if text is not None and result.content not in (text, CLEARED):
                result.shown = text
                self.decisions.add("replaced-again", row=result.row, id=result.name)

    def try_save(self, result: Result, *, for_sum: bool) -> bool:
        """Plan the save of a result, unless its file is not free or nothing would be saved. Spec: CMP-023, CMP-027."""
        assert result.name is not None
        given = self.names.get(result.name)
        is_text = isinstance(result.content, str)
        path = name_file(self.folder, read_id(given) or result.name, "txt" if is_text else "json")
        result.is_settled = True
        if path in self.taken:
            self.decisions.add("name-taken", row=result.row, id=result.name, path=path)
            return False
        text = read_whole_text(result.content)
        preview = make_preview(text, self.unit)
        part = f"A part of a result of {size_text(text, self.unit)} units. The whole is in {path}\n{preview}"
        if size_text(part, self.unit) >= size_text(text, self.unit):
            self.decisions.add("not-smaller", row=result.row, id=result.name)
            return False
        self.taken.add(path)
        whole = result.content if is_text else serialise(result.content, 1)
        result.plan = {"id": result.name, "path": path, "text": whole, "preview": preview, "part": part}
        result.for_sum = for_sum
        self.tried.append(result)
        return True

    def judge_limits(self, group: list[Result]) -> None:
        """Each fresh result of a group against its own limit. Spec: CMP-022, CMP-023."""
        for result in group:
            limit = self.find_limit(result)
            if not self.is_fresh(result) or limit is None or self.size(result.content) <= limit:
                continue
            if not result.is_text_alone():
                self.decisions.add("not-text", row=result.row, id=result.name)
            else:
                self.try_save(result, for_sum=False)

    def judge_sum(self, group: list[Result]) -> None:
        """The results of a group together. Spec: CMP-030."""
        parts = {result.name: result.plan["part"] for result in self.tried if result.plan}
        total = sum(self.size(parts.get(result.name, result.shown)) for result in group)
        open_ones = [
            result
            for result in group
            if self.is_fresh(result) and result.is_text_alone() and self.find_limit(result) is not None
        ]
        while total > self.most and open_ones:
            largest = max(open_ones, key=lambda result: self.size(result.content))  # the first of equal ones
            open_ones.remove(largest)
            if self.try_save(largest, for_sum=True):
                total -= self.size(largest.content)
        if total > self.most:
            self.decisions.add("sum-exceeded", row=group[0].row, id=group[0].name)

    def settle(self) -> None:
        """Saves succeed or fail; the states of all ids follow. Spec: CMP-028, CMP-031 to CMP-034."""
        new: dict[str, str] = {}
        for result in self.tried:
            assert result.plan is not None
            name, path = result.plan["id"], result.plan["path"]
            if name in self.failed:
                self.decisions.add("save-failed", row=result.row, id=name, path=path)
                continue
            why = "saved-for-sum" if result.for_sum else "saved-for-limit"
            self.decisions.add(why, row=result.row, id=name, path=path)
            new[name] = result.plan["part"]
        for result in self.results:
            if result.name in new and result.content != CLEARED:
                result.shown = new[result.name]
        self.replaced = [*self.replaced, *({"id": name, "text": text} for name, text in new.items())]
        known = {*self.stored, *new}
        for result in self.results:
            if result.name is not None and result.name not in known and result.name not in self.kept:
                self.kept = [*self.kept, result.name]

    def run(self) -> dict[str, Any]:
        """The result of the layer. Raises LiteralError."""
        self.render_earlier()
        for number in sorted({result.group for result in self.results}):
            group = [result for result in self.results if result.group == number]
            self.judge_limits(group)
            if self.has_sum:
                self.judge_sum(group)  # [CMP-035]
        self.settle()
        changes: dict[int, dict[int, Any]] = {}
        for result in self.results:
            if result.shown != result.content:
                changes.setdefault(result.row, {})[result.number] = result.shown
        rows = [change_results(row, changes.get(index, {})) for index, row in enumerate(self.rows)]
        keys = ("id", "path", "text", "preview")
        saves = [{key: result.plan[key] for key in keys} for result in self.tried if result.plan]
        freed = count_plain(self.rows, self.choices) - count_plain(rows, self.choices)
        return {
            "messages": rows,
            "saves": saves,
            "state": {"replaced": self.replaced, "kept": self.kept},
            "freed": max(0, freed),
            "first_changed_row": find_first_changed(self.rows, rows),
            "decisions": self.decisions.rows,
        }


def show_tool_results(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.tool_results`. Raises LiteralError. Spec: CMP-020 to CMP-036."""
    return Layer(args, choices, gates).run()
