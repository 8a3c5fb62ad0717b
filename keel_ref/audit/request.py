"""A recording out of a request of the Messages API, which has no usage and no compactions. Spec: CTX-101, CTX-106."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from json.decoder import JSONDecoder
from typing import Any, Final

from attrs import evolve

from keel_ref.audit.measure import Meter
from keel_ref.audit.recording import Kind, Recording, Response, Step
from keel_ref.choices import Choices
from keel_ref.messages.rows import Role, as_list, as_object, content_of, role_of
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.serialise import serialised

BLANKS: Final = " \t\n\r"
SECOND_LEVEL: Final = 2
"""The level on which the definitions of tools stand. Spec: EST-010."""


def gather_request(
    body: Mapping[str, Any], lines: Sequence[int], name: str, *, choices: Choices | None = None
) -> Recording:
    """The recording that a request makes; `lines` says where each of its messages begins.

    Raises `NotSerialisableError` for what no request can hold. Spec: CTX-101, CTX-106.
    """
    meter = Meter(RoughMeasure(choices or Choices()))
    steps = [Step(line=1, pieces=tuple(_fixed(body, meter)))]
    responses: list[Response] = []
    for index, row in enumerate(body["messages"]):
        found = as_object(row) or {}
        line = lines[index] if index < len(lines) else 1
        step = Step(line=line, pieces=tuple(meter.pieces(index, found)))
        role = role_of(found)
        if role is Role.ASSISTANT:
            step = evolve(step, response=len(responses))
            responses.append(Response(line=line, start=len(steps), sent=0, output=0))
        elif role is Role.USER:
            is_prompt = bool(step.pieces) and all(piece.kind is Kind.USER for piece in step.pieces)
            step = evolve(step, is_prompt=is_prompt)
        steps.append(step)
    model = body.get("model")
    return Recording(
        name=name,
        model=model if isinstance(model, str) and model.strip() else None,
        steps=tuple(steps),
        responses=tuple(responses),
    )


def message_lines(text: str) -> tuple[int, ...]:
    """The line of each message of a request, counted from 1, of a text that is known to be an object with a list."""
    lines: list[int] = []
    line, last = 1, 0
    for place in _message_places(text):
        line += text.count("\n", last, place)
        last = place
        lines.append(line)
    return tuple(lines)


def _message_places(text: str) -> Iterator[int]:
    """Where each item of the list `messages` begins; of two lists the later counts, as when JSON is read."""
    decode = JSONDecoder().raw_decode
    found: list[int] = []
    place = _skip(text, _skip(text, 0) + 1)
    while place < len(text) and text[place] == '"':
        key, place = decode(text, place)
        place = _skip(text, _skip(text, place) + 1)  # behind the colon
        if key == "messages" and text[place] == "[":
            found, place = _item_places(text, place)
        else:
            _, place = decode(text, place)
        place = _skip(text, place)
        if place < len(text) and text[place] == ",":
            place = _skip(text, place + 1)
    yield from found


def _item_places(text: str, start: int) -> tuple[list[int], int]:
    """Where each item of the list begins that begins at `start`, and where the list ends."""
    decode = JSONDecoder().raw_decode
    found: list[int] = []
    place = _skip(text, start + 1)
    while text[place] != "]":
        found.append(place)
        _, place = decode(text, place)
        place = _skip(text, place)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return found, place + 1


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in BLANKS:
        place += 1
    return place


def _fixed(body: Mapping[str, Any], meter: Meter) -> Iterator[Any]:
    """The system prompt and the definitions of tools."""
    system = body.get("system")
    texts = [system] if isinstance(system, str) else [content_text(one) for one in as_list(system) or ()]
    for text in texts:
        if text:
            yield meter.fixed("the system prompt", text)
    for tool in as_list(body.get("tools")) or ():
        yield meter.fixed("definitions of tools", serialised(tool, SECOND_LEVEL))  # [CTX-101]


def content_text(block: object) -> str:
    """The text of a block of the system prompt; empty where it has none."""
    found = as_object(block) or {}
    text = found.get("text")
    return text if isinstance(text, str) else str(content_of(found) or "")
