"""Faults of path rules: from the value to the patterns, and what a pattern matches."""

from tests.mutants.mutant import Mutant

CANDIDATES = "keel_ref.memory.candidates"
PATH_RULES = "keel_ref.memory.path_rules"
PATTERNS = "keel_ref.memory.patterns"
WILDCARDS = "keel_ref.memory.wildcards"
YAML = "keel_ref.memory.yaml_block"

PIECES = (
    Mutant(
        name="numbers-and-booleans-are-patterns",
        clause="MEM-047",
        module=YAML,
        old="is_text = not is_plain or NOT_A_TEXT.fullmatch(event.value) is None",
        new='is_text = not is_plain or event.value != ""',
    ),
    Mutant(
        name="two-stars-are-conditional",
        clause="MEM-047",
        module=PATTERNS,
        old='if all(p == "**" for p in kept):',
        new="if not kept:",
    ),
    Mutant(
        name="two-stars-beside-others-unconditional",
        clause="MEM-047",
        module=PATTERNS,
        old='if all(p == "**" for p in kept):',
        new='if not kept or "**" in kept:',
    ),
    Mutant(
        name="commas-in-braces-part",
        clause="MEM-048",
        module=PATTERNS,
        old='elif char == "," and depth == 0:\n            pieces.append',
        new='elif char == ",":\n            pieces.append',
    ),
    Mutant(
        name="pieces-are-not-trimmed",
        clause="MEM-048",
        module=PATTERNS,
        old="(trimmed := trim_white_space(piece))",
        new="(trimmed := piece)",
    ),
    Mutant(
        name="slash-and-stars-at-the-end-stay",
        clause="MEM-049",
        module=PATTERNS,
        old='p.removesuffix("/**")',
        new="p",
    ),
    Mutant(
        name="nested-braces-whatever-was-chosen",
        clause="MEM-055",
        module=PATTERNS,
        old="expand_braces(piece, nesting,",
        new="expand_braces(piece, BraceNesting.NESTED,",
    ),
    Mutant(
        name="braces-are-literal",
        clause="MEM-055",
        module=PATTERNS,
        old="group = _first_group(head, searched, nesting)",
        new="group = None",
    ),
    Mutant(
        name="empty-alternatives-dropped",
        clause="MEM-056",
        module=PATTERNS,
        old='tuple(inner.split(","))',
        new='tuple(filter(None, inner.split(",")))',
    ),
    Mutant(
        name="escaped-braces-open-a-group",
        clause="MEM-056",
        module=PATTERNS,
        old='r"\\\\.|[{}]"',
        new='r"[{}]"',
    ),
    Mutant(
        name="a-thousand-patterns-are-too-many",
        clause="MEM-056",
        module=PATTERNS,
        old="if len(done) + len(todo) > cap or",
        new="if len(done) + len(todo) >= cap or",
    ),
)

MATCHING = (
    Mutant(
        name="letters-in-their-case",
        clause="MEM-050",
        module=PATH_RULES,
        old="parse_segment(text, ignores_case=True)",
        new="parse_segment(text, ignores_case=False)",
    ),
    Mutant(
        name="matched-folder-counts-for-nothing",
        clause="MEM-051",
        module=PATH_RULES,
        old="for end in range(1, len(names) + 1):",
        new="for end in (len(names),):",
    ),
    Mutant(
        name="slash-at-the-end-matches-files",
        clause="MEM-051",
        module=PATH_RULES,
        old="if line.folders_only and not is_folder:",
        new="if False:",
    ),
    Mutant(
        name="bare-names-are-anchored",
        clause="MEM-052",
        module=PATH_RULES,
        old="[] if is_anchored else [Globstar()]",
        new="[]",
    ),
    Mutant(
        name="slash-inside-does-not-anchor",
        clause="MEM-052",
        module=PATH_RULES,
        old='is_anchored = "/" in body',
        new='is_anchored = body.startswith("/")',
    ),
    Mutant(
        name="stars-pass-over-hidden-names",
        clause="MEM-052",
        module=WILDCARDS,
        old="return _match(self.tokens, folded, _token_matches, _is_star)",
        new='is_hidden = text.startswith(".") and bool(self.tokens) and _is_star(self.tokens[0])\n'
        "        return not is_hidden and _match(self.tokens, folded, _token_matches, _is_star)",
    ),
    Mutant(
        name="first-match-wins",
        clause="MEM-053",
        module=PATH_RULES,
        old="for line in reversed(lines):",
        new="for line in lines:",
    ),
    Mutant(
        name="file-below-a-matched-folder-brought-back",
        clause="MEM-053",
        module=PATH_RULES,
        old="return True  # [MEM-051]",
        new="return not any(x.is_negative and match_parts(x.parts, names, meter) for x in lines)  # [MEM-051]",
    ),
    Mutant(
        name="exclamation-mark-negates-a-class",
        clause="MEM-054",
        module=WILDCARDS,
        old='is_negated = pattern.startswith("^", i)',
        new='is_negated = pattern.startswith(("^", "!"), i)',
    ),
    Mutant(
        name="hash-is-a-character",
        clause="MEM-054",
        module=PATH_RULES,
        old='if pattern.startswith("#") or',
        new="if",
    ),
    Mutant(
        name="backslash-is-a-character",
        clause="MEM-054",
        module=WILDCARDS,
        old='if char == "\\\\" and i < len(pattern):',
        new="if False:",
    ),
    Mutant(
        name="rules-of-the-user-from-the-config-home",
        clause="MEM-057",
        module=CANDIDATES,
        old="Layer.USER, held_back, base=world.cwd",
        new="Layer.USER, held_back, base=world.config_home",
    ),
    Mutant(
        name="rules-of-a-folder-from-cwd",
        clause="MEM-057",
        module=CANDIDATES,
        old='return _rules(world, folder, (".claude", "rules"), Layer.PROJECT, held_back, base=folder)',
        new='return _rules(world, folder, (".claude", "rules"), Layer.PROJECT, held_back, base=world.cwd)',
    ),
    Mutant(
        name="names-that-begin-with-two-dots",
        clause="MEM-058",
        module="keel_ref.memory.touch",
        old='or below is None or below.startswith("..")',
        new="or below is None",
    ),
)

MUTANTS = (*PIECES, *MATCHING)
"""Every fault of this file."""
