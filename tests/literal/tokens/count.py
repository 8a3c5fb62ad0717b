"""What blocks, rows and lists cost."""

from collections.abc import Callable
from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.measure import Measure
from tests.literal.tokens.rows import COUNTED, SILENT, get_content, get_role
from tests.literal.tokens.serialise import check_level, serialise

MEDIA = ("image", "document")
"""Types that cost a flat sum. [EST-011]"""

FIELDS = {"thinking": "thinking", "redacted_thinking": "data"}
"""Types that count one text, and its key. [EST-008]"""

Report = Callable[[str], None]
"""Takes a reason."""


class Counter:
    """Counts rows and keeps what there is to report."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._reported: set[tuple[int, int, str]] = set()

    def report(self, reason: str, row: int, block: int = -1) -> None:
        """Note a reason once; block -1 stands for none. Spec: EST-026."""
        self._reported.add((row, block, reason))

    def show(self) -> dict[str, Any]:
        """The key `reported`, or nothing. Spec: EST-026."""
        rows = [
            {"reason": reason, "row": row} | ({} if block < 0 else {"block": block})
            for row, block, reason in sorted(self._reported)  # [EST-026] rows, blocks, names
        ]
        return {"reported": rows} if rows else {}

    def count_row(self, row: Any, index: int) -> int:
        """Tokens of one row. Raises LiteralError. Spec: EST-012, EST-026, EST-032."""
        if row is None:
            self.report("bad-row", index)
            return 0  # [EST-026]
        try:
            if not isinstance(row, dict):
                self.report("bad-row", index)
                return self.measure.text(serialise(row, 1)) + self.measure.framing("row")
            role = get_role(row)
            if role in SILENT:
                return 0  # [EST-012]
            if role not in COUNTED:
                self.report("unknown-role", index)  # [EST-012] and counts like a user row
            return self.count_content(get_content(row), index) + self.measure.framing("row")
        except LiteralError as error:
            raise place(error, f"messages[{index}]") from error

    def count_content(self, content: Any, index: int) -> int:
        """Tokens of the content of a row. Spec: EST-005, EST-026."""
        match content:
            case None:
                return 0
            case str():
                return self.measure.text(content)
            case list() | tuple():
                return sum(self.count_placed(item, index, number) for number, item in enumerate(content))
            case _:
                self.report("bad-content", index)
                return self.measure.text(serialise(content, 1))

    def count_placed(self, item: Any, index: int, number: int) -> int:
        """Tokens of an item that stands directly in the content of a row. Spec: EST-026, EST-027."""
        try:
            return self.count_item(item, 1, lambda reason: self.report(reason, index, number), self.measure.text)
        except LiteralError as error:
            raise place(error, f"messages[{index}].content[{number}]") from error  # [EST-027]

    def count_item(self, item: Any, level: int, report: Report, count_text: Callable[[str], int]) -> int:
        """Tokens of an item of a list of content; it stands on this level. Spec: EST-005 to EST-011, EST-026."""
        if item is None:
            report("bad-block")
            return 0  # [EST-026]
        if not isinstance(item, dict) or not isinstance(item.get("type"), str):
            report("bad-block")
            return self.measure.text(serialise(item, level)) + self.measure.framing("block")
        check_level(level)  # [EST-027]
        kind = item["type"]
        if kind == "text":
            return self.count_field(item, "text", level, report, count_text)  # [EST-005]
        if kind in MEDIA:
            return self.measure.media + self.measure.framing("block")  # [EST-011] the type alone decides
        if kind in FIELDS:
            cost = self.count_field(item, FIELDS[kind], level, report, self.measure.text)
        elif kind == "tool_use":
            cost = self.count_call(item, level, report)
        elif kind == "tool_result":
            cost = self.count_result(item, level, report)
        else:
            cost = self.measure.text(serialise(item, level))  # [EST-009]
        return cost + self.measure.framing("block")

    def count_field(
        self, block: dict[str, Any], key: str, level: int, report: Report, count_text: Callable[[str], int]
    ) -> int:
        """Tokens of a text that a block needs. Spec: EST-005, EST-008, EST-026."""
        value = block.get(key)
        if value is None:
            report("no-text")
            return 0
        if not isinstance(value, str):
            report("no-text")
            return self.measure.text(serialise(value, level + 1))
        return count_text(value)

    def count_call(self, block: dict[str, Any], level: int, report: Report) -> int:
        """Tokens of a call. Spec: EST-007, EST-026, EST-032."""
        name = block.get("name")
        if not isinstance(name, str):
            report("no-text")
            name = "" if name is None else serialise(name, level + 1)  # [EST-026]
        given = block.get("input")
        text = serialise({} if given is None else given, level + 1)  # [EST-007] a missing input is {}
        if self.measure.method == "bound":
            texts = (name, self.show_id(block.get("id"), level), text)
            return sum(self.measure.text(part) for part in texts)  # [EST-032] three texts, each by itself
        return self.measure.text(name + text)  # [EST-007] one text, rounded once

    def count_result(self, block: dict[str, Any], level: int, report: Report) -> int:
        """Tokens of a result. Spec: EST-004, EST-006, EST-026, EST-032."""
        cost = 0
        if self.measure.method == "bound":
            cost = self.measure.text(self.show_id(block.get("tool_use_id"), level))  # [EST-032]
        content = block.get("content")
        match content:
            case None:
                return cost
            case str():
                return cost + self.measure.result_text(content)  # [EST-004]
            case list() | tuple():
                check_level(level + 1)
                for item in content:
                    cost += self.count_item(item, level + 2, report, self.measure.result_text)  # [EST-006]
                return cost
            case _:
                report("bad-content")
                return cost + self.measure.text(serialise(content, level + 1))

    def show_id(self, value: Any, level: int) -> str:
        """An id as it counts by the method bound. Spec: EST-032."""
        if value is None:
            return ""
        return value if isinstance(value, str) else serialise(value, level + 1)


def place(error: LiteralError, where: str) -> LiteralError:
    """The same error with the place of the block, unless it names one. Spec: EST-027."""
    return error if "messages[" in str(error) else LiteralError(error.kind, f"{where}: {error}")


def count_messages(rows: list[Any], measure: Measure, *, padded: bool) -> dict[str, Any]:
    """The sum over a list as it is given. Raises LiteralError. Spec: EST-012, EST-021, EST-024, EST-032."""
    counter = Counter(measure)
    total = sum(counter.count_row(row, index) for index, row in enumerate(rows))
    if rows:
        total += measure.framing("list")  # [EST-032]
    if padded and measure.method == "documented" and measure.choices["tokens.message_pad"] == "four-thirds":
        total = -(-total * 4 // 3)  # [EST-021] up, once for the list
    return {"tokens": total} | counter.show()
