"""Exclusion patterns: globs on the whole absolute path."""

import itertools
from collections.abc import Callable, Iterator

from tests.literal.memory.braces import find_group_nested
from tests.literal.memory.classes import matches_component, read_parts, unescape_slashes

WILDCARDS = "*?[{"
"""Characters before which the folder part of a pattern ends. [MEM-063]"""


def expand_alternatives(pattern: str) -> Iterator[str]:
    """All patterns without alternatives that a pattern stands for. Spec: MEM-062."""
    group = find_group_nested(pattern)
    if not group:
        yield pattern
        return
    for start, end in itertools.pairwise(group):
        yield from expand_alternatives(pattern[: group[0]] + pattern[start + 1 : end] + pattern[group[-1] + 1 :])


def matches_components(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether the components of a pattern stand for those of a path. Spec: MEM-062."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(matches_components(pattern[1:], path[skipped:]) for skipped in range(len(path) + 1))
    parts = read_parts(pattern[0])
    return (
        bool(path)
        and parts is not None
        and matches_component(parts, path[0], folds_case=False)  # [MEM-062]
        and matches_components(pattern[1:], path[1:])
    )


def matches_glob(pattern: str, path: str) -> bool:
    """Whether a pattern that is not relative stands for a whole path. Spec: MEM-062."""
    return any(
        matches_components(tuple(unescape_slashes(single).split("/")), tuple(path.split("/")))
        for single in expand_alternatives(pattern)
    )


def resolve_folder_part(pattern: str, real_folder: Callable[[str], str | None]) -> str | None:
    """The second form of a pattern, with the real path of its folder part. Spec: MEM-063."""
    first_wildcard = min((pattern.index(sign) for sign in WILDCARDS if sign in pattern), default=len(pattern))
    slash = pattern.rfind("/", 0, first_wildcard)
    folder = real_folder(pattern[:slash] or "/")
    if folder is None:
        return None
    escaped = "".join(f"\\{sign}" if sign in "\\*?[]{}" else sign for sign in folder.rstrip("/"))
    return escaped + pattern[slash:]


def is_excluded(
    pattern: str, path: str, is_absolute: Callable[[str], bool], real_folder: Callable[[str], str | None]
) -> bool:
    """Whether one exclusion pattern matches a path. Spec: MEM-062, MEM-063, MEM-064."""
    signs = len(pattern) - len(pattern.lstrip("!"))
    pattern = pattern[signs:]
    is_negated = signs % 2 == 1  # [MEM-064]
    is_matched = False
    if is_absolute(pattern) or pattern.startswith("**"):  # else relative [MEM-064]
        is_matched = matches_glob(pattern, path)
    if is_negated:
        return not is_matched
    if not is_matched and is_absolute(pattern):
        second = resolve_folder_part(pattern, real_folder)  # [MEM-063]
        is_matched = second is not None and matches_glob(second, path)
    return is_matched
