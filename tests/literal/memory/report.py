"""What is reported about files that stay out, and the warnings."""

from typing import Any

from tests.literal.memory.paths import Path
from tests.literal.memory.wire import show_path

Place = tuple[tuple[str, tuple[str, ...]], str | None]
"""What makes a candidate: its path, as paths are compared, and its layer."""


class Report:
    """Rows and warnings of one session."""

    def __init__(self) -> None:
        self.rows: dict[Place, dict[str, Any]] = {}
        """A row for each path and layer."""
        self.warnings: dict[tuple[str, str, str], dict[str, Any]] = {}
        """Each warning once."""

    def skip(self, path: Path, reason: str, layer: str | None = None, detail: str = "") -> None:
        """A row, unless the path and layer have one: the reason that was met first stays. Spec: MEM-023."""
        row: dict[str, Any] = {"p": show_path(str(path)), "reason": reason}
        if layer is not None:
            row["layer"] = layer
        if detail:
            row["detail"] = detail
        self.rows.setdefault((path.key, layer), row)

    def warn(self, kind: str, path: Path, detail: str) -> None:
        """A warning."""
        shown = show_path(str(path))
        self.warnings.setdefault((kind, str(path), detail), {"kind": kind, "p": shown, "detail": detail})

    def rows_but(self, loaded: set[Place]) -> list[dict[str, Any]]:
        """All rows but those of what loads after all. Spec: MEM-023, MEM-086."""
        return [row for key, row in self.rows.items() if key not in loaded]
