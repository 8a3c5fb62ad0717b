"""Hold other people's packages to the suite: install what the locks name, run the suite, write RESULTS.md.

Run by `make third-party`. Options are passed on to `keel-ref check`; RESULTS.md is written when there are none.
A difference is what one looks for, so it is no failure; an adapter that does not start or does not speak the wire is.
"""
# ruff: noqa: S603 - running other people's programs is what it is for

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from keel_ref.conformance.show_call import show_entry, show_path
from keel_ref.resources import spec_folder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = ROOT / ".venv-third-party"
RUNS = ROOT / ".keel" / "third-party"
MOST_MEMORY = 4 << 30
"""In bytes, for each process: a package that reads whatever it finds ends in an error, not in a machine that swaps."""
PATIENCE = ("--handshake-timeout", "120000", "--timeout", "5000", "--shrink", "120")
"""These packages bring a hundred others, and start slowly."""
TITLE = "Other people's packages under the suite"
ABOUT = (
    "Written by `make third-party`; [README.md](README.md) says what is called, what is claimed and why.",
    "A difference is a difference, not a verdict on a package.",
)
UNREADABLE = {2, 3, 5}
"""Exit codes of a check that says nothing about the package: spec/protocol.md, Exit codes."""


class NotRun(Exception):
    """What this row needs is not on this machine."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One package."""

    name: str
    lock: str
    licence: str
    """As its package states it, read when the lock was made."""
    runtime: str
    """The folder of what is installed, and what runs it: python, python3.12 or node."""
    adapter: str
    telling: tuple[str, ...]
    """Tests of which the smallest failing tree is shown; where none of them fails, that of any test."""


ROWS = (
    Row(
        name="pydantic-ai-harness",
        lock="requirements/third-party.txt",
        licence="MIT",
        runtime="python",
        adapter="pydantic_ai_harness/adapter.py",
        telling=("memory-touch-file-in-the-start-folder",),
    ),
    Row(
        name="deepagents",
        lock="requirements/third-party.txt",
        licence="MIT",
        runtime="python",
        adapter="deepagents/adapter.py",
        telling=("memory-comment-in-a-code-span", "memory-comment-in-a-fence"),
    ),
    Row(
        name="openhands-sdk",
        lock="requirements/third-party-3.12.txt",
        licence="not stated in the package",
        runtime="python3.12",
        adapter="openhands_sdk/adapter.py",
        telling=("memory-walk-siblings-*",),
    ),
    Row(
        name="@mariozechner/pi-coding-agent",
        lock="examples/adapters/pi/package-lock.json",
        licence="MIT",
        runtime="node",
        adapter="pi/adapter.mjs",
        telling=("memory-order-agents-file-does-not-stand-in",),
    ),
)

# ------------------------------------------------------------------------------------------------------- what is there


def locked_version(row: Row) -> str:
    """The version that the lock names."""
    text = (ROOT / row.lock).read_text(encoding="utf-8")
    if row.runtime == "node":
        return str(json.loads(text)["packages"][f"node_modules/{row.name}"]["version"])
    found = re.search(rf"^{re.escape(row.name)}==(\S+)", text, re.MULTILINE)
    assert found, f"{row.lock} names {row.name}"
    return found[1]


def find_python312() -> str:
    """An interpreter that says it is Python 3.12; one on PATH may be a shim that leads nowhere."""
    pyenv = sorted(Path.home().glob(".pyenv/versions/3.12*/bin/python3.12"))
    for candidate in filter(None, (shutil.which("python3.12"), *map(str, pyenv))):
        asked = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and asked.stdout.startswith("Python 3.12."):
            return candidate
    raise NotRun("Python 3.12 is not installed")


