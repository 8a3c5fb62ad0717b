"""Frontmatter: taking it off a text, repairing it, and the value of its only key."""

import re

import attrs

from tests.literal.memory.space import trim_start
from tests.literal.memory.yaml12.characters import YamlError
from tests.literal.memory.yaml12.compose import Value, parse_yaml

OPENING = re.compile(r"---[ \t]*\r?\n")
"""The first line of a text that has frontmatter. [MEM-040]"""

CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
"""The line that closes the block. [MEM-040]"""

REPAIRABLE = re.compile(r"([A-Za-z_-]+):[ \t]+(.*)", re.DOTALL)
"""A line that the repair looks at: a key in the first column and its value. [MEM-044]"""

REPAIRED_CHARACTERS = "{}[]*&#!|>%@`"
"""Characters that make a value one that is repaired. [MEM-044]"""


@attrs.frozen
class Paths:
    """What the block of a rule says."""

    strings: tuple[str, ...] = ()
    """Strings of the value of `paths`, each of which may hold several patterns."""
    is_invalid: bool = attrs.field(default=False, kw_only=True)
    """Whether the block is no YAML, even repaired. [MEM-045]"""


def split_frontmatter(text: str) -> tuple[str | None, str]:
    """The block without its lines of dashes, if there is one, and the rest of the text. Spec: MEM-040."""
    opening = OPENING.match(text)
    closing = CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None, text
    return text[opening.end() : closing.start()], trim_start(text[closing.end() :])  # [MEM-040]


def repair(block: str) -> str:
    """The block with values in quotes where they need some. Spec: MEM-044."""
    return "\n".join(repair_line(line) for line in block.split("\n"))


def repair_line(line: str) -> str:
    """One line of a block, repaired if it has to be. Spec: MEM-044."""
    end = "\r" if line.endswith("\r") else ""
    found = REPAIRABLE.fullmatch(line.removesuffix("\r"))
    if not found:
        return line
    value = found[2].strip(" \t")
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    is_odd = any(sign in value for sign in REPAIRED_CHARACTERS) or re.search(r":[ \t]", value)
    if is_quoted or not is_odd:
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{found[1]}: "{escaped}"{end}'  # [MEM-044]


def read_paths(block: str) -> Paths:
    """The strings of `paths` in a block. Spec: MEM-041, MEM-043, MEM-044, MEM-045, MEM-047."""
    for attempt in (block, repair(block)):
        try:
            return Paths(find_strings(parse_yaml(attempt)))
        except YamlError:
            continue
    return Paths(is_invalid=True)  # [MEM-045]


def find_strings(value: Value) -> tuple[str, ...]:
    """The strings of `paths`; none for a value of another kind. Spec: MEM-041, MEM-047."""
    for key, held in value.pairs:
        if (key.tag, key.text) == ("str", "paths"):  # [MEM-041]
            parts = held.items if held.tag == "seq" else (held,)
            return tuple(part.text for part in parts if part.tag == "str")  # [MEM-047]
    return ()
