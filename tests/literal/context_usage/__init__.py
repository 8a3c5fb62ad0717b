"""A second, literal and slow implementation of the clauses on usage and grid, made from their text alone."""

from typing import Any

from tests.literal.context_usage.grid import draw
from tests.literal.context_usage.usage import Reading, show_usage
from tests.literal.memory.errors import LiteralError

__all__ = ["LiteralError", "call"]


def call(fn: str, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The result of one call of the wire. Raises LiteralError. Spec: CTX-111, CTX-120."""
    match fn:
        case "context.usage":
            return show_usage(args, choices, gates)
        case "context.grid":
            return show_grid(args)
        case _:
            raise LiteralError("unknown_function", fn)


def show_grid(args: dict[str, Any]) -> dict[str, Any]:
    """The grid of the categories given. Raises LiteralError. Spec: CTX-120, CTX-125."""
    reading = Reading(args)
    window = reading.amount("window", args.get("window"))
    if window < 1:
        raise LiteralError("invalid_argument", "window")
    rows = [
        {
            "name": reading.text(entry, "name"),
            "tokens": reading.amount("tokens", entry.get("tokens")),
            "deferred": reading.mark(entry, "deferred"),
        }
        for entry in reading.entries("categories")
    ]
    grid, squares = draw(rows, window)
    return {**grid, "squares": squares}
