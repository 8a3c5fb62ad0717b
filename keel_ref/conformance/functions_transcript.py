"""The wire functions of the area transcript: arguments and results in the form of the wire. Spec: TRN-034."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices
from keel_ref.conformance.arguments import Args, list_argument, text_or_bytes
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.line import WireError, bytes_from_wire, number_to_wire
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import TERMS, Usage
from keel_ref.transcript.context import context_of
from keel_ref.transcript.log import SessionLog, Totals
from keel_ref.transcript.reader import read_log


def transcript_read(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`transcript.read`: the conversation, what the next turn sees of it, and what is wrong with the file."""
    log = _log(args, Choices.of(config.choices))
    return {
        "lines": log.lines,
        "conversation": _lines(log, log.conversation),
        "view": _lines(log, log.view),
        "kept": sorted(_lines(log, log.kept)),
        "side_chains": _side_chains(log),
        "boundaries": [
            {"line": row.line, "trigger": row.boundary.trigger, "pre_tokens": _amount(row.boundary.pre_tokens)}
            for row in log.rows
            if row.boundary is not None
        ],
        "other": [{"kind": kind, "rows": count} for kind, count in log.other_kinds],
        "problems": [{"line": one.line, "reason": str(one.reason)} for one in log.problems],
    }


def transcript_responses(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`transcript.responses`: every response once, what they used, and how large the context is."""
    choices = Choices.of(config.choices)
    log = _log(args, choices)
    size = context_of(log, choices)
    return {
        "responses": [
            {
                "lines": _lines(log, one.rows),
                "usage": _usage(one.usage),
                "context": number_to_wire(one.usage.input_total),  # [TRN-033] three terms
                "model": one.model,
                "in_conversation": one.in_conversation,
            }
            for one in log.responses
        ],
        "totals": _totals(log.totals),
        "naive": _totals(log.naive),
        "context": {name: number_to_wire(getattr(size, name)) for name in ("tokens", "measured", "estimated")},
    }


FUNCTIONS: Final = MappingProxyType({"transcript.read": transcript_read, "transcript.responses": transcript_responses})
"""Every function of the area by its wire name."""


def _log(args: Args, choices: Choices) -> SessionLog:
    counter = RowCounter(RoughMeasure(choices))
    return read_log(_split(_file(args)), cost=lambda row: counter.count(0, row))


def _file(args: Args) -> bytes:
    """The bytes of the file. Spec: TRN-034."""
    if "lines" in args:
        if "text" in args or "b64" in args:
            raise InvalidArgumentError("lines", "give either lines, text or b64")  # [TRN-034]
        return b"".join(_line(number, entry) + b"\n" for number, entry in enumerate(list_argument(args, "lines")))
    file = text_or_bytes(args)
    return file if isinstance(file, bytes) else file.encode("utf-8", "surrogatepass")


def _line(number: int, entry: object) -> bytes:
    if isinstance(entry, str):
        return entry.encode("utf-8", "surrogatepass")
    if not isinstance(entry, dict):
        raise InvalidArgumentError(f"lines[{number}]", "is neither a text nor an object")  # [TRN-034]
    if entry.keys() != {"b64"}:
        return json.dumps(entry).encode()
    try:
        return bytes_from_wire(entry)
    except WireError as error:
        raise InvalidArgumentError(f"lines[{number}]", str(error)) from error


def _split(file: bytes) -> Iterator[bytes]:
    """Lines with their LF; what stands behind the last LF is a line unless it is empty. Spec: TRN-002."""
    start = 0
    while start < len(file):
        end = file.find(b"\n", start) + 1 or len(file)
        yield file[start:end]
        start = end


def _lines(log: SessionLog, places: Iterable[int]) -> list[int]:
    return [log.rows[place].line for place in places]


def _side_chains(log: SessionLog) -> Sequence[Mapping[str, Any]]:
    """The rows of each sub-agent, in the order of the file, by the first row of each."""
    found: dict[str, list[int]] = {}
    for row in log.rows:
        if row.agent is not None:
            found.setdefault(row.agent, []).append(row.line)
    return [{"agent": agent, "lines": lines} for agent, lines in found.items()]


def _usage(usage: Usage) -> Mapping[str, Any]:
    return {term: number_to_wire(getattr(usage, term)) for term in TERMS}


def _totals(totals: Totals) -> Mapping[str, Any]:
    return {"responses": totals.responses, **{term: number_to_wire(getattr(totals, term)) for term in TERMS}}


def _amount(amount: int | None) -> int | str | None:
    return None if amount is None else number_to_wire(amount)
