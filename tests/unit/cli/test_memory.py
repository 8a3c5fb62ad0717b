"""`keel-ref memory` as its user meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.marks import clause

KEYS = {"path", "layer", "text", "warned", "parent", "globs", "tokens"}


def write(top: Path, files: dict[str, str]) -> None:
    """Put files in place, with the folders above them."""
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with most of what people have, and a home of its own."""
    write(
        tmp_path,
        {
            "home/.claude/CLAUDE.md": "# Me\nBe brief. @~/notes.md\n",
            "home/notes.md": "notes",
            "home/.claude/rules/py.md": '---\npaths: "**/*.py"\n---\nuse ruff',
            "r/.git/HEAD": "ref: refs/heads/main\n",
            "r/CLAUDE.md": "See @docs/flow.md: read it. We use @types/node.\n",
            "r/docs/flow.md": "flow",
            "r/AGENTS.md": "agents",
            "r/.claude/rules/rust.md": '---\npaths: "**/*.rs"\n---\nrust',
            "r/.claude/rules/notes.txt": "no rule",
            "r/claude.local.md": "lower",
            "r/src/CLAUDE.md": "nested",
            "r/src/a.py": "x = 1\n",
        },
    )
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return tmp_path / "r"


def plan(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """The JSON plan for these arguments."""
    assert main(["memory", "--json", "--managed-dir", "/nowhere", *arguments]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@clause("MEM-001")
def test_the_json_has_the_published_form(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object of schema keel-memory/1, its tokens the sum of the files', every key always there."""
    found = plan(capsys, str(project), "--reads", str(project / "src/a.py"))
    files = found["files"]
    assert isinstance(files, list)

    assert ["schema", "tokens", "files", "skipped", "warnings", "read"] == list(found)
    assert found["schema"] == "keel-memory/1"
    assert all(set(file) == KEYS for file in files)
    assert found["tokens"] == sum(file["tokens"] for file in files)
    assert found["read"] == {
        str(project / "src/a.py"): [
            {**dict.fromkeys(KEYS), "path": str(path), "layer": layer, "text": text, "warned": False, "globs": globs}
            | {"tokens": 2}
            for path, layer, text, globs in (
                (project.parent / "home/.claude/rules/py.md", "user", "use ruff", ["**/*.py"]),
                (project / "src/CLAUDE.md", "project", "nested", []),
            )
        ]
    }


@clause("MEM-023")
def test_every_candidate_that_stays_out_has_a_reason(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What lies beside the chain and does not load is listed, nested memory included."""
    skipped = plan(capsys, str(project))["skipped"]
    assert isinstance(skipped, list)
    reasons = {(os.path.relpath(row["path"], project), row["reason"]) for row in skipped}

    assert reasons >= {
        ("../home/.claude/rules/py.md", "conditional"),
        (".claude/rules/rust.md", "conditional"),
        (".claude/rules/notes.txt", "not-md"),
        ("AGENTS.md", "agents-file"),
        ("claude.local.md", "name-case"),
        ("docs/flow.md:", "include-type"),
        ("src/CLAUDE.md", "on-demand"),
    }


def test_warnings_name_what_is_probably_not_meant(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A typing error in an include, a rule that no file wakes, a name in another case, an unread AGENTS.md."""
    warnings = plan(capsys, str(project))["warnings"]
    assert isinstance(warnings, list)
    kinds = {(warning["kind"], os.path.relpath(warning["path"], project)) for warning in warnings}

    assert kinds == {
        ("import-typo", "docs/flow.md:"),
        ("rule-matches-nothing", ".claude/rules/rust.md"),
        ("name-case", "claude.local.md"),
        ("agents-file", "AGENTS.md"),
    }


def test_a_text_that_is_sent_twice_is_named_with_its_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text under two names, and nearly the same text in two files of the chain."""
    lines = "".join(f"Rule number {i} of the house.\n" for i in range(10))
    write(
        tmp_path,
        {
            "CLAUDE.md": lines,
            ".claude/CLAUDE.md": lines,
            "s/CLAUDE.md": lines + "One more.\n",
            "s/.claude/CLAUDE.md": "x",
        },
    )
    warnings = plan(capsys, str(tmp_path / "s"), "--home", "")["warnings"]
    assert isinstance(warnings, list)
    found = {(warning["kind"], os.path.relpath(warning["path"], tmp_path)) for warning in warnings}

    assert found == {("same-text", ".claude/CLAUDE.md"), ("near-same-text", "s/CLAUDE.md")}
    assert all("tokens" in warning["detail"] for warning in warnings)


@clause("MEM-104")
@pytest.mark.parametrize(("characters", "is_warned"), [(39_999, False), (40_000, False), (40_001, True)])
def test_forty_thousand_characters_draw_a_warning_and_no_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], characters: int, is_warned: bool
) -> None:
    """Above the number, not at it; the text is sent whole either way."""
    write(tmp_path, {"CLAUDE.md": "x" * characters})
    found = plan(capsys, str(tmp_path), "--home", "")
    assert isinstance(found["warnings"], list)
    assert isinstance(found["files"], list)

    assert characters == len(found["files"][0]["text"])
    assert is_warned == any(warning["kind"] == "over-40000-characters" for warning in found["warnings"])


def test_the_plan_for_a_person_says_the_same_without_colours(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Layers, includes under their parent, reasons, warnings; nothing but text where there is no terminal."""
    assert main(["memory", str(project), "--managed-dir", "/nowhere"]) == 0
    text = capsys.readouterr().out

    assert "\033" not in text
    assert "3 files, about" in text
    assert text.index("~/.claude/CLAUDE.md") < text.index("  @ ~/notes.md") < text.index("./CLAUDE.md")
    assert "agents-file: " in text
    assert "2 more @words name no file" in text


def test_the_text_for_the_model_can_be_printed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--text` prints what MEM-109 describes, and nothing else."""
    assert main(["memory", str(project), "--managed-dir", "/nowhere", "--text"]) == 0

    assert f"\n\nContents of {project / 'CLAUDE.md'} (" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{}/gone"], "gone"),
        (["{}/CLAUDE.md"], "is no folder"),
        (["{}", "--sources", "team"], "none of user, project, local"),
        (["{}", "--choice", "memory.root=maybe"], "skip, read"),
        (["{}", "--choice", "memory.rooot=read"], "memory.rooot"),
        (["{}", "--env", "NOVALUE"], "NAME=VALUE"),
    ],
)
def test_bad_input_ends_with_two_and_says_what_to_do(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """A message on stderr that names the fault, exit code 2, nothing on stdout."""
    code = main(["memory", *(word.format(project) for word in arguments)])
    output = capsys.readouterr()

    assert code == 2
    assert said in output.err
    assert output.out == ""


def test_an_empty_list_of_sources_is_a_list(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--sources ''` switches all of them off."""

    assert [] == plan(capsys, str(project), "--sources", "")["files"]


def test_equal_calls_give_equal_bytes(project: Path) -> None:
    """Two runs in two processes with different hash seeds print the same JSON."""
    command = [sys.executable, "-m", "keel_ref.cli", "memory", "--json", str(project)]
    first, second = (
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    )

    assert first == second
