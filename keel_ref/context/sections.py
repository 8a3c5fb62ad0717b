"""The system prompt, split at its headings. Spec: CTX-102."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from keel_ref.context.holdings import Named

_HEADING: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]+(?P<name>.*))?", re.DOTALL)
_FENCE: Final = re.compile(r" {0,3}(?P<run>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)", re.DOTALL)


def sections_of(texts: Sequence[str], measure: Callable[[str], int]) -> tuple[Named, ...]:
    """Each section with its name and its tokens, in order; each text begins a new one. Spec: CTX-102."""
    return tuple(
        Named(name=name, tokens=measure(text))  # [CTX-102] each section by itself
        for whole in texts
        for name, text in _sections(whole)
    )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Names and texts; together the texts are the whole."""
    name, lines, fence = "", [""], ""
    for line in text.split("\n"):
        bare = line.removesuffix("\r")
        heading = None if fence else _HEADING.fullmatch(bare)  # [CTX-102] none inside a fence
        if heading is not None:
            yield from _closed(name, "\n".join(lines[1:]) + "\n" if len(lines) > 1 else "")
            name, lines = _name_of(heading["name"]), [""]
        else:
            fence = _fence_behind(bare, fence)
        lines.append(line)
    yield from _closed(name, "\n".join(lines[1:]))


def _closed(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The section, unless it holds no character. Spec: CTX-102."""
    if text:
        yield name, text


def _name_of(text: str | None) -> str:
    """What stands behind the marks, without blanks and without marks at its end. Spec: CTX-102."""
    name = (text or "").strip(" \t")
    bare = name.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else name


def _fence_behind(line: str, fence: str) -> str:
    """The fence that is open behind a line; empty where none is. Spec: CTX-102."""
    found = _FENCE.fullmatch(line)
    if found is None:
        return fence
    if not fence:
        return found["run"]
    closes = found["run"].startswith(fence) and not found["rest"].strip(" \t")
    return "" if closes else fence
