"""Faults of the block between dashes: where it ends, what counts in it, how it is repaired."""

from tests.mutants.mutant import Mutant

FRONTMATTER = "keel_ref.memory.frontmatter"
LOADER = "keel_ref.memory.loader"
READER = "keel_ref.memory.reader"
YAML = "keel_ref.memory.yaml_block"

MUTANTS = (
    Mutant(
        name="dots-close-the-block",
        clause="MEM-040",
        module=FRONTMATTER,
        old='r"^---[ \\t]*\\r?$"',
        new='r"^(?:---|\\.\\.\\.)[ \\t]*\\r?$"',
    ),
    Mutant(
        name="block-behind-a-blank-line",
        clause="MEM-040",
        module=FRONTMATTER,
        old='r"---[ \\t]*\\r?\\n"',
        new='r"\\s*---[ \\t]*\\r?\\n"',
    ),
    Mutant(
        name="unclosed-block-hides-the-file",
        clause="MEM-040",
        module=FRONTMATTER,
        old="return Split(block=None, body=text)  # [MEM-040] an unclosed",
        new='return Split(block=text, body="")  # [MEM-040] an unclosed',
    ),
    Mutant(
        name="last-line-of-dashes-closes",
        clause="MEM-040",
        module=FRONTMATTER,
        old="closing = CLOSING.search(text, opening.end())",
        new="closing = max(CLOSING.finditer(text, opening.end()), key=lambda m: m.start(), default=None)",
    ),
    Mutant(
        name="white-space-behind-the-block-stays",
        clause="MEM-040",
        module=FRONTMATTER,
        old=".lstrip(JS_WHITE_SPACE)",
        new='.removeprefix("\\n")',
    ),
    Mutant(
        name="block-stays-in-files-that-are-no-rules",
        clause="MEM-040",
        module=READER,
        old="strip_comments(split.body)",
        new="strip_comments(split.body if is_rule else text)",
    ),
    Mutant(
        name="key-globs-counts",
        clause="MEM-041",
        module=FRONTMATTER,
        old='value.entries.get("paths", BlockValue.null())',
        new='value.entries.get("paths", value.entries.get("globs", BlockValue.null()))',
    ),
    Mutant(
        name="key-in-any-case",
        clause="MEM-041",
        module=FRONTMATTER,
        old='value.entries.get("paths",',
        new='{name.lower(): entry for name, entry in value.entries.items()}.get("paths",',
    ),
    Mutant(
        name="booleans-of-yaml-1.1",
        clause="MEM-043",
        module=YAML,
        old="true|True|TRUE|",
        new="true|True|TRUE|yes|on|no|off|",
    ),
    Mutant(
        name="duplicate-keys-accepted",
        clause="MEM-043",
        module=YAML,
        old="if value.text is not None and value.text in into.keys:",
        new="if False:",
    ),
    Mutant(
        name="nothing-but-a-tag-is-an-error",
        clause="MEM-043",
        module=YAML,
        old='if event.value == "" and is_plain:',
        new="if False:",
    ),
    Mutant(
        name="tab-behind-the-colon-is-an-error",
        clause="MEM-043",
        module=YAML,
        old="parser.parse(text)",
        new="parser.parse(block)",
    ),
    Mutant(
        name="no-repair",
        clause="MEM-044",
        module=FRONTMATTER,
        old='return "\\n".join(_repair_line(',
        new='return block or "\\n".join(_repair_line(',
    ),
    Mutant(
        name="list-items-are-repaired",
        clause="MEM-044",
        module=FRONTMATTER,
        old="return line  # [MEM-044]",
        new="""return re.sub(r"^(\\s*- )([^\\"'].*)$", r'\\1"\\2"', line)  # [MEM-044]""",
    ),
    Mutant(
        name="quoted-values-are-repaired",
        clause="MEM-044",
        module=FRONTMATTER,
        old="if is_quoted or not",
        new="if not",
    ),
    Mutant(
        name="repair-leaves-quotes-inside",
        clause="MEM-044",
        module=FRONTMATTER,
        old=""".replace('"', '\\\\"')""",
        new="",
    ),
    Mutant(
        name="rule-with-a-broken-block-is-lost",
        clause="MEM-045",
        module=READER,
        old="failure = value.why",
        new='rule, failure = RulePatterns(patterns=("?",)), value.why',
    ),
    Mutant(
        name="no-warning-about-a-broken-block",
        clause="MEM-045",
        module=LOADER,
        old="if document.failure is not None:",
        new="if False:",
    ),
    Mutant(
        name="nodes-without-bound",
        clause="MEM-046",
        module=YAML,
        old="if self.nodes > self.constants.yaml_cap_nodes:",
        new="if False:",
    ),
)
"""Every fault of this file."""
