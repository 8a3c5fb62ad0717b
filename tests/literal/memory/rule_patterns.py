"""Whether the patterns of a rule match a path, in the manner of gitignore."""

import attrs

from tests.literal.memory.classes import Part, matches_component, read_parts, unescape_slashes


@attrs.frozen(kw_only=True)
class Pattern:
    """One effective pattern, taken apart."""

    is_negated: bool
    """Whether it takes a match back."""
    is_for_folders: bool
    """Whether it matches folders only."""
    components: tuple[str, ...]
    """Between slashes."""


def read_pattern(text: str) -> Pattern | None:
    """A pattern taken apart; nothing if it matches nothing. Spec: MEM-052, MEM-053, MEM-054."""
    if text.startswith("#"):
        return None  # [MEM-054]
    is_negated = text.startswith("!")
    text = unescape_slashes(text.removeprefix("!"))  # [MEM-053]
    is_for_folders = text.endswith("/")
    text = text.removesuffix("/")  # [MEM-051]
    is_anchored = "/" in text
    text = text.removeprefix("/")  # [MEM-052]
    if not text:
        return None  # [MEM-054]
    components = text.split("/")
    if any(read_parts(component) is None for component in components):
        return None  # [MEM-054]
    return Pattern(
        is_negated=is_negated,
        is_for_folders=is_for_folders,
        components=tuple(components if is_anchored else ["**", *components]),
    )


def matches_components(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether the components of a pattern stand for all of a path, from the base on. Spec: MEM-052."""
    if not pattern:
        return not path
    first, rest = pattern[0], pattern[1:]
    if len(first) > 1 and set(first) == {"*"}:
        if not rest:
            return bool(path)  # everything below, or everything [MEM-052]
        return any(matches_components(rest, path[skipped:]) for skipped in range(len(path) + 1))
    parts: list[Part] | None = read_parts(first)
    return (
        bool(path)
        and parts is not None
        and matches_component(parts, path[0], folds_case=True)  # [MEM-050]
        and matches_components(rest, path[1:])
    )


def is_path_matched(patterns: list[Pattern], path: tuple[str, ...], *, is_folder: bool) -> bool:
    """What the last pattern that matches says about one path. Spec: MEM-053."""
    for pattern in reversed(patterns):
        if (is_folder or not pattern.is_for_folders) and matches_components(pattern.components, path):
            return not pattern.is_negated
    return False


def matches_rule(effective: tuple[str, ...], relative: tuple[str, ...]) -> bool:
    """Whether the effective patterns match a target, given by its components below the base. Spec: MEM-051, MEM-058."""
    if not relative or relative[0].startswith(".."):
        return False  # [MEM-058]
    patterns = [pattern for pattern in map(read_pattern, effective) if pattern]
    return any(
        is_path_matched(patterns, relative[:count], is_folder=count < len(relative))
        for count in range(1, len(relative) + 1)
    )
