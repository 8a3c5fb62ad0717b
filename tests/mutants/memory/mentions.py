"""Faults of which words of a text are mentions, and of which files may be included by their name."""

from tests.mutants.mutant import Mutant

EXTENSIONS = "keel_ref.memory.extensions"
INCLUDES = "keel_ref.memory.includes"
MARKDOWN = "keel_ref.memory.markdown"

MENTIONS = (
    Mutant(
        name="mention-inside-a-word",
        clause="MEM-072",
        module=INCLUDES,
        old='rf"(?:^|(?<=[{WHITE}]))@',
        new='rf"@',
    ),
    Mutant(
        name="path-ends-at-python-white-space",
        clause="MEM-071",
        module=INCLUDES,
        old="(?:\\\\ |[^{WHITE}])+",
        new="(?:\\\\ |\\S)+",
    ),
    Mutant(
        name="trimmed-of-python-white-space",
        clause="MEM-071",
        module="keel_ref.memory.reader",
        old="return trim_white_space(self.text)",
        new="return self.text.strip()",
    ),
    Mutant(
        name="fragment-stays",
        clause="MEM-074",
        module=INCLUDES,
        old='match[1].split("#", 1)[0]',
        new="match[1]",
    ),
    Mutant(
        name="escaped-blank-ends-the-path",
        clause="MEM-074",
        module=INCLUDES,
        old="(?:\\\\ |[^{WHITE}])+",
        new="[^{WHITE}]+",
    ),
    Mutant(
        name="backslash-before-a-blank-stays",
        clause="MEM-074",
        module=INCLUDES,
        old='.replace("\\\\ ", " ")',
        new="",
    ),
    Mutant(
        name="any-letter-begins-a-path",
        clause="MEM-075",
        module=INCLUDES,
        old="[A-Za-z0-9._\\-/]|~/",
        new="[\\w.\\-/]|~/",
    ),
    Mutant(
        name="tilde-begins-a-path",
        clause="MEM-075",
        module=INCLUDES,
        old="[A-Za-z0-9._\\-/]|~/",
        new="[A-Za-z0-9._\\-/~]",
    ),
    Mutant(
        name="punctuation-behind-a-name-goes",
        clause="MEM-076",
        module=INCLUDES,
        old='.replace("\\\\ ", " ")',
        new='.replace("\\\\ ", " ").rstrip(".,:;!?")',
    ),
    Mutant(
        name="entities-are-decoded",
        clause="MEM-073",
        module=MARKDOWN,
        old="pieces.append(token.markup)",
        new="pieces.append(token.content)",
    ),
    Mutant(
        name="emphasis-ends-no-run",
        clause="MEM-073",
        module=MARKDOWN,
        old="elif pieces:\n",
        new="elif False:\n",
    ),
    Mutant(
        name="escaped-characters-are-text",
        clause="MEM-077",
        module=MARKDOWN,
        old='return token.info == "escape" and token.markup != token.content',
        new="return False",
    ),
    Mutant(
        name="soft-break-is-nothing",
        clause="MEM-078",
        module=MARKDOWN,
        old='pieces.append("\\n")',
        new='pieces.append("")',
    ),
    Mutant(
        name="headings-are-not-searched",
        clause="MEM-078",
        module=MARKDOWN,
        old='if token.type == "inline" and "@" in token.content]',
        new='if token.type == "inline" and "@" in token.content and token.level != 1 or token.type == "never"]',
    ),
    Mutant(
        name="code-spans-are-searched",
        clause="MEM-079",
        module=MARKDOWN,
        old='if token.type == "text":',
        new='if token.type in {"text", "code_inline"}:',
    ),
    Mutant(
        name="code-blocks-are-searched",
        clause="MEM-079",
        module=MARKDOWN,
        old='if token.type == "inline" and "@"',
        new='if token.type in {"inline", "fence", "code_block"} and "@"',
    ),
    Mutant(
        name="html-blocks-are-searched",
        clause="MEM-079",
        module=MARKDOWN,
        old='if token.type == "inline" and "@"',
        new='if token.type in {"inline", "html_block"} and "@"',
    ),
)

EXTENSION = (
    Mutant(
        name="extension-in-its-case",
        clause="MEM-087",
        module=EXTENSIONS,
        old="name[dot + 1 :].lower()",
        new="name[dot + 1 :]",
    ),
    Mutant(
        name="one-extension-missing",
        clause="MEM-087",
        module=EXTENSIONS,
        old=" lock ",
        new=" ",
    ),
    Mutant(
        name="one-extension-too-many",
        clause="MEM-087",
        module=EXTENSIONS,
        old="md markdown ",
        new="md pdf markdown ",
    ),
    Mutant(
        name="dot-at-the-head-begins-an-extension",
        clause="MEM-087",
        module=EXTENSIONS,
        old="if dot > 0 else None",
        new="if dot >= 0 else None",
    ),
    Mutant(
        name="first-dot-begins-the-extension",
        clause="MEM-087",
        module=EXTENSIONS,
        old='name.rfind(".")',
        new='name.find(".")',
    ),
    Mutant(
        name="any-extension-passes",
        clause="MEM-087",
        module=EXTENSIONS,
        old="return extension is None or extension in TEXT_EXTENSIONS",
        new="return True",
    ),
)

MUTANTS = (*MENTIONS, *EXTENSION)
"""Every fault of this file."""
