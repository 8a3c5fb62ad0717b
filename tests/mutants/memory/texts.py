"""Faults of what is sent: the text, its comments, its size and cost; and of how paths are compared."""

from tests.mutants.mutant import Mutant

COMMENTS = "keel_ref.memory.comments"
LOADER = "keel_ref.memory.loader"
MARKDOWN = "keel_ref.memory.markdown"
PATHS = "keel_ref.paths"
READER = "keel_ref.memory.reader"

TEXTS = (
    Mutant(
        name="tokens-rounded-down",
        clause="MEM-001",
        module="keel_ref.tokens.rough",
        old="div_half_up(size, ratio)",
        new="size // ratio",
    ),
    Mutant(
        name="tokens-by-code-points",
        clause="MEM-001",
        module="keel_ref.tokens.rough",
        old="size = size_utf16(text) if",
        new="size = len(text) if",
    ),
    Mutant(
        name="start-up-texts-are-not-trimmed",
        clause="MEM-100",
        module=READER,
        old="return trim_white_space(self.text)",
        new="return self.text",
    ),
    Mutant(
        name="comments-before-frontmatter",
        clause="MEM-100",
        module=READER,
        old="split = split_frontmatter(text)",
        new="split = split_frontmatter(strip_comments(text))",
    ),
    Mutant(
        name="byte-order-mark-hides-nothing",
        clause="MEM-101",
        module=READER,
        old="if world.choices.bom is Bom.IGNORED:",
        new="if True:",
    ),
    Mutant(
        name="byte-order-mark-always-hides",
        clause="MEM-101",
        module=READER,
        old="if world.choices.bom is Bom.IGNORED:",
        new="if False:",
    ),
    Mutant(
        name="bad-bytes-dropped",
        clause="MEM-106",
        module=READER,
        old='decode("utf-8", "replace")',
        new='decode("utf-8", "ignore")',
    ),
    Mutant(
        name="bytes-read-as-latin-1",
        clause="MEM-106",
        module=READER,
        old='decode("utf-8", "replace")',
        new='decode("latin-1")',
    ),
    Mutant(
        name="blank-texts-are-sent",
        clause="MEM-107",
        module=READER,
        old='"" if is_blank(body) else body',
        new="body",
    ),
    Mutant(
        name="text-cut-at-40000",
        clause="MEM-104",
        module=READER,
        old="return trim_white_space(self.text)",
        new="return trim_white_space(self.text)[:40_000]",
    ),
    Mutant(
        name="warning-at-40000",
        clause="MEM-104",
        module=LOADER,
        old="and size > limit:",
        new="and size >= limit:",
    ),
    Mutant(
        name="warning-by-bytes",
        clause="MEM-104",
        module=LOADER,
        old="size_utf16(record.text)",
        new='len(record.text.encode("utf-8", "surrogatepass"))',
    ),
    Mutant(
        name="warning-by-code-points",
        clause="MEM-104",
        module=LOADER,
        old="size_utf16(record.text)",
        new="len(record.text)",
    ),
    Mutant(
        name="white-space-makes-no-difference",
        clause="MEM-108",
        module="keel_ref.memory.values",
        old="return self.text != self.raw",
        new="return self.text != self.raw.strip()",
    ),
    Mutant(
        name="drive-letters-in-their-case",
        clause="MEM-112",
        module=PATHS,
        old="return path[0].lower() + path[1:]",
        new="return path",
    ),
    Mutant(
        name="windows-paths-in-any-case",
        clause="MEM-112",
        module=PATHS,
        old="return path[0].lower() + path[1:]",
        new="return path.lower()",
    ),
    Mutant(
        name="names-in-composed-form",
        clause="MEM-112",
        module=PATHS,
        old='if flavour is Flavour.WINDOWS and len(path) > 1 and path[1] == ":":',
        new='path = __import__("unicodedata").normalize("NFC", path)\n'
        '    if flavour is Flavour.WINDOWS and len(path) > 1 and path[1] == ":":',
    ),
)

REMOVAL = (
    Mutant(
        name="inline-comments-go",
        clause="MEM-103",
        module=COMMENTS,
        old="stripped = _strip_once(plain)",
        new='stripped = COMMENT.sub("", plain)',
    ),
    Mutant(
        name="comments-in-code-go",
        clause="MEM-103",
        module=COMMENTS,
        old="stripped = _strip_once(plain)",
        new='stripped = re.sub(r"(?ms)^ {0,3}<!--.*?-->\\n*", "", _strip_once(plain))',
    ),
    Mutant(
        name="comments-in-list-items-go",
        clause="MEM-103",
        module=MARKDOWN,
        old='if token.type == "html_block" and token.level == 0 and',
        new='if token.type == "html_block" and',
    ),
    Mutant(
        name="comments-in-other-html-go",
        clause="MEM-103",
        module=COMMENTS,
        old="if not OPENING.match(block):",
        new='if "<!--" not in block:',
    ),
    Mutant(
        name="unclosed-comment-goes",
        clause="MEM-103",
        module=COMMENTS,
        old="<!--.*?-->",
        new="<!--.*?(?:-->|\\Z)",
    ),
    Mutant(
        name="one-pass",
        clause="MEM-103",
        module=COMMENTS,
        old="MAX_PASSES = 100",
        new="MAX_PASSES = 1",
    ),
    Mutant(
        name="up-to-the-last-end",
        clause="MEM-102",
        module=COMMENTS,
        old="<!--.*?-->",
        new="<!--.*-->",
    ),
    Mutant(
        name="exclamation-mark-before-the-end",
        clause="MEM-102",
        module=COMMENTS,
        old="<!--.*?-->",
        new="<!--.*?--!?>",
    ),
    Mutant(
        name="line-ends-behind-a-comment-stay",
        clause="MEM-102",
        module=COMMENTS,
        old='while end < len(text) and text[end] == "\\n":',
        new="while False:",
    ),
    Mutant(
        name="all-white-space-behind-a-comment-goes",
        clause="MEM-102",
        module=COMMENTS,
        old='while end < len(text) and text[end] == "\\n":',
        new="while end < len(text) and text[end].isspace():",
    ),
    Mutant(
        name="indented-comments-stay",
        clause="MEM-102",
        module=COMMENTS,
        old=' {0,3}<!--"',
        new='<!--"',
    ),
    Mutant(
        name="cr-lf-stays-when-a-comment-goes",
        clause="MEM-105",
        module=COMMENTS,
        old='plain = LINE_END.sub("\\n", text)',
        new="plain = text",
    ),
    Mutant(
        name="cr-lf-always-becomes-lf",
        clause="MEM-105",
        module=COMMENTS,
        old='if "<!--" not in text:\n        return text',
        new='if "<!--" not in text:\n        return LINE_END.sub("\\n", text)',
    ),
    Mutant(
        name="cr-alone-stays-when-a-comment-goes",
        clause="MEM-105",
        module=COMMENTS,
        old='r"\\r\\n?"',
        new='r"\\r\\n"',
    ),
)

MUTANTS = (*TEXTS, *REMOVAL)
"""Every fault of this file."""
