"""A hostile tree on a real disk, and the command line let loose on it, within limits of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import field, frozen

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 240
"""Against a hang only; a machine that does ten other things at once must not fail a test."""
MEMORY_BYTES = 2 << 30
"""Address space that a run may take: what would read or build without end dies of it, and is seen."""
NOBODY = 65_534
"""The user that may nothing, where the tests are run by one that may everything."""

STARTS = """
import os, resource, sys
import keel_ref.cli.memory
from keel_ref.cli import main
memory, user, words = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
if user:
    with open(os.devnull, "w") as nothing:
        out, sys.stdout = sys.stdout, nothing
        main(["memory", sys.argv[4], "--home", "", "--json"])  # so that nothing is left to be imported
        sys.stdout = out
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
sys.exit(main(words))
"""


@frozen(kw_only=True)
class Answer:
    """What the command line said."""

    code: int
    """Its exit code."""
    out: bytes
    """What it printed."""
    err: str
    """What it complained of."""


@frozen(kw_only=True)
class Plan:
    """A plan, with paths relative to the project where they lie in it."""

    whole: dict[str, Any]
    """The object that was printed."""
    top: Path
    """The project."""

    @property
    def files(self) -> list[str]:
        """What loads, in order."""
        return [self._name(file["path"]) for file in self.whole["files"]]

    @property
    def rows(self) -> dict[str, str]:
        """The reason for each path that is left out."""
        return {self._name(row["path"]): row["reason"] for row in self.whole["skipped"]}

    @property
    def reasons(self) -> set[str]:
        """Every reason that is given."""
        return set(self.rows.values())

    @property
    def warnings(self) -> dict[str, str]:
        """The kind of warning for each path."""
        return {self._name(row["path"]): row["kind"] for row in self.whole["warnings"]}

    def text(self, name: str) -> str:
        """The text of one file."""
        return str(self.whole["files"][self.files.index(name)]["text"])

    def _name(self, path: Any) -> str:
        return os.path.relpath(path, self.top) if isinstance(path, str) else str(path["b64"])


@frozen(kw_only=True)
class Place:
    """A project and a home of its own, in which a test may put whatever it likes."""

    top: Path
    """The folder of both."""
    project: Path = field(init=False)
    """Where the session starts."""
    home: Path = field(init=False)
    """The user's home folder."""

    def __attrs_post_init__(self) -> None:
        """Make both folders."""
        object.__setattr__(self, "project", self.top / "p")
        object.__setattr__(self, "home", self.top / "h")
        self.project.mkdir()
        self.home.mkdir()

    def write(self, name: str, data: str | bytes) -> Path:
        """Put a file below the project, with the folders above it; `~/` stands for the home folder."""
        path = self.at(name)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def at(self, name: str) -> Path:
        """The path of a name, once the folders above it are there."""
        path = self.home / name[2:] if name.startswith("~/") else self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def run(
        self,
        *flags: str,
        cwd: str | None = None,
        start: Path | None = None,
        memory: int = MEMORY_BYTES,
        user: int = 0,
        env: dict[str, str] | None = None,
    ) -> Answer:
        """Run `keel-ref memory`, in a process of its own."""
        words = ["memory", str(self.project) if cwd is None else cwd, "--managed-dir", str(self.top / "none"), *flags]
        home = [] if "--home" in flags else ["--home", str(self.home)]
        done = subprocess.run(
            [sys.executable, "-P", "-c", STARTS, str(memory), str(user), *words, *home],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            cwd=start or self.top,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **(env or {})},
            check=False,
        )
        return Answer(code=done.returncode, out=done.stdout, err=done.stderr.decode("utf-8", "replace"))

    def plan(self, *flags: str, memory: int = MEMORY_BYTES, user: int = 0, cwd: str | None = None) -> Plan:
        """The plan that the command line prints as JSON; it has to end well."""
        answer = self.run("--json", *flags, memory=memory, user=user, cwd=cwd)

        assert (0, "") == (answer.code, answer.err)
        return Plan(whole=json.loads(answer.out), top=self.project)

    def seen(self, *flags: str) -> list[str]:
        """The lines that a person sees; nothing in them moves a cursor."""
        answer = self.run(*flags)
        lines = answer.out.decode("utf-8").split("\n")

        assert (0, "") == (answer.code, answer.err)
        assert [] == [line for line in lines if not line.isprintable()]
        return lines
