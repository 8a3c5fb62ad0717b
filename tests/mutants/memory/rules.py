"""Faults of the search for rules, and of which of them wait."""

from tests.mutants.mutant import Mutant

LOADER = "keel_ref.memory.loader"
RULES = "keel_ref.memory.rules"

SEARCH = (
    Mutant(
        name="rules-in-the-order-of-the-disk",
        clause="MEM-025",
        module=RULES,
        old="in sorted(entries, key=lambda e: order_key(e.name), reverse=True)",
        new="in reversed(entries)",
    ),
    Mutant(
        name="folders-behind-files",
        clause="MEM-031",
        module=RULES,
        old="key=lambda e: order_key(e.name)",
        new="key=lambda e: (e.kind is EntryKind.FOLDER, order_key(e.name))",
    ),
    Mutant(
        name="order-of-utf-16",
        clause="MEM-031",
        module=RULES,
        old="key=lambda e: order_key(e.name)",
        new='key=lambda e: e.name.encode("utf-16-be", "surrogatepass")',
    ),
    Mutant(
        name="order-without-case",
        clause="MEM-031",
        module=RULES,
        old="key=lambda e: order_key(e.name)",
        new="key=lambda e: order_key(e.name.lower())",
    ),
    Mutant(
        name="folder-names-end-in-a-slash",
        clause="MEM-031",
        module=RULES,
        old="key=lambda e: order_key(e.name)",
        new='key=lambda e: order_key(e.name + "/" * (e.kind is EntryKind.FOLDER))',
    ),
    Mutant(
        name="upper-case-ending-accepted",
        clause="MEM-030",
        module=RULES,
        old="entry.name.endswith(RULE_ENDING)",
        new="entry.name.casefold().endswith(RULE_ENDING)",
    ),
    Mutant(
        name="hidden-rules-passed-over",
        clause="MEM-030",
        module=RULES,
        old="in sorted(entries,",
        new='in sorted((e for e in entries if not e.name.startswith(".")),',
    ),
    Mutant(
        name="sub-folders-passed-over",
        clause="MEM-030",
        module=RULES,
        old="if entry.kind is EntryKind.FOLDER or self._is_candidate(path, entry):",
        new="if entry.kind is not EntryKind.FOLDER and self._is_candidate(path, entry):",
    ),
    Mutant(
        name="linked-rules-under-the-name-of-the-link",
        clause="MEM-032",
        module=RULES,
        old="self._visit(real, kind)",
        new="self._visit(path, kind)",
    ),
    Mutant(
        name="rules-of-linked-folders-under-the-name-of-the-link",
        clause="MEM-032",
        module=RULES,
        old="self._open(real)",
        new="before = len(self.todo)\n"
        "            self._open(real)\n"
        "            self.todo[before:] = [(path + p[len(real) :], k) for p, k in self.todo[before:]]",
    ),
    Mutant(
        name="linked-folders-passed-over",
        clause="MEM-032",
        module=RULES,
        old="self._open(real)",
        new="pass",
    ),
    Mutant(
        name="one-rule-above-the-bound",
        clause="MEM-036",
        module=RULES,
        old="if len(self.paths) < self.cap:",
        new="if len(self.paths) <= self.cap:",
    ),
)

PASSES = (
    Mutant(
        name="conditional-rules-load-at-start",
        clause="MEM-033",
        module=LOADER,
        old="if visit.is_rule and document.rule.patterns:",
        new="if False:",
    ),
    Mutant(
        name="waiting-rule-counts-as-loaded",
        clause="MEM-033",
        module=LOADER,
        old="self._hold_back(visit, document.rule.patterns)",
        new="self._hold_back(visit, document.rule.patterns)\n            self.mark(visit.path, document)",
    ),
    Mutant(
        name="includes-of-a-waiting-rule-wait-too",
        clause="MEM-034",
        module=LOADER,
        old="self._visit_includes(visit, document)  # [MEM-034]",
        new="pass  # [MEM-034]",
    ),
    Mutant(
        name="paths-hold-back-direct-files",
        clause="MEM-042",
        module=LOADER,
        old="return self.base is not None",
        new="return self.base is not None or self.parent is None",
    ),
    Mutant(
        name="paths-hold-back-included-files",
        clause="MEM-042",
        module=LOADER,
        old="return self.base is not None",
        new="return self.base is not None or self.parent is not None",
    ),
)

MUTANTS = (*SEARCH, *PASSES)
"""Every fault of this file."""
