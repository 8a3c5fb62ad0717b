"""A second, literal and slow implementation of the chapter on memory, made from its text alone."""

from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.memory.index import cut_index
from tests.literal.memory.load import StartLoad
from tests.literal.memory.loader import Record
from tests.literal.memory.paths import join
from tests.literal.memory.report import Place
from tests.literal.memory.request import INVALID, Request, read_choices, read_gates, read_request
from tests.literal.memory.session import Session
from tests.literal.memory.touch import attach
from tests.literal.memory.wire import show_path

__all__ = ["LiteralError", "call"]


def call(fn: str, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The result of one call of the wire. Raises LiteralError. Spec: MEM-001, MEM-121, MEM-143."""
    chosen = read_choices(choices)
    states = read_gates(gates)
    match fn:
        case "memory.index":
            return call_index(args, chosen)
        case "memory.load":
            return run(read_request(args, with_reads=False), chosen, states, with_reads=False)
        case "memory.touch":
            return run(read_request(args, with_reads=True), chosen, states, with_reads=True)
        case _:
            raise LiteralError("unknown_function", fn)


def call_index(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """The index within its limits. Spec: MEM-121, MEM-122, MEM-123."""
    if set(args) != {"text"} or not isinstance(args["text"], str):
        raise LiteralError(INVALID, "text")
    cut = cut_index(args["text"], choices["memory.index_unit"])
    return {"text": cut.text, "lines": cut.lines, "size": cut.size, "cut": list(cut.cut)}


def run(request: Request, choices: dict[str, str], gates: dict[str, bool], *, with_reads: bool) -> dict[str, Any]:
    """One session: its start, and its reads in order. Spec: MEM-143."""
    session = Session(request, choices, gates)
    records = StartLoad(session).load()
    result: dict[str, Any] = {"files": show(records)}
    listed: set[Place] = {(record.path.key, record.layer) for record in records}
    if with_reads:
        result["reads"] = []
        for text in request.reads:
            target = join(session.cwd, text, request.flavour)  # [MEM-140] links are not resolved
            attached = attach(session, target)
            listed |= {(record.path.key, record.layer) for record in attached}
            result["reads"].append({"p": show_path(str(target)), "files": show(attached)})
    result["skipped"] = session.report.rows_but(listed)
    result["warnings"] = list(session.report.warnings.values())
    return result


def show(records: list[Record]) -> list[dict[str, Any]]:
    """Records as they travel."""
    return [record.show() for record in records]
