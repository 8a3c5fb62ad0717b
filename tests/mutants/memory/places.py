"""Faults of where a load looks: segments, walk, worktrees."""

from tests.mutants.mutant import Mutant

CANDIDATES = "keel_ref.memory.candidates"
LOADER = "keel_ref.memory.loader"
ROOTS = "keel_ref.memory.roots"
TREE = "keel_ref.adapters.in_memory"
WORLD = "keel_ref.memory.world"

ORDER = (
    Mutant(
        name="user-before-managed",
        clause="MEM-002",
        module=CANDIDATES,
        old="*_managed(world), *_user(world)",
        new="*_user(world), *_managed(world)",
    ),
    Mutant(
        name="user-behind-project",
        clause="MEM-002",
        module=CANDIDATES,
        old="*_user(world), *_chain(world)",
        new="*_chain(world), *_user(world)",
    ),
    Mutant(
        name="index-before-added-folders",
        clause="MEM-002",
        module=CANDIDATES,
        old="*_added(world), *index_places(world, disabled(world))",
        new="*index_places(world, disabled(world)), *_added(world)",
    ),
    Mutant(
        name="inner-folders-before-outer-ones",
        clause="MEM-005",
        module=CANDIDATES,
        old="for folder in ancestors(world.cwd, world.tree.flavour):",
        new="for folder in reversed(ancestors(world.cwd, world.tree.flavour)):",
    ),
    Mutant(
        name="local-before-rules",
        clause="MEM-005",
        module=CANDIDATES,
        old='yield _rules(world, folder, (".claude", "rules"), Layer.PROJECT, project,',
        new="yield local_file(world, folder, general or _source_off(world, Source.LOCAL))\n"
        '        yield _rules(world, folder, (".claude", "rules"), Layer.PROJECT, project,',
    ),
    Mutant(
        name="dot-folder-before-folder",
        clause="MEM-005",
        module=CANDIDATES,
        old="yield from folder_files(world, folder, project)",
        new="yield from reversed(folder_files(world, folder, project))",
    ),
    Mutant(
        name="nearest-claude-file-alone",
        clause="MEM-016",
        module=CANDIDATES,
        old="yield from folder_files(world, folder, project)",
        new="yield from folder_files(world, world.cwd, project)",
    ),
    Mutant(
        name="local-file-in-the-dot-folder",
        clause="MEM-005",
        module=CANDIDATES,
        old='_file(world, folder, ("CLAUDE.local.md",)',
        new='_file(world, folder, (".claude", "CLAUDE.local.md")',
    ),
)

WALK = (
    Mutant(
        name="walk-ends-at-the-git-root",
        clause="MEM-007",
        module=CANDIDATES,
        old="for folder in ancestors(world.cwd, world.tree.flavour):",
        new="for folder in ancestors(world.cwd, world.tree.flavour):\n"
        "        if world.roots and len(folder) < len(world.roots.git):\n"
        "            continue",
    ),
    Mutant(
        name="root-is-read",
        clause="MEM-006",
        module=CANDIDATES,
        old="return world.choices.root is Root.SKIP and",
        new="return False and",
    ),
    Mutant(
        name="cwd-under-the-name-of-its-link",
        clause="MEM-008",
        module=WORLD,
        old='"is no folder")\n    return real',
        new='"is no folder")\n    return cwd',
    ),
    Mutant(
        name="agents-file-is-read",
        clause="MEM-017",
        module=CANDIDATES,
        old="yield from folder_files(world, folder, project)",
        new='yield _file(world, folder, ("AGENTS.md",), Layer.PROJECT, project)\n'
        "        yield from folder_files(world, folder, project)",
    ),
    Mutant(
        name="names-in-any-case",
        clause="MEM-018",
        module=CANDIDATES,
        old="        folder = join(folder, name, world.tree.flavour)\n    return folder",
        new="        listed = world.tree.list_folder(folder)\n"
        "        entries = listed if isinstance(listed, tuple) else ()\n"
        "        found = [entry.name for entry in entries if entry.name.lower() == name.lower()]\n"
        "        folder = join(folder, found[0] if found else name, world.tree.flavour)\n"
        "    return folder",
    ),
    Mutant(
        name="config-variable-is-not-asked",
        clause="MEM-004",
        module=WORLD,
        old="request.config_dir or request.env.get(CONFIG_VARIABLE) or None",
        new="request.config_dir or None",
    ),
    Mutant(
        name="rules-of-the-user-in-another-dot-folder",
        clause="MEM-004",
        module=CANDIDATES,
        old='("rules",), Layer.USER',
        new='(".claude", "rules"), Layer.USER',
    ),
    Mutant(
        name="managed-rules-in-a-plain-folder",
        clause="MEM-003",
        module=CANDIDATES,
        old='(".claude", "rules"), Layer.MANAGED',
        new='("rules",), Layer.MANAGED',
    ),
    Mutant(
        name="fifo-is-opened",
        clause="MEM-019",
        module=TREE,
        old="if node.kind is not EntryKind.FILE:",
        new="if node.kind is EntryKind.FOLDER:",
    ),
    Mutant(
        name="unreadable-file-ends-the-load",
        clause="MEM-022",
        module=LOADER,
        old="self._refuse(visit, refusal.reason, refusal.detail or _named_in(visit))",
        new="raise PermissionError(visit.path)",
        is_crash=True,
    ),
    Mutant(
        name="largest-size-is-too-large",
        clause="MEM-024",
        module=TREE,
        old="if node.size_bytes > cap_bytes:",
        new="if node.size_bytes >= cap_bytes:",
    ),
    Mutant(
        name="rows-about-what-loads",
        clause="MEM-023",
        module="keel_ref.memory.ledger",
        old="if (path, layer) not in loaded",
        new="if True",
    ),
    Mutant(
        name="last-reason-stands",
        clause="MEM-023",
        module="keel_ref.memory.ledger",
        old="self.rows.setdefault((path, layer),",
        new="self.rows.__setitem__((path, layer),",
    ),
)

