"""Faults of what attaches on demand."""

from tests.mutants.mutant import Mutant

CONSTANTS = "keel_ref.constants"
LOADER = "keel_ref.memory.loader"
TOUCH = "keel_ref.memory.touch"

MUTANTS = (
    Mutant(
        name="rules-before-local-below-cwd",
        clause="MEM-141",
        module=TOUCH,
        old="self.loader.take(local_file(",
        new="self.loader.take(project_rules(self.world, folder))\n        self.loader.take(local_file(",
    ),
    Mutant(
        name="rules-of-the-chain-before-nested-files",
        clause="MEM-141",
        module=TOUCH,
        old="for folder in self._folders_below():",
        new="for folder in chain_folders(self.world):\n"
        "            self._attach_matching(project_rules(self.world, folder, suppressed(self.world, folder)))\n"
        "        for folder in self._folders_below():",
    ),
    Mutant(
        name="rules-of-the-user-before-managed-ones",
        clause="MEM-141",
        module=TOUCH,
        old="(managed_rules(self.world), user_rules(self.world))",
        new="(user_rules(self.world), managed_rules(self.world))",
    ),
    Mutant(
        name="inner-nested-folders-first",
        clause="MEM-141",
        module=TOUCH,
        old="return tuple(f for f in folders if",
        new="return tuple(f for f in reversed(folders) if",
    ),
    Mutant(
        name="folder-of-the-target-alone",
        clause="MEM-141",
        module=TOUCH,
        old="ancestors(parent(self.target, flavour), flavour)",
        new="ancestors(parent(self.target, flavour), flavour)[-1:]",
    ),
    Mutant(
        name="conditional-rules-before-unconditional-ones",
        clause="MEM-035",
        module=TOUCH,
        old="self.loader.take(rules)",
        new="self._attach_matching(rules)\n        self.loader.take(rules)",
    ),
    Mutant(
        name="matched-rule-brings-its-includes",
        clause="MEM-034",
        module=TOUCH,
        old="self.loader.mark(visit.path, document)\n",
        new="self.loader.mark(visit.path, document)\n        self.loader._visit_includes(visit, document)\n",
    ),
    Mutant(
        name="suppressed-rules-attach",
        clause="MEM-009",
        module=TOUCH,
        old="project_rules(self.world, folder, suppressed(self.world, folder))",
        new="project_rules(self.world, folder)",
    ),
    Mutant(
        name="nested-texts-are-trimmed",
        clause="MEM-144",
        module=LOADER,
        old="return document.text if self.moment is Moment.ON_DEMAND else document.trimmed",
        new="return document.trimmed",
    ),
    Mutant(
        name="matched-rules-are-trimmed",
        clause="MEM-144",
        module=TOUCH,
        old="text=document.text,",
        new="text=document.trimmed,",
    ),
    Mutant(
        name="attached-at-each-touch",
        clause="MEM-143",
        module=TOUCH,
        old="marks=self._marks)",
        new="marks=set(self._marks))",
    ),
    Mutant(
        name="start-up-files-attach-again",
        clause="MEM-143",
        module=TOUCH,
        old="self.start, self._marks = load_world(self.world)",
        new="self.start, self._marks = load_world(self.world)[0], set()",
    ),
    Mutant(
        name="unmatched-rule-counts-as-attached",
        clause="MEM-143",
        module=TOUCH,
        old="        if document is None or not document.rule.patterns or not matches_rule(",
        new="        if document and document.rule.patterns:\n"
        "            self.loader.mark(visit.path, document)\n"
        "        if document is None or not document.rule.patterns or not matches_rule(",
    ),
    Mutant(
        name="touch-outside-cwd-attaches",
        clause="MEM-140",
        module=TOUCH,
        old="if not self._is_deaf() and is_inside(target, self.world.cwd, self.world.tree.flavour):",
        new="if not self._is_deaf():",
    ),
    Mutant(
        name="missing-target-attaches-nothing",
        clause="MEM-140",
        module=TOUCH,
        old="if not self._is_deaf() and",
        new="if not self._is_deaf() and isinstance(self.world.tree.kind_of(target), str) and",
    ),
    Mutant(
        name="bare-mode-attaches",
        clause="MEM-148",
        module=TOUCH,
        old="return self.world.request.bare or disabled(",
        new="return disabled(",
    ),
    Mutant(
        name="switch-for-everything-ignored-on-demand",
        clause="MEM-014",
        module=TOUCH,
        old="return self.world.request.bare or disabled(self.world) is not None",
        new="return self.world.request.bare",
    ),
    Mutant(
        name="sources-switch-nested-rules",
        clause="MEM-142",
        module=TOUCH,
        old="rules = project_rules(self.world, folder)",
        new="rules = project_rules(self.world, folder, project)",
    ),
    Mutant(
        name="sources-ignored-on-demand",
        clause="MEM-142",
        module=TOUCH,
        old="return None if source in self.world.request.sources else Reason.SOURCE_OFF",
        new="return None",
    ),
    Mutant(
        name="nested-files-cut-whatever-was-chosen",
        clause="MEM-145",
        module=TOUCH,
        old="if world.choices.nested_cut is Switch.OFF:",
        new="if False:",
    ),
    Mutant(
        name="nested-files-of-201-lines",
        clause="MEM-145",
        module=CONSTANTS,
        old="nested_cap_lines: int = field(default=200",
        new="nested_cap_lines: int = field(default=201",
    ),
    Mutant(
        name="nested-files-cut-by-utf-16-units",
        clause="MEM-145",
        module=TOUCH,
        old="cut_exactly(kept, Unit.UTF8,",
        new="cut_exactly(kept, Unit.UTF16,",
    ),
)
"""Every fault of this file."""
