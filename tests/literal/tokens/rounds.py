"""How a list falls into rounds."""

from typing import Any

from tests.literal.tokens.rows import get_response_id, is_assistant


def split_rounds(rows: list[Any]) -> list[list[int]]:
    """The stretches [from, to] of a list. Spec: MSG-010 to MSG-015."""
    openings: list[int] = []
    has_assistant = False
    before: str | None = None
    for index, row in enumerate(rows):
        if not is_assistant(row):
            continue  # [MSG-010] joins the round that is open
        name = get_response_id(row)
        if not has_assistant or name is None or before is None or name != before:
            openings.append(index)  # [MSG-010] [MSG-012]
        has_assistant = True
        before = name
    if rows and (not openings or openings[0] != 0):
        openings.insert(0, 0)  # [MSG-011] rows before the first assistant row
    ends = [*openings[1:], len(rows)]
    return [[start, end] for start, end in zip(openings, ends, strict=False)]
