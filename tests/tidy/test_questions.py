"""The answers of spec/questions.md are shown by programs, and the programs run."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "spec" / "questions.md"
TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = [
    (TEXT.count("\n", 0, found.start(1)), found[1]) for found in re.finditer(r"```python\n(.*?)```", TEXT, re.DOTALL)
]


def test_every_question_has_its_program() -> None:
    """One for each heading."""

    assert len(re.findall(r"^## \d\. ", TEXT, re.MULTILINE)) == len(PROGRAMS) > 0


@pytest.mark.parametrize(("line", "source"), PROGRAMS, ids=[f"question-{n}" for n in range(1, len(PROGRAMS) + 1)])
def test_the_program_runs(line: int, source: str) -> None:
    """As it stands, in a module of its own."""
    code = compile("\n" * line + source, str(PAGE), "exec")

    exec(code, {"__name__": "answer"})  # noqa: S102 (our own page)
