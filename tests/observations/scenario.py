"""One observed scenario, laid out on a real disk, and the same tree read back into memory."""

import base64
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from keel_ref.adapters.in_memory import InMemoryTree, Node, file_node, link_node
from keel_ref.ports import EntryKind

LAYERS = {"project": "project", "local": "local", "auto-memory": "auto"}
LARGEST_BYTES = 1 << 20


@frozen(kw_only=True)
class Scenario:
    """A record of the observations with its folders in place."""

    record: Mapping[str, Any]
    """The record as it was observed."""
    base: Path
    """What the record calls $B."""

    @property
    def managed(self) -> Path:
        """What the record calls $MANAGED."""
        return self.base.parent / "managed"

    def fill(self, text: str) -> str:
        """A text of the record with its variables filled in."""
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.base / "proj"))
        return text.replace("$B", str(self.base)).replace("$SLUG", slug).replace("$MANAGED", str(self.managed))

    def lay_out(self) -> None:
        """Write the trees, make the repository, run the record's own commands."""
        for folder in ("home", "proj"):
            (self.base / folder).mkdir(parents=True)
        self._write(self.base, self.record["tree"])
        self._write(self.managed, self.record.get("managed", {}))
        if self.record.get("git", True):
            run_shell("git init --quiet .", self.base / "proj")
        if "setup" in self.record:
            run_shell(self.record["setup"], self.base)

    def _write(self, root: Path, tree: Mapping[str, Any]) -> None:
        for name, content in tree.items():
            path = root / self.fill(name)
            if name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                path.write_bytes(self.fill(content).encode())
            elif "link" in content:
                path.symlink_to(self.fill(content["link"]))
            else:
                path.write_bytes(base64.b64decode(content["base64"]))

    @property
    def cwd(self) -> str:
        """Where the session starts."""
        return os.path.join(self.base, self.record.get("cwd", "proj"))

    @property
    def env(self) -> dict[str, str]:
        """The session's variables."""
        return {"HOME": str(self.base / "home")} | {k: self.fill(v) for k, v in self.record.get("env", {}).items()}

    @property
    def reads(self) -> list[str]:
        """The file that the session read, if it read one."""
        return [os.path.join(self.base, self.record["reads"])] if "reads" in self.record else []

    @property
    def flags(self) -> list[str]:
        """The options of `keel-ref memory` that say the same as the record."""
        flags = [self.fill(arg).replace("--setting-sources", "--sources") for arg in self.record.get("args", [])]
        if "managed" in self.record:
            flags += ["--managed-dir", str(self.managed)]
        if self.record.get("approve_external"):
            flags.append("--approve-external")
        for path in self.reads:
            flags += ["--reads", path]
        return flags

    @property
    def expected_start(self) -> list[tuple[str, str, str, bool]]:
        """Path, layer, text and warning of every file seen at start."""
        return [
            (path, self._layer(file["label"], path), self.fill(file["text"]), bool(file.get("warned")))
            for file in self.record["memory"]
            for path in [self.fill(file["path"])]
        ]

    @property
    def expected_nested(self) -> list[tuple[str, str]]:
        """Path and text of every file seen to be attached."""
        return [(self.fill(file["path"]), self.fill(file["text"])) for file in self.record.get("nested", [])]

    def _layer(self, label: str, path: str) -> str:
        is_managed = path.startswith(f"{self.managed}/")
        return LAYERS.get(label, "managed" if is_managed else "user")


def run_shell(command: str, folder: Path) -> None:
    """Run one command as the record's author did; identity and configuration of git are nobody's."""
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["bash", "-c", command], cwd=folder, env=env, check=True, capture_output=True)


def read_back(*roots: Path) -> InMemoryTree:
    """Everything below the roots, as a tree in memory."""
    tree = InMemoryTree()
    for root in roots:
        tree.add_folder(str(root))
        for path, node in _nodes(root):
            if node.kind is EntryKind.FOLDER:
                tree.add_folder(path)
            else:
                tree.add(path, node)
    tree.add("/dev/null", Node(kind=EntryKind.OTHER))
    return tree


def _nodes(root: Path) -> Iterator[tuple[str, Node]]:
    for place, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink():
                yield str(path), link_node(str(path.readlink()))
            elif path.is_dir():
                yield str(path), Node(kind=EntryKind.FOLDER)
            elif path.stat().st_size <= LARGEST_BYTES:
                yield str(path), file_node(path.read_bytes())
