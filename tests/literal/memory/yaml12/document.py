"""A stream that holds one document."""

import re

from tests.literal.memory.yaml12.block_collections import BLOCK_IN, BlockReader
from tests.literal.memory.yaml12.characters import NO, Source, YamlError
from tests.literal.memory.yaml12.nodes import MISSING, Node

DOCUMENT_MARK = re.compile(r"^(?:---|\.\.\.)(?=[ \t\n]|\Z)", re.MULTILINE)
"""[206] c-forbidden: no content of a document begins a line so."""

YAML_DIRECTIVE = re.compile(r"%YAML[ \t]+1\.[0-9]+[ \t]*(?:[ \t]#.*)?$")
"""[86] ns-yaml-directive"""

TAG_DIRECTIVE = re.compile(r"%TAG[ \t]+(!(?:[0-9A-Za-z-]*!)?)[ \t]+(\S+)[ \t]*(?:[ \t]#.*)?$")
"""[88] ns-tag-directive"""

OTHER_DIRECTIVE = re.compile(r"%(?!YAML\b|TAG\b)[^ \t].*$")
"""[83] ns-reserved-directive"""

DEFAULT_HANDLES = {"!": "!", "!!": "tag:yaml.org,2002:"}
"""What the handles of tags stand for."""


def parse_document(text: str) -> tuple[Node, dict[str, str]]:
    """The only document of a stream, and what its handles of tags stand for. Spec: MEM-043."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    start, handles = read_prefix(text)
    mark = DOCUMENT_MARK.match(text, start)
    if mark and mark.group() == "---":
        start = mark.end()
    elif handles is not DEFAULT_HANDLES:
        raise YamlError("directives without a document")
    mark = DOCUMENT_MARK.search(text, start)
    node = parse_bare(text[: mark.start()] if mark else text, start)
    if mark and mark.group() == "---":
        raise YamlError("a second document")  # [MEM-043]
    if mark:
        check_suffix(text, mark.end())
    return node, handles


def read_prefix(text: str) -> tuple[int, dict[str, str]]:
    """[202] l-document-prefix and [82] l-directive: where the document begins, and its handles."""
    source = Source(text)
    index = skip_comment_lines(source, 0)
    if source.at(index) != "%":
        return index, DEFAULT_HANDLES
    handles = dict(DEFAULT_HANDLES)
    seen: set[str] = set()
    while source.at(index) == "%":
        line = text[index:].split("\n", 1)[0]
        tag = TAG_DIRECTIVE.match(line)
        name = tag[1] if tag else "YAML" if YAML_DIRECTIVE.match(line) else ""
        if name in seen or not (name or OTHER_DIRECTIVE.match(line)):
            raise YamlError("a directive")
        if name:
            seen.add(name)
        if tag:
            handles[tag[1]] = tag[2]
        index = skip_comment_lines(source, min(index + len(line) + 1, len(text)))
    return index, handles


def skip_comment_lines(source: Source, index: int) -> int:
    """[78] l-comment, any number of times."""
    while (behind := source.comment_line(index)) > index:
        index = behind
    return index


def parse_bare(text: str, start: int) -> Node:
    """[207] l-bare-document, which must reach to the end of the text."""
    reader = BlockReader(text)
    found = reader.block_node(start, -1, BLOCK_IN)
    if found and found[1] == len(text):
        return found[0]
    if reader.comments(start) == len(text):
        return MISSING
    raise YamlError("no YAML")


def check_suffix(text: str, index: int) -> None:
    """[205] l-document-suffix: behind the end of the document only comments and further ends."""
    source = Source(text)
    while index < len(text):
        end = source.comments(index)
        if end == NO:
            raise YamlError("content behind the end")
        mark = DOCUMENT_MARK.match(text, end)
        if mark and mark.group() == "...":
            index = mark.end()
        elif text[end:].strip("\ufeff") == "":
            return
        else:
            raise YamlError("a second document")  # [MEM-043]
