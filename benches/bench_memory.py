"""Loading instruction memory, beside a bare walk that reads the same files.

Run with `pytest --benchmark benches/bench_memory.py`. The lowest row of a group is the unit of the others: for `plain`
the claim is at most 3 times the bare walk, for `growth` at most 11 times for ten times the rules. `rich` rules hold
frontmatter, a comment and an include each; their time is the YAML and Markdown parsers', which plain rules never meet.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from keel_ref.adapters.disk import DiskTree
from keel_ref.memory import MemoryRequest, load_memory

PLAIN = "# Rule {i}\n\nAlways do the thing number {i} with care.\nNever skip it.\n" * 4
RICH = '---\npaths: "src/part{i}/**/*.ts"\n---\n<!-- why -->\n\n' + PLAIN + "\nMore in @docs/part{i}.md\n"
NAMES = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
ROUNDS = 7


def write_chain(top: Path, depth: int, rules: int, text: str) -> Path:
    """A chain of folders with a CLAUDE.md each and the rules spread over them; gives the innermost folder."""
    folder = top
    for level in range(depth + 1):
        (folder / ".claude" / "rules").mkdir(parents=True)
        (folder / "CLAUDE.md").write_text(f"# Level {level}\n\nWhat holds from here down.\n")
        for i in range(level, rules, depth + 1):
            (folder / ".claude" / "rules" / f"r{i:05}.md").write_text(text.replace("{i}", str(i)))
        if level < depth:
            folder /= f"l{level}"
            folder.mkdir()
    return folder


def walk_bare(cwd: Path) -> int:
    """Read every file that a load of plain rules reads, and do nothing with it; gives their number."""
    read = 0
    for folder in (*reversed(cwd.parents), cwd):
        for name in NAMES:
            try:
                (Path(folder) / name).read_text(encoding="utf-8")
            except OSError:
                continue
            read += 1
        for place, _, names in os.walk(folder / ".claude" / "rules"):
            for name in sorted(names):
                with open(f"{place}/{name}", encoding="utf-8") as file:
                    file.read()
                read += 1
    return read


def load(cwd: Path) -> int:
    """The whole load; gives the number of files met."""
    found = load_memory(DiskTree(), MemoryRequest(cwd=str(cwd)))
    return len(found.files) + len(found.held)


ROUTES = {"bare": walk_bare, "load": load}


@pytest.mark.parametrize("route", ROUTES)
def bench_plain_rules_at_depth_30(benchmark: BenchmarkFixture, tmp_path: Path, route: str) -> None:
    """2,000 plain rules over a chain of 30 folders."""
    cwd = write_chain(tmp_path, 30, 2_000, PLAIN)
    benchmark.group = "plain: 2,000 rules, depth 30"
    met = benchmark.pedantic(ROUTES[route], (cwd,), rounds=ROUNDS)

    assert 2_031 == met


@pytest.mark.parametrize("rules", [1_000, 10_000])
def bench_growth(benchmark: BenchmarkFixture, tmp_path: Path, rules: int) -> None:
    """Ten times the rules of one folder."""
    cwd = write_chain(tmp_path, 0, rules, PLAIN)
    benchmark.group = "growth: load of 1,000 and of 10,000 rules"
    met = benchmark.pedantic(load, (cwd,), rounds=ROUNDS)

    assert rules + 1 == met


@pytest.mark.parametrize("route", ROUTES)
def bench_rich_rules(benchmark: BenchmarkFixture, tmp_path: Path, route: str) -> None:
    """2,000 rules, each with frontmatter, a comment and an include."""
    cwd = write_chain(tmp_path, 30, 2_000, RICH)
    benchmark.group = "rich: 2,000 rules with frontmatter, comment and include, depth 30"
    met = benchmark.pedantic(ROUTES[route], (cwd,), rounds=3)

    assert 2_031 == met
