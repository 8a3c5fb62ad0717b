"""Faults of included files: where they lie, how deep they go, how often they load, who allows them."""

from tests.mutants.mutant import Mutant

APPROVAL = "keel_ref.memory.approval"
INCLUDES = "keel_ref.memory.includes"
LOADER = "keel_ref.memory.loader"

TARGETS = (
    Mutant(
        name="paths-from-cwd",
        clause="MEM-070",
        module=LOADER,
        old="folder = parent(self.real_path(visit.path, is_link=document.is_link), flavour)",
        new="folder = self.world.cwd",
    ),
    Mutant(
        name="paths-from-the-link",
        clause="MEM-070",
        module=LOADER,
        old="folder = parent(self.real_path(visit.path, is_link=document.is_link), flavour)",
        new="folder = parent(visit.path, flavour)",
    ),
    Mutant(
        name="home-is-no-home",
        clause="MEM-070",
        module=INCLUDES,
        old='if path.startswith("~/"):',
        new="if False:",
    ),
    Mutant(
        name="one-hop-more",
        clause="MEM-080",
        module=LOADER,
        old="if child.depth > self.hops:",
        new="if child.depth > self.hops + 1:",
    ),
    Mutant(
        name="one-hop-fewer",
        clause="MEM-080",
        module=LOADER,
        old="if child.depth > self.hops:",
        new="if child.depth >= self.hops:",
    ),
    Mutant(
        name="rules-begin-at-depth-one",
        clause="MEM-080",
        module=LOADER,
        old="self.visit(Visit(path=path, layer=candidate.layer, base=candidate.base))",
        new="self.visit(Visit(path=path, layer=candidate.layer, base=candidate.base, depth=1))",
    ),
    Mutant(
        name="includes-first",
        clause="MEM-083",
        module=LOADER,
        old="if self.world.choices.include_order is IncludeOrder.CHILD_FIRST:",
        new="if True:",
    ),
    Mutant(
        name="last-mention-first",
        clause="MEM-083",
        module=LOADER,
        old="for mention in mentions.paths:",
        new="for mention in reversed(mentions.paths):",
    ),
    Mutant(
        name="duplicates-stay",
        clause="MEM-084",
        module=LOADER,
        old="return self._identity(path) in self.ledger.marks",
        new="return False",
    ),
    Mutant(
        name="marked-behind-its-includes",
        clause="MEM-084",
        module=LOADER,
        old="        self.mark(visit.path, document)\n        record = MemoryFile(",
        new="        self._visit_includes(visit, document)\n"
        "        self.mark(visit.path, document)\n"
        "        record = MemoryFile(",
    ),
    Mutant(
        name="link-marked-under-one-name",
        clause="MEM-085",
        module=LOADER,
        old="self.real_path(path, is_link=document.is_link)))",
        new="path))",
    ),
    Mutant(
        name="real-path-is-the-identity",
        clause="MEM-085",
        module=LOADER,
        old="if self.world.choices.identity is Identity.REAL:",
        new="if True:",
    ),
    Mutant(
        name="too-deep-counts-as-loaded",
        clause="MEM-086",
        module=LOADER,
        old="self._refuse(child, Reason.INCLUDE_DEPTH,",
        new="self.ledger.marks.add(self._identity(path))\n            self._refuse(child, Reason.INCLUDE_DEPTH,",
    ),
    Mutant(
        name="refused-as-external-counts-as-loaded",
        clause="MEM-086",
        module=LOADER,
        old="self._refuse(visit, Reason.INCLUDE_EXTERNAL,",
        new="self.ledger.marks.add(self._identity(visit.path))\n"
        "            self._refuse(visit, Reason.INCLUDE_EXTERNAL,",
    ),
    Mutant(
        name="include-has-layer-project",
        clause="MEM-091",
        module=LOADER,
        old="layer=includer.layer, depth=includer.depth + 1",
        new="layer=Layer.PROJECT, depth=includer.depth + 1",
    ),
    Mutant(
        name="include-is-a-rule-like-its-includer",
        clause="MEM-091",
        module=LOADER,
        old="depth=includer.depth + 1, parent=includer.path)",
        new='depth=includer.depth + 1, parent=includer.path, base="/")',
    ),
)

EXTERNAL = (
    Mutant(
        name="external-from-the-git-root",
        clause="MEM-088",
        module=LOADER,
        old="if is_inside(visit.path, self.world.cwd, self.world.tree.flavour):",
        new="if is_inside(visit.path, self.world.project_root, self.world.tree.flavour):",
    ),
    Mutant(
        name="external-by-the-real-path",
        clause="MEM-088",
        module=LOADER,
        old="if is_inside(visit.path, self.world.cwd, self.world.tree.flavour):",
        new="real = self.real_path(visit.path, is_link=True)\n"
        "        if is_inside(real, self.world.cwd, self.world.tree.flavour):",
    ),
    Mutant(
        name="managed-files-need-no-approval",
        clause="MEM-088",
        module=LOADER,
        old="if visit.layer is Layer.USER:",
        new="if visit.layer in {Layer.USER, Layer.MANAGED}:",
    ),
    Mutant(
        name="files-of-the-user-need-an-approval",
        clause="MEM-089",
        module=LOADER,
        old="if visit.layer is Layer.USER:",
        new="if False:",
    ),
    Mutant(
        name="approval-kept-under-cwd",
        clause="MEM-090",
        module=APPROVAL,
        old="wanted = key(world.project_root, flavour)",
        new="wanted = key(world.cwd, flavour)",
    ),
    Mutant(
        name="approval-kept-under-the-worktree",
        clause="MEM-090",
        module=APPROVAL,
        old="wanted = key(world.project_root, flavour)",
        new="wanted = key(world.roots.git if world.roots else world.cwd, flavour)",
    ),
    Mutant(
        name="any-value-approves",
        clause="MEM-090",
        module=APPROVAL,
        old="record.get(APPROVAL) is True",
        new="record.get(APPROVAL)",
    ),
    Mutant(
        name="approval-always-kept-in-the-home-folder",
        clause="MEM-090",
        module=APPROVAL,
        old="world.config_home if named_config_home(world.request) else world.request.home",
        new="world.request.home",
    ),
    Mutant(
        name="linked-file-is-judged-at-its-own-place",
        clause="MEM-093",
        module=LOADER,
        old="folder = parent(self.real_path(visit.path, is_link=document.is_link), flavour)",
        new="folder = parent(visit.path, flavour)",
    ),
    Mutant(
        name="approval-holds-on-demand",
        clause="MEM-147",
        module=LOADER,
        old="if self.moment is Moment.ON_DEMAND:",
        new="if False:",
    ),
)

MUTANTS = (*TARGETS, *EXTERNAL)
"""Every fault of this file."""
