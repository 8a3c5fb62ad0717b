"""The wire functions that say what fills the window: arguments and results in the form of the wire. Spec: CTX-111."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.functions_window import limits_of
from keel_ref.conformance.line import MAX_INTEGER, number_to_wire
from keel_ref.context.categories import Share
from keel_ref.context.grid import Grid, grid_of
from keel_ref.context.holdings import Holdings, MemoryShare, Named, Tool
from keel_ref.context.message_parts import Part, break_down
from keel_ref.context.sections import sections_of
from keel_ref.context.usage import UsageReport, usage_report
from keel_ref.errors import InvalidArgumentError, NotSerialisableError
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.serialise import Unserialisable, serialised


def context_usage(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.usage`: what fills the window, by category."""
    choices = Choices.of(config.choices)
    limits = limits_of(args, config)
    reader = _Reader(measure=RoughMeasure(choices))
    broken_down, reported = break_down(list_argument(args, "messages"), choices=choices)
    holdings = Holdings(
        system_prompt=sections_of(_texts(args.get("system_prompt")), reader.measure.text),
        tools=tuple(reader.tools(args)),
        agents=tuple(reader.named(args, "agents")),
        memory_files=tuple(reader.memory(args)),
        skills=tuple(reader.named(args, "skills")),
        messages=broken_down.parts(),
        recorded=None if args.get("recorded") is None else _amount("recorded", args["recorded"]),
    )
    rows = [*(one.as_object() for one in limits.reports), *(one.as_object() for one in reported)]
    model = args.get("model")
    return {"model": model, **report_to_wire(usage_report(holdings, limits)), **({"reported": rows} if rows else {})}


def context_grid(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`context.grid`: the squares of any categories."""
    window = _amount("window", args.get("window"))
    if window < 1:
        raise InvalidArgumentError("window", "is 0; a window holds at least one token")
    shares = [
        Share(
            name=_text(entry, "name", place),
            tokens=_amount(f"{place}.tokens", entry.get("tokens")),
            is_deferred=_mark(entry, "deferred", place),
        )
        for place, entry in _entries(args, "categories")
    ]
    grid = grid_of(shares, window)
    return {**_grid(grid), "squares": list(grid.squares)}


def report_to_wire(report: UsageReport) -> Mapping[str, Any]:
    """The report as the wire writes it, but for the name of the model and what is reported. Spec: CTX-111."""
    holdings = report.holdings
    return {
        "categories": [
            {"name": share.name, "tokens": number_to_wire(share.tokens), "deferred": share.is_deferred}
            for share in report.categories
        ],
        "total": number_to_wire(report.total),
        "maximum": report.maximum,
        "percentage": report.percentage,
        "free": report.free,
        "buffer": report.buffer,
        "excess": number_to_wire(report.excess),
        "auto_compact": report.limits.is_enabled,
        "grid": _grid(report.grid),
        "system_prompt": _named(holdings.system_prompt),
        "tools": [
            {
                "name": tool.name,
                "server": tool.server,
                "tokens": tool.tokens,
                "deferred": tool.is_deferred,
                "loaded": tool.counts,
            }
            for tool in holdings.tools
        ],
        "agents": _named(holdings.agents),
        "skills": _named(holdings.skills),
        "memory_files": [{"path": row.path, "type": row.type, "tokens": row.tokens} for row in holdings.memory_files],
        "messages": {str(part): number_to_wire(getattr(holdings.messages, part)) for part in Part},
    }


FUNCTIONS: Final = MappingProxyType({"context.usage": context_usage, "context.grid": context_grid})
"""Every function of this module by its wire name."""


@frozen
class _Reader:
    """Reads the lists of the arguments, and measures what has no amount. Spec: CTX-101."""

    measure: RoughMeasure

    def tools(self, args: Args) -> Iterator[Tool]:
        for place, entry in _entries(args, "tools"):
            yield Tool(
                name=_text(entry, "name", place),
                server=None if entry.get("server") is None else _text(entry, "server", place),
                tokens=self._tokens(entry, "definition", place),
                is_deferred=_mark(entry, "deferred", place),
                is_loaded=_mark(entry, "loaded", place),
            )

    def named(self, args: Args, name: str) -> Iterator[Named]:
        for place, entry in _entries(args, name):
            yield Named(name=_text(entry, "name", place), tokens=self._tokens(entry, "text", place))

    def memory(self, args: Args) -> Iterator[MemoryShare]:
        for place, entry in _entries(args, "memory"):
            path, kind = _text(entry, "path", place), _text(entry, "type", place)
            yield MemoryShare(path=path, type=kind, tokens=self._tokens(entry, "text", place))

    def _tokens(self, entry: Mapping[str, Any], key: str, place: str) -> int:
        """The amount of an entry, or an estimate of what it holds under a key. Spec: CTX-101."""
        if (entry.get("tokens") is None) == (entry.get(key) is None):  # [CTX-101] one of them, and not both
            raise InvalidArgumentError(place, f"give either tokens or {key}")
        if entry.get("tokens") is not None:
            return _amount(f"{place}.tokens", entry["tokens"])  # [CTX-101] before an estimate
        if key == "text":
            return self.measure.text(_text(entry, key, place))
        try:
            return self.measure.text(serialised(entry[key]))  # [CTX-101]
        except Unserialisable as problem:
            raise NotSerialisableError(place, str(problem)) from problem


def _entries(args: Args, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each entry of a list with its place in words. Spec: CTX-125."""
    for number, entry in enumerate(list_argument(args, name)):
        if not isinstance(entry, dict):
            raise InvalidArgumentError(f"{name}[{number}]", "is no object")  # [CTX-125]
        yield f"{name}[{number}]", entry


def _texts(value: object) -> Sequence[str]:
    """The system prompt as texts. Spec: CTX-102, CTX-125."""
    texts = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidArgumentError("system_prompt", "is neither a text nor a list of texts")
    return texts


def _text(entry: Mapping[str, Any], key: str, place: str) -> str:
    return argument({f"{place}.{key}": entry[key]} if key in entry else {}, f"{place}.{key}", str, None)


def _mark(entry: Mapping[str, Any], key: str, place: str) -> bool:
    value = entry.get(key)
    if value is None:
        return False  # [CTX-125] a mark that is missing is false
    if not isinstance(value, bool):
        raise InvalidArgumentError(f"{place}.{key}", "is neither true nor false")
    return value


def _amount(name: str, value: object) -> int:
    """An amount of tokens. Spec: CTX-125."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_INTEGER:
        raise InvalidArgumentError(name, f"is no whole number from 0 to {MAX_INTEGER}")  # [CTX-125]
    return value


def _named(rows: Sequence[Named]) -> Sequence[Mapping[str, Any]]:
    return [{"name": row.name, "tokens": row.tokens} for row in rows]


def _grid(grid: Grid) -> Mapping[str, Any]:
    return {"columns": grid.columns, "rows": [list(row) for row in grid.rows]}
