"""The wire functions that choose: memories, skills and tools. Spec: CTX-050 to CTX-083."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.functions_context_core import maybe_text, variables
from keel_ref.conformance.line import MAX_INTEGER, number_to_wire
from keel_ref.constants import DEFAULT
from keel_ref.context.deferral import Offer, decide_deferral
from keel_ref.context.relevant_memories import Folder, candidates_of, select_memories, surfaced_in
from keel_ref.context.skills import MAIN_AGENT, SentNames, Skill, list_skills
from keel_ref.context.tool_search import Searchable, search_tools
from keel_ref.errors import InvalidArgumentError, NotSerialisableError
from keel_ref.text import size_utf16
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.serialise import Unserialisable, serialised


def context_relevant_memories(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature)
    """`context.relevant_memories`: what a turn surfaces of what the selectors picked."""
    surfaced = surfaced_in(list_argument(args, "messages"))
    folders = [_folder(place, entry) for place, entry in _objects(args, "folders")]
    selection = select_memories(folders, surfaced, frozenset(_texts(args, "read")))
    return {
        "candidates": [list(candidates_of(folder, surfaced)) for folder in folders],
        "surfaced": [
            {
                "path": memory.path,
                "text": memory.injected.text,
                "bytes": memory.size_bytes,
                "cut": memory.injected.is_cut,
            }
            for memory in selection.memories
        ],
        "left_out": [{"path": one.path, "reason": str(one.why)} for one in selection.dropped],
        "total": number_to_wire(surfaced.size_bytes + sum(memory.size_bytes for memory in selection.memories)),
    }


def context_skill_listing(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.skill_listing`: the skills as they are told to one agent."""
    agent = maybe_text(args, "agent") or MAIN_AGENT
    told = argument(args, "sent", dict, {})
    sent = SentNames(by_agent={name: frozenset(_texts(told, name, "sent.")) for name in told})
    skills = tuple(_skill(place, entry) for place, entry in _objects(args, "skills"))
    window = None if args.get("window") is None else _amount("window", args["window"])
    listing = list_skills(sent.unsent(agent, skills), window, env=variables(args), choices=Choices.of(config.choices))
    after = sent.with_sent(agent, listing.names).by_agent
    return {
        "budget": number_to_wire(listing.budget_units),
        "step": str(listing.cascade),
        "share": None if listing.share_units is None else number_to_wire(listing.share_units),
        "lines": list(listing.lines),
        "size": size_utf16(listing.text),
        "sent": {name: sorted(names) for name, names in sorted(after.items())},
        "reported": [one.as_object() for one in listing.reports],
    }


def context_deferral(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.deferral`: which tools are deferred."""
    choices = Choices.of(config.choices)
    offers = [_offer(place, entry, RoughMeasure(choices)) for place, entry in _objects(args, "tools")]
    window = DEFAULT.default_window_tokens if args.get("window") is None else _amount("window", args["window"])
    found = decide_deferral(
        offers,
        window=window,
        model=maybe_text(args, "model"),
        base_url=maybe_text(args, "base_url"),
        env=variables(args),
        choices=choices,
    )
    return {
        "mode": str(found.mode),
        "threshold": found.threshold,
        "tokens": number_to_wire(found.tokens),
        "on": found.is_on,
        "tools": [
            {
                "name": tool.name,
                "can_be_deferred": tool.can_be_deferred,
                "ground": str(tool.ground),
                "deferred": tool.is_deferred,
            }
            for tool in found.tools
        ],
        "reported": [one.as_object() for one in found.reports],
    }


def context_tool_search(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`context.tool_search`: the tools that a query means."""
    tools = [
        Searchable(
            name=_text(entry, "name", place),
            server=maybe_text(entry, "server"),
            description=maybe_text(entry, "description") or "",
            hint=maybe_text(entry, "hint") or "",
        )
        for place, entry in _objects(args, "tools")
    ]
    limit = None if args.get("limit") is None else _amount("limit", args["limit"])
    found = search_tools(argument(args, "query", str, None), tools, limit)
    return {
        "matches": [{"name": match.name, "score": match.score} for match in found.matches],
        "missing": list(found.missing),
    }


FUNCTIONS: Final = MappingProxyType(
    {
        "context.relevant_memories": context_relevant_memories,
        "context.skill_listing": context_skill_listing,
        "context.deferral": context_deferral,
        "context.tool_search": context_tool_search,
    }
)
"""Every function of this module by its wire name."""


def _folder(place: str, entry: Args) -> Folder:
    files = {
        _text(file, "path", inside): _text(file, "text", inside)
        for inside, file in _objects(entry, "files", f"{place}.")
    }
    return Folder(files=files, picks=None if entry.get("picks") is None else _texts(entry, "picks", f"{place}."))


def _skill(place: str, entry: Args) -> Skill:
    return Skill(
        name=_text(entry, "name", place),
        description=maybe_text(entry, "description") or "",
        is_bundled=_mark(entry, "bundled", place),
    )


def _offer(place: str, entry: Args, measure: RoughMeasure) -> Offer:
    """One tool; what its definition costs is given, or estimated. Spec: CTX-073."""
    tokens, definition = entry.get("tokens"), entry.get("definition")
    try:
        estimate = 0 if definition is None else measure.text(serialised(definition))  # [CTX-073]
    except Unserialisable as problem:
        raise NotSerialisableError(place, str(problem)) from problem
    return Offer(
        name=_text(entry, "name", place),
        server=maybe_text(entry, "server"),
        is_always_loaded=_mark(entry, "always_load", place),
        is_feature_bound=_mark(entry, "feature_bound", place),
        is_own_flag=_mark(entry, "defer", place),
        tokens=estimate if tokens is None else _amount(f"{place}.tokens", tokens),  # [CTX-073] a count comes first
    )


def _objects(args: Args, name: str, before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, entry in enumerate(list_argument(args, name)):
        if not isinstance(entry, dict):
            raise InvalidArgumentError(f"{before}{name}[{number}]", "is no object")
        yield f"{before}{name}[{number}]", entry


def _texts(args: Args, name: str, before: str = "") -> tuple[str, ...]:
    texts = list_argument(args, name)
    if not all(isinstance(text, str) for text in texts):
        raise InvalidArgumentError(f"{before}{name}", "is no list of texts")
    return tuple(texts)


def _text(entry: Args, key: str, place: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{place}.{key}", "is no text")
    return value


def _mark(entry: Args, key: str, place: str) -> bool:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise InvalidArgumentError(f"{place}.{key}", "is neither true nor false")
    return value is True


def _amount(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_INTEGER:
        raise InvalidArgumentError(name, f"is no whole number from 0 to {MAX_INTEGER}")
    return value
