"""What the README shows runs, and what it counts is so many."""

import re
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.window.variables import Variable
from tests.mutants.compaction import PROGRAM_MUTANTS as OF_COMPACTION
from tests.mutants.test_context_usage_mutants import MUTANTS as OF_USAGE
from tests.mutants.test_memory_mutants import MUTANTS as OF_MEMORY
from tests.mutants.test_tokens_mutants import MUTANTS as OF_TOKENS
from tests.mutants.test_window_mutants import MUTANTS as OF_WINDOW

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = [block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "load_memory" not in block]


@pytest.mark.parametrize("block", PYTHON)
def test_the_python_of_the_readme_runs(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands, in the checkout."""
    monkeypatch.chdir(ROOT)

    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 (our own README)


@pytest.mark.parametrize("verb", ["window", "context", "session", "verify", "audit"])
def test_the_answer_about_the_window_is_what_comes_out(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that is shown, with what it prints."""
    shown = re.search(rf"```console\n\$ keel-ref ({verb} [^\n]*)\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    monkeypatch.chdir(ROOT)
    for name in Variable:
        monkeypatch.delenv(name, raising=False)

    assert 0 == main(shown[1].split())
    assert shown[2] == capsys.readouterr().out


def test_what_the_comments_say_comes_out() -> None:
    """The figures beside the calls of the example."""
    names: dict[str, object] = {}
    block = next(block for block in PYTHON if "context_size(messages)" in block)
    monkey = "\n".join(line for line in block.splitlines() if "fixtures" not in line)
    exec(compile(monkey, "README.md", "exec"), names)  # noqa: S102 (our own README)
    shown = "context_size(messages).tokens, api_rounds(messages), prepare_messages(messages).reported"

    assert (4_045, [(0, 1), (1, 3)], ()) == eval(shown, names)  # noqa: S307 (our own README)


@pytest.mark.parametrize("name", ["worth", "bench"])
def test_tables_that_are_made_are_there(name: str) -> None:
    """The places for measured figures hold a table."""
    held = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", README, re.DOTALL)

    assert held is not None
    assert "|" in held[1]


def test_the_number_of_faults_is_that_of_the_tests() -> None:
    """Nobody has to count."""

    number = sum(map(len, (OF_MEMORY, OF_TOKENS, OF_WINDOW, OF_COMPACTION, OF_USAGE)))
    assert f"- {number:,} single faults" in README
