"""Text runs: the unbroken pieces of literal text in the inline content of all blocks."""

from tests.literal.memory.markdown.block import Block, Kind
from tests.literal.memory.markdown.inline import InlineReader
from tests.literal.memory.markdown.parser import BlockParser


def find_runs(text: str) -> list[str]:
    """All text runs of a text, in order. Spec: MEM-073, MEM-078, MEM-079."""
    document = BlockParser().read(text)
    runs: list[str] = []
    waiting = [document.root]
    while waiting:
        block = waiting.pop()
        if block.kind in {Kind.PARAGRAPH, Kind.HEADING}:  # [MEM-078] no code, no HTML block, no definition [MEM-079]
            runs.extend(find_runs_of_content("\n".join(block.lines), document.names))
        waiting.extend(reversed(block.children))
    return runs


def find_runs_of_content(content: str, names: set[str]) -> list[str]:
    """The text runs of the inline content of one block. Spec: MEM-073."""
    runs: list[str] = []
    current = ""
    for piece in InlineReader(content, names).read():
        parts = [piece.text]
        if piece.is_token:
            parts = ["", ""]
        elif piece.delimiter is not None:
            delimiter = piece.delimiter
            parts = [delimiter.character * delimiter.count]
            parts = ["", *parts] if delimiter.has_closed else parts
            parts = [*parts, ""] if delimiter.has_opened else parts
        current += parts[0]
        for part in parts[1:]:
            runs.append(current)
            current = part
    return [run for run in [*runs, current] if run]


def find_top_level_html(text: str) -> list[Block]:
    """The HTML blocks of the top level, in order. Spec: MEM-102."""
    return [block for block in BlockParser().read(text).root.children if block.kind is Kind.HTML]
