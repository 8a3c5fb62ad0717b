"""MEMORY.md, the index of the automatic memory: place, switches, limits. Spec: MEM-120 to MEM-128."""

from __future__ import annotations

from bisect import bisect_right

from attrs import frozen

from keel_ref.choices import Unit
from keel_ref.constants import Constants
from keel_ref.memory.values import Candidate, CandidateKind, Layer
from keel_ref.memory.world import World
from keel_ref.paths import is_absolute, join, normalise
from keel_ref.text import size_utf8, size_utf16, trim_white_space
from keel_ref.trace import Reason
from keel_ref.units import div_half_up

INDEX_NAME = "MEMORY.md"
OFF_VARIABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
REMOTE_VARIABLE = "CLAUDE_CODE_REMOTE"
HIGH_SURROGATE_FROM = 0x10000


@frozen(kw_only=True)
class CutIndex:
    """An index within its limits. Spec: MEM-121."""

    text: str
    """What is kept."""
    lines: int
    """Lines of the trimmed original."""
    size: int
    """Size of the trimmed original, in the unit of `memory.index_unit`."""
    exceeds_lines: bool
    """Had it more lines than the limit?"""
    exceeds_size: bool
    """Was it larger than the limit?"""
    notice: str
    """What follows the text when it was cut; empty when it was not. Spec: MEM-122."""


def cut_index(text: str, unit: Unit, constants: Constants) -> CutIndex:
    """Keep the first lines, then the first units. Spec: MEM-121 to MEM-123."""
    trimmed = trim_white_space(text)
    lines = trimmed.split("\n") if trimmed else []
    size = _size(trimmed, unit)
    exceeds_lines = len(lines) > constants.index_cap_lines  # [MEM-121] judged on the trimmed original
    exceeds_size = size > constants.index_cap_units
    kept = _cut_at_line("\n".join(lines[: constants.index_cap_lines]), unit, constants.index_cap_units)
    measured = CutIndex(
        text=kept, lines=len(lines), size=size, exceeds_lines=exceeds_lines, exceeds_size=exceeds_size, notice=""
    )
    if not exceeds_lines and not exceeds_size:
        return measured
    assert len(kept) < len(trimmed), "a notice comes only with a loss"
    return CutIndex(
        text=kept,
        lines=len(lines),
        size=size,
        exceeds_lines=exceeds_lines,
        exceeds_size=exceeds_size,
        notice=_notice(measured, constants),
    )


def _cut_at_line(text: str, unit: Unit, cap: int) -> str:
    """The text up to the last line end at or before the cap, or to the cap where there is none. Spec: MEM-121."""
    if _size(text, unit) <= cap:
        return text
    fitting = cut_exactly(text, unit, cap + 1)  # a line end at the cap itself still counts
    line_end = fitting.rfind("\n")
    return text[:line_end] if line_end > 0 else cut_exactly(text, unit, cap)


def cut_exactly(text: str, unit: Unit, cap: int) -> str:
    """The longest beginning that fits; [MEM-123] one that would split a character ends before it."""
    head = text[:cap]  # no character is smaller than one unit
    kept = bisect_right(range(1, len(head) + 1), cap, key=lambda count: _size(head[:count], unit))
    return head[:kept]


def _size(text: str, unit: Unit) -> int:
    return size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)


def _notice(cut: CutIndex, constants: Constants) -> str:
    """What was too much, and by how much. Spec: MEM-122."""
    causes: list[str] = []
    if cut.exceeds_lines:
        causes.append(f"{cut.lines} lines (limit {constants.index_cap_lines})")
    if cut.exceeds_size:
        causes.append(f"{_kilobytes(cut.size)} (limit {_kilobytes(constants.index_cap_units)})")
    return (
        f"Note: {INDEX_NAME} has {' and '.join(causes)}, so only its beginning stands above. "
        "Keep one short line for each memory here and move the rest into topic files."
    )


def _kilobytes(units: int) -> str:
    tenths = div_half_up(units * 10, 1024)
    return f"{tenths // 10}.{tenths % 10}KB"


def index_places(world: World, disabled: Reason | None) -> tuple[Candidate, ...]:
    """The index, and the team's. Spec: MEM-124 to MEM-128."""
    folder = memory_folder(world)
    if folder is None:
        return ()
    flavour = world.tree.flavour
    held_back = (None if disabled is Reason.BARE else disabled) or _off(world)  # [MEM-015] bare has its own word here
    own = Candidate(
        path=join(folder, INDEX_NAME, flavour), kind=CandidateKind.INDEX, layer=Layer.AUTO, held_back=held_back
    )
    team_off = None if world.gates.team_memory else Reason.TEAM_OFF  # [MEM-128]
    team = Candidate(
        path=join(join(folder, "team", flavour), INDEX_NAME, flavour),
        kind=CandidateKind.INDEX,
        layer=Layer.TEAM,
        held_back=held_back or team_off,
    )
    return own, team


def memory_folder(world: World) -> str | None:
    """The folder of the automatic memory; None when no home is known. Spec: MEM-124, MEM-125."""
    flavour = world.tree.flavour
    if world.request.index_folder:
        return world.request.index_folder  # [MEM-125] the embedding product comes first
    named = world.settings.auto_memory_directory
    if named and named.startswith("~/") and world.request.home:
        return normalise(join(world.request.home, named[2:], flavour), flavour)
    if named and is_absolute(named, flavour):
        return normalise(named, flavour)
    if not world.config_home:
        return None
    place = world.config_home
    for name in ("projects", slug(world.project_root), "memory"):
        place = join(place, name, flavour)
    return place


def slug(path: str) -> str:
    """The name of a project's folder: one dash for each UTF-16 unit that is no ASCII letter or digit. Spec: MEM-124."""
    return "".join(
        c if c.isascii() and c.isalnum() else "-" * (2 if ord(c) >= HIGH_SURROGATE_FROM else 1) for c in path
    )


def _off(world: World) -> Reason | None:
    """Is the automatic memory off? The first switch that speaks decides. Spec: MEM-126."""
    if world.is_on(OFF_VARIABLE) or world.request.bare:
        return Reason.AUTO_MEMORY_OFF
    if world.is_on(REMOTE_VARIABLE) and not world.request.has_remote_storage:
        return Reason.AUTO_MEMORY_OFF
    return Reason.AUTO_MEMORY_OFF if world.settings.auto_memory_enabled is False else None
