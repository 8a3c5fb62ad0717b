"""The plan of `keel-ref memory` for a person: what loads, what does not and why, and what looks wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from attrs import frozen

from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.memory.lint import Lint
from keel_ref.memory.touch import MemorySession, Touch
from keel_ref.memory.values import Layer, MemoryFile
from keel_ref.trace import Notice, Reason, Skip

TITLES = {
    Layer.MANAGED: "managed (the organisation's)",
    Layer.USER: "user (all your projects)",
    Layer.PROJECT: "project",
    Layer.LOCAL: "local (yours, not checked in)",
    Layer.AUTO: "auto (MEMORY.md)",
    Layer.TEAM: "team",
}
REASONS = {
    Reason.DISABLED: "memory is switched off as a whole",
    Reason.BARE: "bare mode",
    Reason.SOURCE_OFF: "its source is off",
    Reason.ADD_DIR_OFF: "added folders give memory only with CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1",
    Reason.ROOT_NOT_READ: "the file-system root is not read",
    Reason.WORKTREE_SUPPRESSED: "this is a worktree, it has the file itself",
    Reason.EXCLUDED: "claudeMdExcludes",
    Reason.DUPLICATE: "loaded already, under another name or layer",
    Reason.CONDITIONAL: "waits for a file that matches",
    Reason.EMPTY: "nothing is left of it",
    Reason.NOT_FOUND: "no such file",
    Reason.NOT_REGULAR: "no regular file",
    Reason.LINK_LOOP: "links that lead in a circle",
    Reason.UNREADABLE: "cannot be read",
    Reason.TOO_LARGE: "too large",
    Reason.INCLUDE_DEPTH: "included too deep",
    Reason.INCLUDE_EXTERNAL: "outside the working folder, not approved",
    Reason.INCLUDE_TYPE: "not a type of file that is included",
    Reason.BOUND_REACHED: "a bound of this load was reached",
    Reason.RULES_BOUND: "too many rules in one folder",
    Reason.NAME_CASE: "upper and lower case of the name",
    Reason.NOT_MD: "a rule ends in .md",
    Reason.WRONG_PLACE: "not read inside .claude",
    Reason.AGENTS_FILE: "not read by this version",
    Reason.AUTO_MEMORY_OFF: "automatic memory is off",
    Reason.SETTINGS_BROKEN: "settings that cannot be used",
    Reason.ON_DEMAND: "loads later",
    Reason.INJECTED_FILTER: "left out, memories are searched ahead",
    Reason.TEAM_OFF: "team memory is off",
}


@frozen(kw_only=True)
class Palette:
    """Marks for a terminal; empty texts everywhere else."""

    bold: str = ""
    """Titles."""
    dim: str = ""
    """Details."""
    warn: str = ""
    """Warnings."""
    end: str = ""
    """Back to normal."""

    @classmethod
    def of(cls, stream: TextIO) -> Palette:
        """Colours only on a terminal, and never against NO_COLOR."""
        if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return cls()
        return cls(bold="\033[1m", dim="\033[2m", warn="\033[33m", end="\033[0m")


def print_plan(
    session: MemorySession, found: Lint, touches: Sequence[Touch], palette: Palette, *, shows_all: bool
) -> None:
    """Print the whole plan."""
    for line in plan_lines(session, found, touches, palette, shows_all=shows_all):
        print(line)


def plan_lines(
    session: MemorySession, found: Lint, touches: Sequence[Touch], palette: Palette, *, shows_all: bool = False
) -> Iterator[str]:
    """The plan, line by line."""
    world, load = session.world, session.start
    short = _Shortener(cwd=world.cwd, home=world.request.home)
    count = f"{len(load.files)} file{'' if len(load.files) == 1 else 's'}"
    yield f"{palette.bold}Instruction memory for {visible(world.cwd)}{palette.end}"
    yield f"{count}, about {load.tokens:,} tokens at start (documented estimate), in this order:"
    yield from _files(load.files, short, palette)
    for touch in touches:
        yield ""
        yield f"{palette.bold}Reading {short(touch.path)} attaches{palette.end}"
        yield from _files(touch.load.files, short, palette) if touch.load.files else ("    nothing",)
    shown = [row for row in (*load.skipped, *found.skipped) if shows_all or row not in found.noise]
    yield from _skipped(shown, short, palette)
    if not shows_all and found.noise:
        yield f"  {len(found.noise)} more @words name no file (list them with --all)"
    yield from _notices(found.notices, short, palette)


def _files(files: Iterable[MemoryFile], short: _Shortener, palette: Palette) -> Iterator[str]:
    layer: Layer | None = None
    for file in files:
        if file.layer is not layer:
            layer = file.layer
            yield f"  {palette.bold}{TITLES[layer]}{palette.end}"
        indent = "  " * file.depth + ("@ " if file.parent is not None else "")
        notes = []
        if file.globs:
            notes.append("matches " + clipped(visible(", ".join(file.globs))))
        if file.is_warned:
            notes.append("cut to its limit, with a notice")
        note = f"  {palette.dim}{'; '.join(notes)}{palette.end}" if notes else ""
        yield f"  {file.tokens:>8,}  {indent}{short(file.path)}{note}"


def _skipped(rows: Sequence[Skip], short: _Shortener, palette: Palette) -> Iterator[str]:
    """Grouped by reason."""
    if rows:
        yield ""
        yield f"{palette.bold}Not loaded{palette.end}"
    for reason in dict.fromkeys(row.reason for row in rows):
        yield f"  {reason.value}: {REASONS[reason]}"
        for row in (row for row in rows if row.reason is reason):
            detail = f"  {palette.dim}{short.within(row.detail)}{palette.end}" if row.detail else ""
            yield f"      {short(row.path)}{detail}"


def _notices(notices: Sequence[Notice], short: _Shortener, palette: Palette) -> Iterator[str]:
    if notices:
        yield ""
        yield f"{palette.bold}Warnings{palette.end}"
    for notice in notices:
        yield f"  {palette.warn}{notice.kind}{palette.end}: {short(notice.path)}"
        yield f"      {palette.dim}{short.within(notice.detail)}{palette.end}"


@frozen(kw_only=True)
class _Shortener:
    """Paths as a person would say them, fit for a terminal."""

    cwd: str
    home: str

    def __call__(self, path: str) -> str:
        return clipped(visible(self._short(path)))

    def within(self, text: str) -> str:
        """The same inside a sentence."""
        short = text.replace(self.cwd.rstrip("/") + "/", "./") if len(self.cwd) > 1 else text
        return clipped(visible(short))

    def _short(self, path: str) -> str:
        if path == self.cwd:
            return "."
        if path.startswith(self.cwd.rstrip("/") + "/"):
            return "./" + path[len(self.cwd.rstrip("/")) + 1 :]
        if self.home and path.startswith(self.home + "/"):
            return "~" + path[len(self.home) :]
        return path
