"""What fills the window, clause by clause."""

from typing import Any

from tests.literal import window
from tests.literal.context_usage.grid import draw
from tests.literal.context_usage.sections import split
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.count import Counter
from tests.literal.tokens.measure import Measure, read_choices
from tests.literal.tokens.rows import find_view, get_content, get_role
from tests.literal.tokens.serialise import serialise

INVALID = "invalid_argument"
LARGEST = 2**53 - 1
LIMITS = ("model", "window", "max_output", "supports_1m", "betas", "env", "settings")


class Reading:
    """The arguments, checked when they are read. Spec: CTX-125."""

    def __init__(self, args: dict[str, Any]) -> None:
        self.args = args

    def entries(self, name: str) -> list[dict[str, Any]]:
        """The entries of a list. Raises LiteralError."""
        entries = self.args.get(name, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise LiteralError(INVALID, name)
        return entries

    def amount(self, name: str, value: Any) -> int:
        """An amount of tokens. Raises LiteralError."""
        if type(value) is not int or value < 0 or value > LARGEST:
            raise LiteralError(INVALID, name)
        return value

    def text(self, entry: dict[str, Any], name: str) -> str:
        """A text that has to be there. Raises LiteralError."""
        value = entry.get(name)
        if not isinstance(value, str):
            raise LiteralError(INVALID, name)
        return value

    def mark(self, entry: dict[str, Any], name: str) -> bool:
        """A mark, false where it is missing. Raises LiteralError."""
        value = entry.get(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise LiteralError(INVALID, name)
        return value

    def tokens(self, entry: dict[str, Any], name: str, measure: Measure) -> int:
        """The amount of an entry, or the estimate of what stands under the name. Raises LiteralError. Spec: CTX-101."""
        given = entry.get("tokens")
        held = entry.get(name)
        if (given is not None and held is not None) or (given is None and held is None):
            raise LiteralError(INVALID, "one of both")
        if given is not None:
            return self.amount("tokens", given)
        if name == "definition":
            return measure.text(serialise(held, 1))
        return measure.text(self.text(entry, name))


def show_usage(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The report. Raises LiteralError. Spec: CTX-100 to CTX-111."""
    limits = window.call("window.limits", {key: args[key] for key in LIMITS if key in args}, choices, gates)
    measure = Measure("documented", "any", read_choices(choices))
    reading = Reading(args)
    lists = read_lists(reading, measure)
    parts, reported = read_messages(args, measure)
    sums = add_up(lists, sum(parts.values()))
    counted = sum(amount for name, amount in sums.items() if "deferred" not in name)
    excess = 0
    sums["Unattributed"] = 0
    if args.get("recorded") is not None:
        recorded = reading.amount("recorded", args["recorded"])
        sums["Unattributed"] = recorded - counted if recorded > counted else 0  # [CTX-107]
        excess = counted - recorded if counted > recorded else 0
    total = counted + sums["Unattributed"]  # [CTX-108]
    size = limits["window"]
    buffer = size - limits["auto"] if limits["enabled"] else None  # [CTX-109]
    free = size - total - (0 if buffer is None else buffer)  # [CTX-110]
    sums["Free space"] = max(0, free)
    if buffer is not None:
        sums["Autocompact buffer"] = buffer
    categories: list[dict[str, Any]] = [
        {"name": name, "tokens": amount, "deferred": "deferred" in name}
        for name, amount in sums.items()
        if amount > 0 or name in ("Messages", "Free space")  # [CTX-100]
    ]
    grid, _ = draw(categories, size)
    rows = [*limits.get("reported", []), *reported]
    return {
        "model": args.get("model"),
        "categories": [{**one, "tokens": write(one["tokens"])} for one in categories],
        "total": write(total),
        "maximum": size,
        "percentage": min(100, (200 * total + size) // (2 * size)),  # [CTX-108] half up
        "free": sums["Free space"],
        "buffer": buffer,
        "excess": write(excess),
        "auto_compact": limits["enabled"],
        "grid": grid,
        **lists,
        "messages": {name: write(amount) for name, amount in parts.items()},
        **({"reported": rows} if rows else {}),
    }


def write(number: int) -> int | str:
    """As the wire writes it. Spec: CTX-125."""
    return str(number) if number > LARGEST else number


def read_lists(reading: Reading, measure: Measure) -> dict[str, list[dict[str, Any]]]:
    """Every list of the report. Raises LiteralError. Spec: CTX-102, CTX-103, CTX-104."""
    prompt = reading.args.get("system_prompt")
    texts = [] if prompt is None else [prompt] if isinstance(prompt, str) else prompt
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise LiteralError(INVALID, "system_prompt")
    tools = []
    for entry in reading.entries("tools"):
        deferred = reading.mark(entry, "deferred")
        loaded = reading.mark(entry, "loaded")
        tools.append(
            {
                "name": reading.text(entry, "name"),
                "server": None if entry.get("server") is None else reading.text(entry, "server"),
                "tokens": reading.tokens(entry, "definition", measure),
                "deferred": deferred,
                "loaded": loaded if deferred else True,  # [CTX-103]
            }
        )
    return {
        "system_prompt": [
            {"name": name, "tokens": measure.text(text)} for whole in texts for name, text in split(whole)
        ],
        "tools": tools,
        "agents": read_named(reading, "agents", measure),
        "skills": read_named(reading, "skills", measure),
        "memory_files": [
            {
                "path": reading.text(entry, "path"),
                "type": reading.text(entry, "type"),
                "tokens": reading.tokens(entry, "text", measure),
            }
            for entry in reading.entries("memory")
        ],
    }


def read_named(reading: Reading, name: str, measure: Measure) -> list[dict[str, Any]]:
    """Agents or skills. Raises LiteralError. Spec: CTX-104."""
    return [
        {"name": reading.text(entry, "name"), "tokens": reading.tokens(entry, "text", measure)}
        for entry in reading.entries(name)
    ]


def add_up(lists: dict[str, list[dict[str, Any]]], messages: int) -> dict[str, int]:
    """The categories of the source in their order. Spec: CTX-100."""

    def whole(name: str) -> int:
        return sum(row["tokens"] for row in lists[name])

    def tools(*, mcp: bool, counts: bool) -> int:
        return sum(
            tool["tokens"]
            for tool in lists["tools"]
            if (tool["server"] is not None) == mcp and tool["loaded"] == counts
        )

    return {
        "System prompt": whole("system_prompt"),
        "System tools": tools(mcp=False, counts=True),
        "MCP tools": tools(mcp=True, counts=True),
        "MCP tools (deferred)": tools(mcp=True, counts=False),
        "System tools (deferred)": tools(mcp=False, counts=False),
        "Custom agents": whole("agents"),
        "Memory files": whole("memory_files"),
        "Skills": whole("skills"),
        "Messages": messages,
    }


def read_messages(args: dict[str, Any], measure: Measure) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """The five parts, and what is reported. Raises LiteralError. Spec: CTX-105, CTX-106."""
    rows = args.get("messages", [])
    if not isinstance(rows, list):
        raise LiteralError(INVALID, "messages")
    parts = dict.fromkeys(("tool_call", "tool_result", "attachment", "assistant", "user"), 0)
    counter = Counter(measure)
    for index in range(find_view(rows), len(rows)):  # [CTX-105]
        row = rows[index]
        whole = counter.count_row(row, index)
        role = get_role(row)
        own = role if role in ("attachment", "assistant") else "user"
        content = get_content(row) if isinstance(row, dict) else None
        if own != "attachment" and role not in ("system", "progress") and isinstance(content, list):
            for block in content:
                amount = Counter(measure).count_row({"role": "user", "content": [block]}, index)
                part = part_of(block, own)
                parts[part] += amount
                whole -= amount
        parts[own] += whole
    return parts, counter.show().get("reported", [])


def part_of(block: Any, own: str) -> str:
    """The part of one block. Spec: CTX-106."""
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        return own
    if kind == "tool_use" or kind.endswith("_tool_use"):
        return "tool_call"
    if kind == "tool_result" or kind.endswith("_tool_result"):
        return "tool_result"
    return own
