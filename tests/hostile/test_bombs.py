"""Files that somebody wrote to stop a loader: each ends in a plan and a reason, run as its user would run it."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keel_ref.adapters.disk import DiskTree
from keel_ref.conformance.marks import clause
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.ports import FileContent, Refusal
from keel_ref.trace import Reason

PATIENCE_SECONDS = 120
"""Against a hang only: every case below takes a second or two on a machine that is not busy."""


def run(cwd: Path, *arguments: str) -> dict[str, Any]:
    """The JSON plan of a folder, from a process of its own."""
    command = [sys.executable, "-m", "keel_ref.cli", "memory", str(cwd), "--json", "--home", str(cwd / "home")]
    done = subprocess.run(
        [*command, "--managed-dir", "/nowhere", *arguments],
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    plan: dict[str, Any] = json.loads(done.stdout)
    return plan


def names(plan: dict[str, Any], cwd: Path) -> list[str]:
    """The files of a plan, relative to the folder."""
    return [os.path.relpath(file["path"], cwd) for file in plan["files"]]


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    """A folder with one file that has to load whatever lies beside it."""
    place = tmp_path.resolve()
    (place / ".claude" / "rules").mkdir(parents=True)
    (place / "CLAUDE.local.md").write_text("still here")
    return place


def fifo(path: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def circle(path: Path) -> None:
    """A link to itself."""
    path.symlink_to(path.name)


@clause("MEM-036")
def test_more_rules_than_the_bound(cwd: Path) -> None:
    """Twelve thousand rules on the disk: ten thousand are read, in order, and each of the rest has its row."""
    rules = cwd / ".claude" / "rules"
    for i in range(12_000):
        (rules / f"{i:05}.md").write_text("x")
    plan = run(cwd)

    assert len(plan["files"]) == 10_001
    assert ".claude/rules/09999.md" in names(plan, cwd)
    assert sum(row["reason"] == "rules-bound" for row in plan["skipped"]) == 2_000


@clause("MEM-112")
def test_names_that_are_not_utf_8(cwd: Path) -> None:
    """They are ordered by their bytes, and reported as bytes."""
    raw = os.fsencode(cwd / ".claude" / "rules")
    for name in (b"\xff.md", b"\xc3\xa9.md"):
        with open(raw + b"/" + name, "wb") as file:
            file.write(name[:1])
    paths = [file["path"] for file in run(cwd)["files"]]

    assert paths[0] == f"{cwd}/.claude/rules/é.md"
    assert base64.b64decode(paths[1]["b64"]) == raw + b"/\xff.md"


def bomb_of_includes() -> dict[str, str]:
    """Three hundred files, each of which includes all others and as many that do not exist."""
    every = " ".join(f"@f{i}.md @gone{i}.md" for i in range(300))
    return {"CLAUDE.md": every} | {f"f{i}.md": every for i in range(300)}


def bomb_of_yaml() -> dict[str, str]:
    """Aliases that stand for thousands of millions."""
    lines = ["a0: &a0 [x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)), "paths: *a11"]
    deep = "paths: " + "[" * 5_000 + "]" * 5_000
    return {
        ".claude/rules/wide.md": "---\n" + "\n".join(lines) + "\n---\nwide",
        ".claude/rules/deep.md": f"---\n{deep}\n---\ndeep",
        ".claude/rules/braces.md": f'---\npaths: "{"{a,b}" * 40}"\n---\nbraces',
        ".claude/rules/more-braces.md": f'---\npaths: "{"{" * 20_000 + "}" * 20_000}"\n---\nbraces',
    }


def bomb_of_markup() -> dict[str, str]:
    """Long lines of what makes a Markdown parser think."""
    marks = ("[", "![", "*a ", "`", "<!-- ", "<![CDATA[", "[a](", "&#1;", "\\")
    files = {f"m{i}.md": "@x.md " + mark * 60_000 for i, mark in enumerate(marks)}
    return {"CLAUDE.md": " ".join(f"@{name}" for name in files)} | files


def bomb_of_lines() -> dict[str, str]:
    """Ten megabytes in one line, a million short lines, a hundred thousand comments, NUL bytes."""
    return {
        "CLAUDE.md": "x" * 10_000_000 + " @a.md",
        "a.md": "@b.md\n" * 500_000,
        "b.md": "<!-- c -->\n" * 100_000,
        ".claude/CLAUDE.md": "\0" * 100_000,
    }


def bomb_of_patterns() -> dict[str, str]:
    """Globs that send a careless matcher into the next century."""
    patterns = ["/**/" + "*a" * 200 + "b", "**/" * 500 + "x", "/+(+(+(a)))b", "!" * 1_000 + "/**", "/" + "{a,b}" * 60]
    settings = json.dumps({"claudeMdExcludes": patterns})
    return {".claude/settings.json": settings, "CLAUDE.md": f"@{'a' * 250}.md", f"{'a' * 200}.md": "a"}


@clause("MEM-092", "MEM-046", "MEM-056", "MEM-062", "MEM-103")
@pytest.mark.parametrize("bomb", [bomb_of_includes, bomb_of_yaml, bomb_of_markup, bomb_of_lines, bomb_of_patterns])
def test_bombs(cwd: Path, bomb: Callable[[], dict[str, str]]) -> None:
    """Whatever is asked of the parsers, there is an answer, and it holds the file that has to load."""
    for name, text in bomb().items():
        (cwd / name).write_text(text)
    plan = run(cwd, "--reads", str(cwd / "a" / "b.ts"))

    assert "CLAUDE.local.md" in names(plan, cwd) or bomb is bomb_of_patterns
    assert plan["schema"] == "keel-memory/1"


class ShiftingTree(DiskTree):
    """A disk on which a file is exchanged between looking at a folder and reading the file."""

    def __init__(self, exchange: Callable[[], None]) -> None:
        """Exchange at the first reading."""
        self.exchange: Callable[[], None] | None = exchange

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """Something happens just before."""
        if self.exchange is not None and path.endswith("a.md"):
            exchange, self.exchange = self.exchange, None
            exchange()
        return super().read_file(path, cap_bytes)


@clause("MEM-022", "MEM-019")
@pytest.mark.parametrize("put", [None, fifo, Path.mkdir, circle])
def test_a_rule_that_is_exchanged_after_its_folder_was_listed(cwd: Path, put: Callable[[Path], None] | None) -> None:
    """Gone, or a pipe, a folder, a circle all of a sudden: a row, and the rest loads."""
    rule = cwd / ".claude" / "rules" / "a.md"
    rule.write_text("A")

    def exchange() -> None:
        rule.unlink()
        if put is not None:
            put(rule)

    load = load_memory(ShiftingTree(exchange), MemoryRequest(cwd=str(cwd)))
    row = next(row for row in load.skipped if row.path == str(rule))

    assert [file.path for file in load.files] == [str(cwd / "CLAUDE.local.md")]
    assert row.reason in {Reason.UNREADABLE, Reason.NOT_REGULAR, Reason.LINK_LOOP}
