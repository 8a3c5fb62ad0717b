"""One frontmatter block as YAML 1.2, within bounds. Spec: MEM-043, MEM-046.

The syntax is ruamel.yaml's business; the meaning of scalars (core schema), of tags, aliases and duplicate keys is
settled here, on the stream of events, so that a bomb is met while it is still an event and never a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Self

from attrs import field, frozen, mutable
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from ruamel.yaml.events import CollectionEndEvent as EndEvent

from keel_ref.constants import Constants
from keel_ref.text import size_utf16

NOT_A_TEXT = re.compile(
    r"~|null|Null|NULL|"
    r"true|True|TRUE|false|False|FALSE|"
    r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|"
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|"
    r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|"
)
CORE = "tag:yaml.org,2002:"
TEXT_TAGS = ("!", CORE + "str")
COLLECTION_TAGS = (CORE + "map", CORE + "seq", "!")
TAB_BEHIND_KEY = re.compile(r"^([^\s:#][^:\n]*:)([ \t]*\t[ \t]*)", re.MULTILINE)


@frozen
class BlockFailure:
    """The block is no YAML, or more than the bounds allow."""

    why: str
    """The parser's own words, on one line."""


@frozen(kw_only=True)
class BlockValue:
    """A value of the block as far as `paths` needs it."""

    text: str | None = None
    """A string; None for everything else."""
    items: tuple[BlockValue, ...] | None = None
    """The items of a list; None for everything else."""
    entries: dict[str, BlockValue] = field(factory=dict)
    """The entries of a mapping under their string keys."""
    nodes: int = 1
    """Nodes in this value, aliases expanded."""

    @classmethod
    def null(cls) -> Self:
        """What an absent key is worth: no text, no list."""
        return cls()


@mutable
class _Open:
    """A collection whose end has not been met."""

    is_mapping: bool
    anchor: str | None
    parts: list[BlockValue] = field(factory=list)
    keys: list[str | None] = field(factory=list)


@lru_cache(maxsize=1024)
def parse_block(block: str, constants: Constants) -> BlockValue | BlockFailure:
    """The block's value, or why there is none; anything but a mapping is an empty one."""
    if size_utf16(block) > constants.yaml_cap_units:  # [MEM-046]
        return BlockFailure(f"more than {constants.yaml_cap_units} UTF-16 units")
    text = TAB_BEHIND_KEY.sub(
        lambda m: m[1] + " " * len(m[2]), block
    )  # [MEM-043] a tab behind the colon is white space
    parser = YAML(typ="safe", pure=True)
    try:
        return _Composer(constants).compose(parser.parse(text))
    except YAMLError as error:
        return BlockFailure(" ".join(str(error).split()))
    except _OutOfBoundsError as error:
        return BlockFailure(str(error))
    except RecursionError:
        return BlockFailure("nested too deeply")
    except (ValueError, OverflowError):  # what the parser lets through of an escape such as `\U00110000`
        return BlockFailure("an escape that stands for no character")


class _OutOfBoundsError(Exception):
    """The block breaks a rule of this module rather than one of YAML's syntax."""


class _Composer:
    """Builds values from events, keeping count."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.anchors: dict[str, BlockValue] = {}
        self.open: list[_Open] = []
        self.root: BlockValue | None = None
        self.nodes = 0

    def compose(self, events: Iterator[Any]) -> BlockValue:
        documents = 0
        for event in events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _OutOfBoundsError("more than one document")
            elif isinstance(event, NodeEvent):
                self._node(event)
            elif isinstance(event, EndEvent):
                self._end()
        return self.root or BlockValue.null()

    def _node(self, event: NodeEvent) -> None:
        match event:
            case MappingStartEvent() | SequenceStartEvent():
                if event.tag is not None and str(event.tag) not in COLLECTION_TAGS:
                    raise _OutOfBoundsError(f"unknown tag {event.tag}")
                if len(self.open) >= self.constants.yaml_cap_levels:  # [MEM-046]
                    raise _OutOfBoundsError(f"more than {self.constants.yaml_cap_levels} levels")
                self.open.append(_Open(isinstance(event, MappingStartEvent), event.anchor))
            case AliasEvent():
                if event.anchor not in self.anchors:  # [MEM-046] also an anchor that is still open
                    raise _OutOfBoundsError(f"unknown alias *{event.anchor}")
                self._place(self.anchors[event.anchor], None)
            case ScalarEvent():
                self._place(_scalar(event), event.anchor)
            case _:  # no other kind of node exists
                raise _OutOfBoundsError(f"unknown event {event!r}")

    def _end(self) -> None:
        done = self.open.pop()
        nodes = 1 + sum(part.nodes for part in done.parts)
        if done.is_mapping:
            pairs = zip(done.keys, done.parts[1::2], strict=True)
            value = BlockValue(entries={k: v for k, v in pairs if k is not None}, nodes=nodes)
        else:
            value = BlockValue(items=tuple(done.parts), nodes=nodes)
        self._place(value, done.anchor, is_counted=True)

    def _place(self, value: BlockValue, anchor: str | None, *, is_counted: bool = False) -> None:
        self.nodes += 1 if is_counted else value.nodes
        if self.nodes > self.constants.yaml_cap_nodes:  # [MEM-046]
            raise _OutOfBoundsError(f"more than {self.constants.yaml_cap_nodes} nodes")
        if anchor is not None:
            self.anchors[anchor] = value
        if not self.open:
            self.root = value
            return
        into = self.open[-1]
        if into.is_mapping and len(into.parts) % 2 == 0:
            if value.text is not None and value.text in into.keys:  # [MEM-043] a duplicate key is an error
                raise _OutOfBoundsError(f"duplicate key {value.text}")
            into.keys.append(value.text)
        into.parts.append(value)


def _scalar(event: ScalarEvent) -> BlockValue:
    tag = None if event.tag is None else str(event.tag)
    is_plain = event.style is None or event.style == ""
    if tag is None:
        is_text = not is_plain or NOT_A_TEXT.fullmatch(event.value) is None
        return BlockValue(text=event.value if is_text else None)
    if tag in TEXT_TAGS:
        return BlockValue(text=event.value)
    if event.value == "" and is_plain:
        return BlockValue.null()  # [MEM-043] a value that is only a tag is empty
    if tag.startswith(CORE):
        return BlockValue.null()  # a number, a boolean or null by its tag
    raise _OutOfBoundsError(f"unknown tag {tag}")  # [MEM-046]
