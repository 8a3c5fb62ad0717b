"""The table of patterns and results of the chapter on memory, run through the literal reading."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.literal.memory import call

CHAPTER = Path(__file__).parents[2] / "spec" / "memory.md"
ROW = re.compile(r"^\| (.*?) \| `(.*?)` \| (yes|no|no under `first-close`, yes under `nested`) \|$", re.MULTILINE)
IN_WORDS = {
    "`src/** ` (a blank at the end)": ['"src/** "'],
    "a block list with the quoted item `src/a.ts`": ['\n  - "src/a.ts"'],
    'the flow list `[src/a.ts, "lib/*.py"]`': ['[src/a.ts, "lib/*.py"]'],
    "a block scalar of the two lines `src/a.ts` and `lib/x.py`": ["|\n  src/a.ts\n  lib/x.py"],
    "the unquoted flow list `[src/*.ts, **/*.py]`": ["[src/*.ts, **/*.py]"],
    "the absolute path of the base, then `/src/**`": ['"/base/src/**"'],
}
"""Values of `paths` for the rows that are words."""


def find_values(cell: str) -> list[str]:
    """The values of `paths` that a cell of the table stands for."""
    if cell in IN_WORDS:
        return IN_WORDS[cell]
    patterns = re.findall(r"`(.*?)`", cell)
    if " then " in cell:
        return [json.dumps(patterns)]
    bare = [patterns[0]] if "quoted or not" in cell else []
    return [f"'{patterns[0]}'", *bare]


def find_rows() -> list[Any]:
    """Value, target and whether it matches, under each value of the choice."""
    table = CHAPTER.read_text(encoding="utf-8").split("### MEM-059", 1)[1].split("### MEM-060", 1)[0]
    rows: list[Any] = []
    for cell, target, result in ROW.findall(table):
        for value in find_values(cell):
            for nesting in ("first-close", "nested"):
                matches = nesting == "nested" if "under" in result else result == "yes"
                rows.append((value, target, nesting, matches))
                if target == "src/a.ts":
                    rows.append((value, "src/A.TS", nesting, matches))
    return rows


@pytest.mark.parametrize(("value", "target", "nesting", "matches"), find_rows())
def test_row(value: str, target: str, nesting: str, *, matches: bool) -> None:
    """Every row of the table holds for the literal reading of the text."""
    rule = {"p": "/base/.claude/rules/a.md", "t": f"---\npaths: {value}\n---\nA"}
    args = {"cwd": "/base", "reads": [f"/base/{target}"], "tree": [rule]}

    found = call("memory.touch", args, {"memory.brace_nesting": nesting}, {})

    assert matches == bool(found["reads"][0]["files"])
