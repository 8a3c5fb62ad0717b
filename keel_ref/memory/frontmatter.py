"""The block between dashes at the head of a memory file. Spec: MEM-040 to MEM-046."""

from __future__ import annotations

import re

from attrs import frozen

from keel_ref.constants import Constants
from keel_ref.memory.yaml_block import BlockFailure, BlockValue, parse_block
from keel_ref.text import JS_WHITE_SPACE

OPENING = re.compile(r"---[ \t]*\r?\n")
CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
KEY_VALUE = re.compile(r"([A-Za-z_-]+):[ \t]+(.*)")
SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|:[ \t]")


@frozen(kw_only=True)
class Split:
    """A text parted into its frontmatter block and its body."""

    block: str | None
    """What stands between the dashes; None where there is no frontmatter."""
    body: str
    """The text that remains."""


def split_frontmatter(text: str) -> Split:
    """Take the block off, if the very first line opens one and a later line closes it. Spec: MEM-040."""
    opening = OPENING.match(text)  # [MEM-040] the very first line, nothing before it
    if opening is None:
        return Split(block=None, body=text)
    closing = CLOSING.search(text, opening.end())
    if closing is None:
        return Split(block=None, body=text)  # [MEM-040] an unclosed block is text
    body = text[closing.end() :].lstrip(JS_WHITE_SPACE)  # [MEM-040] white space directly behind goes with it
    return Split(block=text[opening.end() : closing.start()], body=body)


def read_paths(block: str, constants: Constants) -> BlockValue | BlockFailure:
    """The value of `paths`, the only key that is read; null where it is absent. Spec: MEM-041, MEM-043 to MEM-045."""
    value = parse_block(block, constants)
    if isinstance(value, BlockFailure) and (repaired := repair(block)) != block:
        value = parse_block(repaired, constants)  # [MEM-044] once, then no more
    if isinstance(value, BlockFailure):
        return value  # [MEM-045] the block is dropped
    return value.entries.get("paths", BlockValue.null())  # [MEM-041] exact case


def repair(block: str) -> str:
    """Put quotes around values that YAML would take for syntax, line by line. Spec: MEM-044."""
    return "\n".join(_repair_line(line.removesuffix("\r")) for line in block.split("\n"))


def _repair_line(line: str) -> str:
    match = KEY_VALUE.fullmatch(line)
    if match is None:
        return line  # [MEM-044] list items and indented lines stay
    name, value = match[1], match[2].strip(" \t")
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    if is_quoted or not SPECIAL.search(value):
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}: "{escaped}"'
