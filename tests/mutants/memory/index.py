"""Faults of the index: its limits, its place, its switches."""

from tests.mutants.mutant import Mutant

CONSTANTS = "keel_ref.constants"
INDEX = "keel_ref.memory.index"
LOADER = "keel_ref.memory.loader"

LIMITS = (
    Mutant(
        name="index-by-bytes",
        clause="MEM-123",
        module=INDEX,
        old="return size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)",
        new="return size_utf8(text)",
    ),
    Mutant(
        name="index-by-code-points",
        clause="MEM-123",
        module=INDEX,
        old="return size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)",
        new="return len(text) if unit is Unit.UTF16 else size_utf8(text)",
    ),
    Mutant(
        name="index-of-25600-units",
        clause="MEM-121",
        module=CONSTANTS,
        old="index_cap_units: int = field(default=25_000",
        new="index_cap_units: int = field(default=25_600",
    ),
    Mutant(
        name="index-of-201-lines",
        clause="MEM-121",
        module=CONSTANTS,
        old="index_cap_lines: int = field(default=200",
        new="index_cap_lines: int = field(default=201",
    ),
    Mutant(
        name="last-line-end-counts-as-a-line",
        clause="MEM-121",
        module=INDEX,
        old="trimmed = trim_white_space(text)",
        new="trimmed = text",
    ),
    Mutant(
        name="lines-end-at-line-separators",
        clause="MEM-121",
        module=INDEX,
        old='trimmed.split("\\n") if trimmed else []',
        new="trimmed.splitlines()",
    ),
    Mutant(
        name="size-judged-behind-the-cut-by-lines",
        clause="MEM-122",
        module=INDEX,
        old="exceeds_size = size > constants.index_cap_units",
        new='exceeds_size = _size("\\n".join(lines[: constants.index_cap_lines]), unit) > constants.index_cap_units',
    ),
    Mutant(
        name="index-cut-inside-a-line",
        clause="MEM-121",
        module=INDEX,
        old="return text[:line_end] if line_end > 0 else cut_exactly",
        new="return cut_exactly",
    ),
    Mutant(
        name="line-end-at-the-limit-does-not-count",
        clause="MEM-121",
        module=INDEX,
        old="cut_exactly(text, unit, cap + 1)",
        new="cut_exactly(text, unit, cap)",
    ),
    Mutant(
        name="character-goes-over-the-limit",
        clause="MEM-123",
        module=INDEX,
        old="return head[:kept]",
        new="return head[: kept + 1]",
    ),
    Mutant(
        name="cut-index-without-a-notice",
        clause="MEM-122",
        module=INDEX,
        old="notice=_notice(measured, constants)",
        new='notice=""',
    ),
)

AUTO = (
    Mutant(
        name="index-is-not-cut",
        clause="MEM-121",
        module=LOADER,
        old="text=cut.text",
        new="text=document.trimmed",
    ),
    Mutant(
        name="index-includes",
        clause="MEM-127",
        module=LOADER,
        old="        cut = cut_index(",
        new="        self._visit_includes(visit, document)\n        cut = cut_index(",
    ),
    Mutant(
        name="index-needs-a-source",
        clause="MEM-126",
        module=INDEX,
        old="if world.is_on(OFF_VARIABLE) or world.request.bare:",
        new="if world.is_on(OFF_VARIABLE) or world.request.bare or not world.request.sources:",
    ),
    Mutant(
        name="index-in-bare-mode",
        clause="MEM-126",
        module=INDEX,
        old="if world.is_on(OFF_VARIABLE) or world.request.bare:",
        new="if world.is_on(OFF_VARIABLE):",
    ),
    Mutant(
        name="setting-before-the-variable",
        clause="MEM-126",
        module=INDEX,
        old="if world.is_on(OFF_VARIABLE) or world.request.bare:",
        new="if world.settings.auto_memory_enabled is None and world.is_on(OFF_VARIABLE) or world.request.bare:",
    ),
    Mutant(
        name="slug-of-the-sub-folder",
        clause="MEM-124",
        module=INDEX,
        old="slug(world.project_root)",
        new="slug(world.cwd)",
    ),
    Mutant(
        name="runs-of-hyphens-become-one",
        clause="MEM-124",
        module=INDEX,
        old="slug(world.project_root)",
        new='"-" + "-".join(filter(None, slug(world.project_root).split("-")))',
    ),
    Mutant(
        name="slug-keeps-underscores",
        clause="MEM-124",
        module=INDEX,
        old="c.isascii() and c.isalnum()",
        new='c.isascii() and (c.isalnum() or c == "_")',
    ),
    Mutant(
        name="slug-keeps-letters-beyond-ascii",
        clause="MEM-124",
        module=INDEX,
        old="c.isascii() and c.isalnum()",
        new="c.isalnum()",
    ),
    Mutant(
        name="one-hyphen-per-character",
        clause="MEM-124",
        module=INDEX,
        old="(2 if ord(c) >=",
        new="(1 if ord(c) >=",
    ),
    Mutant(
        name="slug-in-lower-case",
        clause="MEM-124",
        module=INDEX,
        old="slug(world.project_root)",
        new="slug(world.project_root).lower()",
    ),
    Mutant(
        name="team-memory-without-its-gate",
        clause="MEM-128",
        module=INDEX,
        old="None if world.gates.team_memory else Reason.TEAM_OFF",
        new="None",
    ),
    Mutant(
        name="filter-whatever-was-chosen",
        clause="MEM-111",
        module="keel_ref.memory.load",
        old="or world.choices.injected_filter is Switch.OFF:",
        new="or False:",
    ),
)

MUTANTS = (*LIMITS, *AUTO)
"""Every fault of this file."""
