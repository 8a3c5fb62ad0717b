"""Parts of a component of a pattern, for the patterns of rules and for those of exclusions."""

import re
from collections.abc import Callable
from enum import Enum

import attrs

NAMED: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "lower": str.islower,
    "punct": lambda c: c in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "space": str.isspace,
    "upper": str.isupper,
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}
"""Named classes, and what stands in them. Spec: MEM-054."""


class Sign(Enum):
    """Wildcards."""

    STAR = "any run of characters"
    ANY = "one character"


@attrs.frozen
class Literal:
    """One character that stands for itself."""

    character: str
    """The character."""


@attrs.frozen
class CharacterClass:
    """One character out of some."""

    ranges: tuple[tuple[str, str], ...]
    """First and last character of each; equal for a single one."""
    is_negated: bool
    """Whether it is any other character."""
    names: tuple[str, ...] = ()
    """Named classes in it."""


Part = Sign | Literal | CharacterClass
"""What a component of a pattern is made of."""


def read_parts(component: str) -> list[Part] | None:
    """The parts of a component; nothing if it ends in an unpaired backslash. Spec: MEM-050, MEM-054, MEM-062."""
    parts: list[Part] = []
    index = 0
    while index < len(component):
        character = component[index]
        if character == "\\":
            if index + 1 == len(component):
                return None  # [MEM-054]
            parts.append(Literal(component[index + 1]))
            index += 2
            continue
        found = read_class(component, index) if character == "[" else None
        if found:
            parts.append(found[0])
            index = found[1]
            continue
        parts.append({"*": Sign.STAR, "?": Sign.ANY}.get(character, Literal(character)))
        index += 1
    return parts


def read_class(component: str, start: int) -> tuple[CharacterClass, int] | None:
    """The class that begins with a bracket, and the index behind it. Spec: MEM-054."""
    index = start + 1
    is_negated = component[index : index + 1] == "^"
    if is_negated:
        index += 1
    members: list[tuple[str, bool]] = []
    names: list[str] = []
    while component[index : index + 1] != "]":
        named = re.match(r"\[:([a-z]+):\]", component[index:])
        if named and named[1] in NAMED:
            names.append(named[1])
            index += named.end()
            continue
        if component[index : index + 1] == "\\":
            index += 1
            is_escaped = True
        else:
            is_escaped = False
        if index >= len(component):
            return None  # without an end it is literal [MEM-054]
        members.append((component[index], is_escaped))
        index += 1
    if not members and not names:
        return None
    return CharacterClass(tuple(pair_ranges(members)), is_negated, tuple(names)), index + 1


def pair_ranges(members: list[tuple[str, bool]]) -> list[tuple[str, str]]:
    """Single characters and ranges; a range that runs backwards holds none. Spec: MEM-054."""
    ranges: list[tuple[str, str]] = []
    index = 0
    while index < len(members):
        first = members[index][0]
        if index + 2 < len(members) and members[index + 1] == ("-", False):
            ranges.append((first, members[index + 2][0]))
            index += 3
        else:
            ranges.append((first, first))
            index += 1
    return ranges


def spellings(character: str, *, folds_case: bool) -> set[str]:
    """The characters that count as equal to one."""
    if not folds_case:
        return {character}
    return {spelling for spelling in (character, character.lower(), character.upper()) if len(spelling) == 1}


def unescape_slashes(pattern: str) -> str:
    """The pattern without backslashes before slashes: a slash has but one meaning. Spec: MEM-050."""
    return re.sub(r"\\(.)", lambda found: "/" if found[1] == "/" else found[0], pattern, flags=re.DOTALL)


def matches_one(part: Part, character: str, *, folds_case: bool) -> bool:
    """Whether a part that is no star stands for a character. Spec: MEM-050."""
    match part:
        case Literal():
            return part.character == character or (folds_case and part.character.lower() == character.lower())
        case CharacterClass():
            found = any(
                first <= spelling <= last
                for first, last in part.ranges
                for spelling in spellings(character, folds_case=folds_case)
            ) or any(
                NAMED[name](spelling) for name in part.names for spelling in spellings(character, folds_case=folds_case)
            )
            return found != part.is_negated
        case Sign.ANY:
            return True
        case Sign.STAR:
            return False


def matches_component(parts: list[Part], text: str, *, folds_case: bool) -> bool:
    """Whether the parts of a component stand for the whole of a name. Spec: MEM-050, MEM-062."""
    reached = {0}
    for part in parts:
        if part is Sign.STAR:
            reached = set(range(min(reached), len(text) + 1)) if reached else reached
        else:
            reached = {
                index + 1
                for index in reached
                if index < len(text) and matches_one(part, text[index], folds_case=folds_case)
            }
    return len(text) in reached
