"""Faults of what a load is told: added folders, sources, bare mode, settings, exclusions."""

from tests.mutants.mutant import Mutant

CANDIDATES = "keel_ref.memory.candidates"
EXCLUSION = "keel_ref.memory.exclusion"
LOADER = "keel_ref.memory.loader"
SETTINGS = "keel_ref.memory.settings"
WORLD = "keel_ref.memory.world"

SWITCHES = (
    Mutant(
        name="added-folders-have-local-files",
        clause="MEM-012",
        module=CANDIDATES,
        old="yield from folder_files(world, folder, held_back)",
        new="yield from folder_files(world, folder, held_back)\n        yield local_file(world, folder, held_back)",
    ),
    Mutant(
        name="added-folders-ask-the-source",
        clause="MEM-012",
        module=CANDIDATES,
        old="held_back = disabled(world) or off",
        new="held_back = disabled(world) or off or _source_off(world, Source.PROJECT)",
    ),
    Mutant(
        name="added-folders-without-the-variable",
        clause="MEM-012",
        module=CANDIDATES,
        old="off = None if world.is_on(ADDED_VARIABLE) else Reason.ADD_DIR_OFF",
        new="off = None",
    ),
    Mutant(
        name="sources-ignored",
        clause="MEM-013",
        module=CANDIDATES,
        old="return None if source in world.request.sources else Reason.SOURCE_OFF",
        new="return None",
    ),
    Mutant(
        name="sources-switch-managed-files",
        clause="MEM-003",
        module=CANDIDATES,
        old='("CLAUDE.md",), Layer.MANAGED, _usual(world))',
        new='("CLAUDE.md",), Layer.MANAGED, _usual(world) or _source_off(world, Source.PROJECT))',
    ),
    Mutant(
        name="switch-for-everything-ignored",
        clause="MEM-014",
        module=CANDIDATES,
        old="if world.is_on(DISABLE_VARIABLE):",
        new="if False:",
    ),
    Mutant(
        name="switches-in-lower-case-only",
        clause="MEM-014",
        module="keel_ref.choices",
        old="trim_white_space(text).lower() in accepted",
        new="trim_white_space(text) in accepted",
    ),
    Mutant(
        name="bare-mode-ignored",
        clause="MEM-015",
        module=CANDIDATES,
        old="if world.request.bare and not world.request.add_dirs:",
        new="if False:",
    ),
    Mutant(
        name="bare-mode-loads-nothing-ever",
        clause="MEM-015",
        module=CANDIDATES,
        old="if world.request.bare and not world.request.add_dirs:",
        new="if world.request.bare:",
    ),
)

SETTINGS_FILES = (
    Mutant(
        name="settings-of-the-folder-above",
        clause="MEM-020",
        module=SETTINGS,
        old='own = join(cwd, ".claude", flavour)',
        new='own = join(cwd.rpartition("/")[0] or "/", ".claude", flavour)',
    ),
    Mutant(
        name="broken-settings-end-the-load",
        clause="MEM-020",
        module=SETTINGS,
        old="skipped.append(broken(place.path, values))",
        new="raise ValueError(values)",
        is_crash=True,
    ),
    Mutant(
        name="settings-of-a-source-that-is-off",
        clause="MEM-020",
        module=SETTINGS,
        old="if Source.USER in request.sources and config_home:",
        new="if config_home:",
    ),
    Mutant(
        name="last-layer-wins-a-single-value",
        clause="MEM-021",
        module=SETTINGS,
        old="next((v for v in enabled if",
        new="next((v for v in reversed(enabled) if",
    ),
    Mutant(
        name="false-is-no-value",
        clause="MEM-021",
        module=SETTINGS,
        old="next((v for v in enabled if v is not None), None)",
        new="next((v for v in enabled if v), None)",
    ),
    Mutant(
        name="first-layer-with-a-list-wins",
        clause="MEM-061",
        module=SETTINGS,
        old="for place, values in layers\n        for item in",
        new='for place, values in [pair for pair in layers if "claudeMdExcludes" in pair[1]][:1]\n        for item in',
    ),
    Mutant(
        name="memory-folder-by-project-settings",
        clause="MEM-125",
        module=SETTINGS,
        old="if place.layer != Layer.PROJECT",
        new="if place.layer",
    ),
)

EXCLUSIONS = (
    Mutant(
        name="managed-files-can-be-excluded",
        clause="MEM-060",
        module=LOADER,
        old="EXCLUDABLE = frozenset({Layer.USER,",
        new="EXCLUDABLE = frozenset({Layer.MANAGED, Layer.USER,",
    ),
    Mutant(
        name="user-files-cannot-be-excluded",
        clause="MEM-060",
        module=LOADER,
        old="EXCLUDABLE = frozenset({Layer.USER,",
        new="EXCLUDABLE = frozenset({",
    ),
    Mutant(
        name="included-files-cannot-be-excluded",
        clause="MEM-060",
        module=LOADER,
        old="if visit.layer in EXCLUDABLE else None",
        new="if visit.layer in EXCLUDABLE and visit.parent is None else None",
    ),
    Mutant(
        name="exclusion-in-any-case",
        clause="MEM-062",
        module=EXCLUSION,
        old="ignores_case=False",
        new="ignores_case=True",
    ),
    Mutant(
        name="exclusion-without-braces",
        clause="MEM-062",
        module=EXCLUSION,
        old="for text in _expand(spelling, cap)",
        new="for text in (spelling,)",
    ),
    Mutant(
        name="exclusion-stars-pass-over-hidden-folders",
        clause="MEM-062",
        module=EXCLUSION,
        old="for glob in self.globs)",
        new='for glob in self.globs if "**" not in self.pattern or "/." not in path)',
    ),
    Mutant(
        name="relative-exclusion-anywhere",
        clause="MEM-064",
        module=EXCLUSION,
        old='text.split("/"))) for text in texts if _is_whole(text))',
        new='(text if _is_whole(text) else "**/" + text).split("/"))) for text in texts)',
    ),
    Mutant(
        name="negated-exclusion-ignored",
        clause="MEM-064",
        module=EXCLUSION,
        old="is_negative = (len(pattern) - len(body)) % 2 == 1",
        new="is_negative = False",
    ),
    Mutant(
        name="second-exclamation-mark-ignored",
        clause="MEM-064",
        module=EXCLUSION,
        old="(len(pattern) - len(body)) % 2 == 1",
        new="len(pattern) != len(body)",
    ),
    Mutant(
        name="exclusion-by-the-target-of-a-link",
        clause="MEM-063",
        module=WORLD,
        old="return first_match(self.exclusions, _with_slashes(path,",
        new="real = self.tree.real_path(path)\n"
        "        return first_match(self.exclusions, _with_slashes(real if isinstance(real, str) else path,",
    ),
    Mutant(
        name="exclusion-as-written-only",
        clause="MEM-063",
        module=EXCLUSION,
        old="dict.fromkeys((body, _resolved(body, resolve)))",
        new="dict.fromkeys((body,))",
    ),
)

MUTANTS = (*SWITCHES, *SETTINGS_FILES, *EXCLUSIONS)
"""Every fault of this file."""
