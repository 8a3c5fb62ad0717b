"""Settings files, how they combine, and the record of approvals."""

import json
from typing import Any

import attrs

from tests.literal.memory.paths import Path
from tests.literal.memory.report import Report
from tests.literal.memory.space import BYTE_ORDER_MARK
from tests.literal.memory.tree import Kind, Look, State, Tree, read_bytes

MAX_FILE_BYTES = 67_108_864
"""Bytes of a file above which it stays unread. [MEM-024]"""

KEYS: dict[str, type] = {"claudeMdExcludes": list, "autoMemoryEnabled": bool, "autoMemoryDirectory": str}
"""The keys of this chapter with the type of their value. [MEM-020]"""

BROKEN = "settings-broken"
"""The reason of a settings file, or key, that cannot be used."""


@attrs.frozen
class SettingsFile:
    """One settings file that is read."""

    layer: str
    """Managed, named, local, project or user."""
    keys: dict[str, Any]
    """The keys of this chapter that it has with a value of the right type."""


def reject_constant(name: str) -> Any:
    """NaN and its like are no JSON."""
    raise ValueError(name)


def read_object(look: Look) -> dict[str, Any] | None:
    """The JSON object in a file; nothing if the file is broken. Spec: MEM-020."""
    node = look.node
    if look.state is State.LOOP or node is None or node.kind is not Kind.FILE:
        return None
    if node.size > MAX_FILE_BYTES or node.is_denied:
        return None
    try:
        text = read_bytes(node).decode("utf-8").removeprefix(BYTE_ORDER_MARK)
        value = json.loads(text, parse_constant=reject_constant, parse_int=float)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_settings_file(tree: Tree, path: Path, layer: str, report: Report) -> SettingsFile | None:
    """One settings file, if it exists and is not broken. Spec: MEM-020."""
    look = tree.look(path)
    if look.state is State.MISSING and layer != "named":
        return None  # [MEM-020]
    found = read_object(look)
    if found is None:
        report.skip(path, BROKEN)
        return None
    keys: dict[str, Any] = {}
    for key, kind in KEYS.items():
        if key not in found:
            continue
        if isinstance(found[key], kind):
            keys[key] = found[key]
        else:
            report.skip(path, BROKEN, detail=key)  # the rest of the file counts [MEM-020]
    return SettingsFile(layer, keys)


@attrs.frozen
class Settings:
    """All settings files that are read, in the order in which single values are looked for."""

    files: tuple[SettingsFile, ...]
    """Managed, named, local, project, user. [MEM-021]"""

    def find_values(self, key: str) -> list[tuple[str, Any]]:
        """Layer and value of a key, in order. Spec: MEM-021."""
        return [(file.layer, file.keys[key]) for file in self.files if key in file.keys]

    @property
    def excludes(self) -> list[str]:
        """Every item of every layer. Spec: MEM-021, MEM-061."""
        return [item for _, items in self.find_values("claudeMdExcludes") for item in items if isinstance(item, str)]


def is_recorded_approval(tree: Tree, path: Path, project: Path, report: Report) -> bool:
    """Whether the record of approvals holds one for a project. Spec: MEM-090."""
    look = tree.look(path)
    if look.state is State.MISSING:
        return False
    record = read_object(look)
    if record is None:
        report.skip(path, BROKEN)
        return False
    projects = record.get("projects")
    entry = projects.get(str(project)) if isinstance(projects, dict) else None
    return isinstance(entry, dict) and entry.get("hasClaudeMdExternalIncludesApproved") is True
