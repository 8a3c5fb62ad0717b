# mypy: ignore-errors
"""A table of Markdown."""


def table(head: list[str], rows: list[list[object]]) -> str:
    """Its lines; the first of them is the head."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
