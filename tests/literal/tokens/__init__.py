"""A second, literal and slow implementation of the chapters on tokens and messages, made from their text alone."""

import base64
import binascii
from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.context import context_size, percentage
from tests.literal.tokens.count import count_messages
from tests.literal.tokens.measure import Measure, read_choices, read_measure
from tests.literal.tokens.prepare import prepare
from tests.literal.tokens.rounds import split_rounds
from tests.literal.tokens.rows import INVALID, find_view, read_rows
from tests.literal.tokens.session import session

__all__ = ["LiteralError", "call", "session"]

JSON_EXTENSIONS = ("json", "jsonl", "jsonc")
"""Extensions that count at ratio 2. [EST-003]"""


def call(fn: str, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The result of one call of the wire. Raises LiteralError. Spec: EST-001, EST-012, EST-016, MSG-002, MSG-010."""
    del gates  # no layer that can be off acts in these areas
    chosen = read_choices(choices)
    match fn:
        case "tokens.estimate":
            return estimate(args, read_measure(args, chosen))
        case "tokens.estimate_messages":
            padded = args.get("padded", False)
            if not isinstance(padded, bool):
                raise LiteralError(INVALID, "padded")
            return count_messages(read_rows(args), read_measure(args, chosen), padded=padded)
        case "tokens.context_size":
            return context_size(read_rows(args), Measure("documented", "any", chosen))
        case "tokens.percentage":
            return percentage(args)
        case "messages.rounds":
            return {"rounds": split_rounds(read_rows(args))}
        case "messages.after_boundary":
            return {"from": find_view(read_rows(args))}
        case "messages.prepare":
            return prepare(args, read_rows(args))
        case _:
            raise LiteralError("unknown_function", fn)


def estimate(args: dict[str, Any], measure: Measure) -> dict[str, Any]:
    """The estimate of one text. Raises LiteralError. Spec: EST-001, EST-003, EST-031."""
    if ("text" in args) == ("b64" in args):
        raise LiteralError(INVALID, "one of text and b64")  # [EST-001]
    kind = args.get("kind", "text")
    extension = args.get("extension", "")
    if kind not in ("text", "json") or not isinstance(extension, str):
        raise LiteralError(INVALID, "kind or extension")  # [EST-001]
    text = args["text"] if "text" in args else decode(args["b64"])
    if not isinstance(text, str):
        raise LiteralError(INVALID, "text")
    lowered = "".join(letter.lower() if letter.isascii() else letter for letter in extension)
    if kind == "json" or lowered in JSON_EXTENSIONS:
        return {"tokens": measure.json_text(text)}  # [EST-003] either asks for it
    return {"tokens": measure.text(text)}


def decode(value: Any) -> str:
    """The text of bytes; what is no UTF-8 becomes U+FFFD. Raises LiteralError. Spec: EST-001, MEM-106."""
    if not isinstance(value, str):
        raise LiteralError(INVALID, "b64")
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "replace")  # [MEM-106]
    except (binascii.Error, ValueError) as error:
        raise LiteralError(INVALID, "b64") from error
