"""Mentions: where a text names files with an at sign, and where these names lead."""

from tests.literal.memory.markdown.runs import find_runs
from tests.literal.memory.paths import Flavour, Path, join
from tests.literal.memory.space import is_white

FIRST_CHARACTERS = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._-/")
"""Characters that a mention may begin with. [MEM-075]"""

MARKUP = frozenset("*_[]`<>!\\&")
"""Characters with a meaning in Markdown. [MEM-092]"""

MAX_MARKUP = 200_000
"""Such characters in one text above which it is not searched. [MEM-092]"""

TEXT_EXTENSIONS = (
    "md markdown txt text rst adoc org tex py js jsx mjs cjs ts tsx vue svelte rs go java kt scala swift c h cc cpp "
    "hpp cs rb php lua r sh bat ps1 fish zsh yml yaml toml json xml html css csv sql ini cfg conf env properties "
    "gradle cmake log lock proto graphql diff patch"
)
"""Extensions of the files that may be included. [MEM-087]"""


def has_too_much_markup(text: str) -> bool:
    """Whether a text is left unsearched. Spec: MEM-092."""
    return sum(text.count(sign) for sign in MARKUP) > MAX_MARKUP


def find_mentions(text: str) -> list[str]:
    """The paths that a text mentions, in order. Spec: MEM-072, MEM-073, MEM-074, MEM-075."""
    if "@" not in text:
        return []
    raw_paths = [raw for run in find_runs(text) for raw in find_raw_paths(run)]
    return [path for path in map(clean, raw_paths) if has_form(path)]


def find_raw_paths(run: str) -> list[str]:
    """What stands behind each at sign of a text run that starts a mention. Spec: MEM-072, MEM-074."""
    found: list[str] = []
    index = 0
    while index < len(run):
        if run[index] != "@" or (index > 0 and not is_white(run[index - 1])):  # [MEM-072]
            index += 1
            continue
        start = index + 1
        index = start
        while index < len(run) and not is_white(run[index]):
            index += 2 if run[index : index + 2] == "\\ " else 1  # [MEM-074]
        found.append(run[start:index])
    return found


def clean(raw: str) -> str:
    """The path without its fragment, with blanks for escaped blanks. Spec: MEM-074."""
    return raw.split("#", 1)[0].replace("\\ ", " ")


def has_form(path: str) -> bool:
    """Whether what is left of a mention is one. Spec: MEM-075."""
    if path.startswith("~/"):
        return True
    return path[:1] in FIRST_CHARACTERS and path != "/"


def find_target(mentioned: str, folder: Path, home: Path | None, flavour: Flavour) -> Path | None:
    """The path that a mention leads to; nothing if the home folder is needed and unknown. Spec: MEM-070."""
    if not mentioned.startswith("~/"):
        return join(folder, mentioned, flavour)
    return None if home is None else join(home, "./" + mentioned.removeprefix("~/"), flavour)


def may_be_included(name: str) -> bool:
    """Whether the extension of a name is one of a text file. Spec: MEM-087."""
    dot = name.rfind(".")
    return dot <= 0 or name[dot + 1 :].lower() in TEXT_EXTENSIONS.split()
