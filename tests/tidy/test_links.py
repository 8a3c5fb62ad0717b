"""The links in the documents lead somewhere."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from keel_ref.conformance.clauses import heading_anchor

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
NOT_OURS = {"target", "node_modules", "_spec", "build", "dist"}
"""Folders of other people's files, beside those whose name begins with a dot."""
HTML_ANCHOR = re.compile(r'<a (?:id|name)="([^"]+)"')


def documents() -> tuple[Path, ...]:
    """Every Markdown file of the repository that is ours."""
    found = sorted(ROOT.rglob("*.md"))
    return tuple(path for path in found if not _is_foreign(path.relative_to(ROOT)))


def _is_foreign(path: Path) -> bool:
    return any(part in NOT_OURS or part.startswith(".") for part in path.parts)


@cache
def read_links(path: Path) -> tuple[str, ...]:
    """The target of every link and image of a document, in order."""
    return tuple(_targets(path.read_text(encoding="utf-8")))


def _targets(markdown: str) -> Iterator[str]:
    for block in MarkdownIt("commonmark").enable("table").parse(markdown):
        for token in block.children or ():
            target = token.attrGet("href") if token.type == "link_open" else token.attrGet("src")
            if token.type in ("link_open", "image"):
                yield str(target)


@cache
def read_anchors(path: Path) -> frozenset[str]:
    """Every fragment that a link into a document may name."""
    markdown = path.read_text(encoding="utf-8")
    tokens = MarkdownIt("commonmark").parse(markdown)
    seen: Counter[str] = Counter()
    anchors = set(HTML_ANCHOR.findall(markdown))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))
            anchor = heading_anchor(text)
            anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
            seen[anchor] += 1
    return frozenset(anchors)


def problems(path: Path) -> Iterator[str]:
    """What is wrong with the links of a document, one line each."""
    for link in read_links(path):
        if OUTSIDE.match(link):
            continue
        place, _, anchor = link.partition("#")
        target = (path.parent / unquote(place)).resolve() if place else path
        if not target.exists():
            yield f"{link}: no such file"
        elif not target.is_relative_to(ROOT):
            yield f"{link}: outside the repository"
        elif anchor and target.suffix == ".md" and unquote(anchor) not in read_anchors(target):
            yield f"{link}: {target.name} has no such heading"


def test_there_are_documents_to_look_at() -> None:
    """A search that finds nothing would pass every test below."""

    assert ROOT / "spec/memory.md" in documents()


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_relative_link_resolves(path: Path) -> None:
    """A document that points at a file or a heading points at one that is there."""

    assert [] == list(problems(path))


def test_a_broken_link_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test itself can fail: a wrong file and a wrong heading are both found, code is not read."""
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`\n\n# One two\n\n[a](#one-two) [b](#one-two-1) [c](#three) [d](x.md) `[e](y.md)` ![f](z.png)\n"
    )

    assert ["#three: page.md has no such heading", "x.md: no such file", "z.png: no such file"] == list(problems(page))
