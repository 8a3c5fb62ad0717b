"""Which files an include may name, by the ending of the name. Spec: MEM-087."""

from __future__ import annotations

TEXT_EXTENSIONS = frozenset(
    "md markdown txt text rst adoc org tex "  # noqa: SIM905 (a hundred quotes are harder to read)
    "py ts tsx js jsx mjs cjs rs go java c h cc cpp hpp cs rb php sh fish zsh bat ps1 vue svelte lua r kt swift scala "
    "yml yaml toml json xml html css csv sql ini cfg conf env log lock proto graphql "
    "diff patch properties gradle cmake".split()
)
"""Extensions that count as text, in lower case."""


def extension_of(name: str) -> str | None:
    """What stands behind the last dot, in lower case; None for a name without one, or with one only at its head."""
    dot = name.rfind(".")
    return name[dot + 1 :].lower() if dot > 0 else None


def is_text_name(name: str) -> bool:
    """May a file of this name be included? A name without an extension may. Spec: MEM-087."""
    extension = extension_of(name)
    return extension is None or extension in TEXT_EXTENSIONS