def find_node() -> str:
    """Node of a version that the package runs on, with npm beside it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise NotRun("Node is not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < (20, 6):
        raise NotRun(f"Node 20.6 or later is needed, not {version.strip()}")
    return node


def install(row: Row, python: str) -> str:
    """What the lock names, into a folder of its own, once for each state of the lock; the program that runs it."""
    folder, lock = PLACE / row.runtime, ROOT / row.lock
    if row.runtime == "node":
        program = find_node()
        steps = [["npm", "ci", "--silent", "--prefix", str(folder)]]
    else:
        maker = python if row.runtime == "python" else find_python312()
        program = str(folder / "bin" / "python")
        pip = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        steps = [[maker, "-m", "venv", "--clear", str(folder)], [*pip, "--requirement", str(lock)]]
    stamp, state = folder / ".installed", hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == state:
        return program
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if row.runtime == "node":
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(lock.parent / name, folder)
    for step in steps:
        print("  " + " ".join(step), flush=True)
        subprocess.run(step, check=True, cwd=folder)
    stamp.write_text(state, encoding="ascii")
    return program


# --------------------------------------------------------------------------------------------------------- what it says


def check(row: Row, program: str, options: list[str]) -> dict[str, Any]:
    """The report of one run; its words and its failures lie below .keel/third-party."""
    folder = RUNS / row.adapter.split("/", 1)[0]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tool = [str(Path(sys.executable).with_name("keel-ref")), "check", *PATIENCE, "--report", "json=report.json"]
    command = [*tool, *options, "--", program, str(HERE / row.adapter)]
    with TemporaryDirectory() as trees, (folder / "check.txt").open("wb") as words:
        Path(trees).chmod(0o711)  # an adapter that hangs is killed and leaves its tree; a plain user reads in it
        aside = os.environ | {"TMPDIR": trees}
        code = subprocess.run(command, cwd=folder, stdout=words, stderr=words, env=aside, check=False).returncode
    print(f"  exit {code}, all of it in {folder.relative_to(ROOT)}/check.txt", flush=True)
    if code in UNREADABLE:
        print((folder / "check.txt").read_text(encoding="utf-8", errors="replace")[-4000:])
        return {"broken": f"keel-ref check ended with {code}"}
    report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    off_the_wire = [test["id"] for test in report["tests"] if test.get("failure", {}).get("kind") == "protocol"]
    if off_the_wire:
        return {"broken": "does not speak the wire: " + ", ".join(off_the_wire)}
    if report["impl"]["version"] != locked_version(row):
        return {"broken": f"runs {report['impl']['version']}, and the lock names {locked_version(row)}"}
    return report | {"smallest": smallest(folder, row.telling)}


def smallest(folder: Path, telling: tuple[str, ...]) -> str:
    """The smallest of the failing trees that tell most, as one line of Markdown."""
    saved = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob(".keel/failures/*.json"))]
    chosen = [one for one in saved if any(fnmatchcase(one["property"], glob) for glob in telling)] or saved
    if not chosen:
        return "none"
    one = min(chosen, key=lambda one: (len(str(one["request"]["calls"])), one["property"]))
    args = one["request"]["calls"][0]["args"]
    entries = [f"{show_path(entry['p'])} {show_entry(entry)}" for entry in args.get("tree", [])]
    rest = [f"{name} {args[name]}" for name in ("cwd", "reads") if name in args]
    about = one.get("first_difference", one["actual"])
    return f"{code_span('; '.join(entries + rest))}: {code_span(str(about))} ({one['property']}, {one['clauses'][0]})"


def code_span(text: str) -> str:
    """Text as it stands, in a cell of a Markdown table."""
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return (ticks + pad + text + pad + ticks).replace("|", "\\|")


def cells(row: Row, report: dict[str, Any]) -> list[str]:
    """A row of the table."""
    head = [row.name, locked_version(row), row.licence]
    if "not run" in report:
        return [*head, f"not run: {report['not run']}", "", "", "", ""]
    claims = ", ".join(name for name in report["capabilities"])
    choices = ", ".join(f"{name} = {value}" for name, value in report["choices"].items() if value != default(name))
    counts = [str(report["counts"][verdict]) for verdict in ("pass", "fail", "not_claimed")]
    return [*head, claims + (f"; {choices}" if choices else ""), *counts, report["smallest"]]


def default(choice: str) -> str:
    """The value of a choice that is not declared."""
    registered = json.loads((spec_folder() / "choices.json").read_text(encoding="utf-8"))["choices"]
    return next((str(one["default"]) for one in registered if one["name"] == choice), "")


def document(rows: list[tuple[Row, dict[str, Any]]]) -> str:
    """RESULTS.md: the table, and for each package the clauses of the tests that fail."""
    head = ["package", "version", "licence", "claims", "passed", "failed", "not claimed", "one smallest failing tree"]
    table = [head, ["---"] * len(head), *(cells(row, report) for row, report in rows)]
    lines = [f"# {TITLE}", "", *ABOUT, ""]
    lines += ["| " + " | ".join(cell) + " |" for cell in table]
    for row, report in rows:
        failed = [test for test in report.get("tests", ()) if test["verdict"] == "fail"]
        if failed:
            clauses = Counter(chain.from_iterable(test["clauses"][:1] for test in failed))
            silent = sum(test["failure"]["kind"] in ("crash", "timeout") for test in failed)
            counted = ", ".join(f"{clause} ({count})" for clause, count in sorted(clauses.items()))
            lines += ["", f"## {row.name}", "", f"Failing tests by the clause that they show first: {counted}."]
            lines += [f"In {silent} of {len(failed)} there is no answer: the load raises, hangs, or gives too much."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """All rows, one after another."""
    python = os.environ.get("PYTHON", sys.executable)
    options = sys.argv[1:]
    done: list[tuple[Row, dict[str, Any]]] = []
    for row in ROWS:
        print(f"== {row.name} {locked_version(row)}", flush=True)
        try:
            program = install(row, python)
        except NotRun as reason:
            print(f"  not run: {reason}", flush=True)
            done.append((row, {"not run": str(reason)}))
            continue
        except (subprocess.CalledProcessError, OSError) as fault:
            done.append((row, {"broken": f"cannot be installed: {fault}"}))
            continue
        done.append((row, check(row, program, options)))
    broken = [f"{row.name}: {report['broken']}" for row, report in done if "broken" in report]
    if not broken:
        text = document(done)
        print(text)
        if not options:
            (HERE / "RESULTS.md").write_text(text, encoding="utf-8")
    print("\n".join(broken), end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    sys.exit(main())