WORKTREES = (
    Mutant(
        name="worktree-rule-missing",
        clause="MEM-009",
        module=ROOTS,
        old="return in_main and not is_inside(",
        new="return False and not is_inside(",
    ),
    Mutant(
        name="worktree-rule-for-local-files",
        clause="MEM-009",
        module=CANDIDATES,
        old="local = general or _source_off(world, Source.LOCAL)",
        new="local = general or _source_off(world, Source.LOCAL) or _worktree(world, folder)",
    ),
    Mutant(
        name="worktree-rule-above-the-main-root",
        clause="MEM-009",
        module=ROOTS,
        old="in_main = is_inside(folder, roots.main, tree.flavour)",
        new="in_main = True",
    ),
    Mutant(
        name="worktree-rule-for-one-outside",
        clause="MEM-009",
        module=ROOTS,
        old="or not is_inside(roots.git, roots.main, tree.flavour):",
        new="or is_inside(folder, roots.git, tree.flavour):\n"
        "        return False\n"
        "    if not is_inside(roots.git, roots.main, tree.flavour):\n"
        "        return True\n"
        "    if is_inside(roots.main, roots.git, tree.flavour):",
    ),
    Mutant(
        name="inside-by-the-first-letters",
        clause="MEM-009",
        module="keel_ref.paths",
        old="inner.startswith(outer if outer.endswith(sep) else outer + sep)",
        new="inner.startswith(outer)",
    ),
    Mutant(
        name="submodule-taken-for-a-worktree",
        clause="MEM-011",
        module=ROOTS,
        old="return root  # [MEM-011] a submodule",
        new='return data.split("/.git/")[0] if data and "/.git/" in data else root  # [MEM-011] a submodule',
    ),
    Mutant(
        name="bare-repository-of-any-name",
        clause="MEM-011",
        module=ROOTS,
        old='if name_of(real, tree.flavour) == ".git" else real',
        new="if name_of(real, tree.flavour) else real",
    ),
    Mutant(
        name="odd-git-entry-ends-the-search",
        clause="MEM-011",
        module=ROOTS,
        old="continue  # [MEM-011]",
        new="return None  # [MEM-011]",
    ),
    Mutant(
        name="git-data-relative-to-the-folder-above",
        clause="MEM-010",
        module=ROOTS,
        old="trim_white_space(first_line), root)",
        new="trim_white_space(first_line), parent(root, tree.flavour))",
    ),
    Mutant(
        name="worktree-taken-for-a-repository",
        clause="MEM-010",
        module=ROOTS,
        old="main=_main_root(tree, place, entry, constants)",
        new="main=place",
    ),
)

MUTANTS = (*ORDER, *WALK, *WORKTREES)
"""Every fault of this file."""
