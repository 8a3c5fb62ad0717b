"""What the guides show is what happens: every block that looks like a terminal is run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
GUIDES = sorted((ROOT / "spec/guides").glob("*.md"))
FENCE = re.compile(r"^```console(?P<needs>[ \w]*)\n(?P<body>.*?)^```$", flags=re.MULTILINE | re.DOTALL)
PARTING = "\x1e"
"""Between the outputs of two commands; no program of ours writes it."""


@frozen(kw_only=True)
class Step:
    """One command of a guide and what it is said to print."""

    command: str
    shown: str


def read_steps(guide: Path) -> Iterator[Step]:
    """The commands of a guide, but for those that need a program that is not here."""
    for fence in FENCE.finditer(guide.read_text(encoding="utf-8")):
        if any(shutil.which(program) is None for program in fence["needs"].split()):
            continue
        for part in re.split(r"^\$ ", fence["body"], flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield Step(command=command, shown=shown)


def run_steps(steps: list[Step], folder: Path) -> list[str]:
    """What each command prints, all in one shell, which starts in an empty folder."""
    script = f"printf '{PARTING}'\n".join(f"{step.command}\n" for step in steps)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-s"],
        input=script,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.split(PARTING)


def as_pattern(shown: str) -> re.Pattern[str]:
    """What is shown as a pattern: a line `…` stands for any lines, `…` inside a line for any text of it."""
    lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in shown.splitlines()]
    return re.compile("".join(lines))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_shows_what_happens(guide: Path, tmp_path: Path) -> None:
    """A reader who types what stands there sees what stands there."""
    steps = list(read_steps(guide))
    printed = run_steps(steps, tmp_path)

    assert steps
    assert [] == [
        f"$ {step.command}\n{output}"
        for step, output in zip(steps, printed, strict=True)
        if as_pattern(step.shown).fullmatch(output) is None
    ]


def test_what_differs_is_seen(tmp_path: Path) -> None:
    """The run of the guides can fail, on another line, on a line too many and on one too few."""
    step = Step(command="printf 'one\\ntwo\\n'", shown="")
    (output,) = run_steps([step], tmp_path)
    shown = ("one\ntwo\n", "…\ntwo\n", "one\nt…\n", "…\n", "one\n", "one\ntwo\nthree\n", "two\n…\n", "one\nto…\n")

    assert [True] * 4 + [False] * 4 == [as_pattern(text).fullmatch(output) is not None for text in shown]


def test_the_shell_keeps_its_folder(tmp_path: Path) -> None:
    """A guide that goes into a folder stays in it."""
    steps = [Step(command="mkdir a && cd a", shown=""), Step(command="basename $PWD", shown="a")]

    assert ["", "a\n"] == run_steps(steps, tmp_path)
