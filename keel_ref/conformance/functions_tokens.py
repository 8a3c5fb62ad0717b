"""The wire functions of the areas tokens and messages: arguments and results in the form of the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices
from keel_ref.conformance.arguments import Args, argument, list_argument, text_or_bytes
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.line import number_to_wire
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages import api_rounds, prepare_messages, view_start
from keel_ref.messages.rows import Reported, RowReason
from keel_ref.tokens.bound import bound_tokens
from keel_ref.tokens.context import context_size
from keel_ref.tokens.estimate import Kind, estimate_messages, parse_kind, parse_method
from keel_ref.tokens.families import ANY, Family, family_of
from keel_ref.tokens.measures import Method
from keel_ref.tokens.rough import is_json_extension, rough_tokens
from keel_ref.tokens.usage import used_percentage


def tokens_estimate(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`tokens.estimate`: one text by either method."""
    text, method, family = text_or_bytes(args), _method(args), _family(args)
    kind = parse_kind(argument(args, "kind", str, "text"))
    extension = argument(args, "extension", str, "")
    if method is Method.BOUND:
        return {"tokens": bound_tokens(text, family)}
    is_json = kind is Kind.JSON or is_json_extension(extension)  # [EST-003] when either asks for it
    return {"tokens": rough_tokens(text, is_json=is_json, unit=Choices.of(config.choices).unit)}


def tokens_estimate_messages(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`tokens.estimate_messages`: a list of rows by either method."""
    estimate = estimate_messages(
        _rows(args),
        method=_method(args),
        family=_family(args),
        is_padded=argument(args, "padded", bool, default=False),
        choices=Choices.of(config.choices),
    )
    return {"tokens": estimate.tokens, **_reported(estimate.reported)}


def tokens_context_size(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`tokens.context_size`: measured and estimated."""
    size = context_size(_rows(args), choices=Choices.of(config.choices))
    figures = {"tokens": size.tokens, "measured": size.measured, "estimated": size.estimated}
    return {**{name: number_to_wire(figure) for name, figure in figures.items()}, **_reported(size.reported)}


def tokens_percentage(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`tokens.percentage`: how full the window is."""
    percent, is_bad = used_percentage(args.get("usage"), args.get("window"))
    return {"percent": percent, **({"reported": [{"reason": str(RowReason.BAD_USAGE)}]} if is_bad else {})}


def messages_rounds(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`messages.rounds`: the stretches that tile the list."""
    return {"rounds": [list(stretch) for stretch in api_rounds(_rows(args))]}


def messages_after_boundary(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`messages.after_boundary`: where the view begins."""
    return {"from": view_start(_rows(args))}


def messages_prepare(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`messages.prepare`: what is sent."""
    prepared = prepare_messages(_rows(args), pending=list_argument(args, "pending"))
    return {"messages": list(prepared.messages), "reported": [one.as_object() for one in prepared.reported]}


FUNCTIONS: Final = MappingProxyType(
    {
        "tokens.estimate": tokens_estimate,
        "tokens.estimate_messages": tokens_estimate_messages,
        "tokens.context_size": tokens_context_size,
        "tokens.percentage": tokens_percentage,
        "messages.rounds": messages_rounds,
        "messages.after_boundary": messages_after_boundary,
        "messages.prepare": messages_prepare,
    }
)
"""Every function of this module by its wire name."""


def _reported(entries: Iterable[Reported]) -> dict[str, Any]:
    """The key `reported`, absent where there is nothing. Spec: EST-026."""
    rows = [entry.as_object() for entry in entries]
    return {"reported": rows} if rows else {}


def _rows(args: Args) -> list[Any]:
    if "messages" not in args:
        raise InvalidArgumentError("messages", "is missing")
    return argument(args, "messages", list, None)


def _method(args: Args) -> Method:
    return parse_method(argument(args, "method", str, str(Method.DOCUMENTED)))


def _family(args: Args) -> Family:
    return family_of(argument(args, "family", str, ANY))
