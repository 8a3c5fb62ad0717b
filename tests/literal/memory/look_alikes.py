"""Files that look like memory and are none."""

from tests.literal.memory.paths import Path
from tests.literal.memory.session import Candidate, Session
from tests.literal.memory.tree import Kind, State


def report_look_alikes(session: Session) -> None:
    """Names in another case, and local files in a wrong place. Spec: MEM-005, MEM-018."""
    for folder in session.walk:
        report_name_case(session, folder, ["CLAUDE.md", "CLAUDE.local.md"])
        report_name_case(session, folder.below(".claude"), ["CLAUDE.md"])
        wrong = folder.below(".claude", "CLAUDE.local.md")
        if session.tree.look(wrong).state is not State.MISSING:
            session.report.skip(wrong, "wrong-place", "local")  # [MEM-005]
    settings: list[str] = [f"settings{part}.json" for part in wanted_settings(session)]
    report_name_case(session, session.cwd.below(".claude"), settings)
    if session.config_home:
        user_settings = ["settings.json"] if "user" in session.request.sources else []
        record = [".claude.json"] if session.is_config_moved else []
        report_name_case(session, session.config_home, ["CLAUDE.md", *user_settings, *record])
    if session.managed:
        report_name_case(session, session.managed, ["CLAUDE.md", "managed-settings.json"])


def wanted_settings(session: Session) -> list[str]:
    """What parts the names of the settings files of cwd that are read. Spec: MEM-020."""
    sources = session.request.sources
    return [part for source, part in (("project", ""), ("local", ".local")) if source in sources]


def report_name_case(session: Session, folder: Path, wanted: list[str]) -> None:
    """Entries of a folder whose name differs from a wanted one only in the case of ASCII letters. Spec: MEM-018."""
    if session.tree.folds_case:
        return
    found = session.tree.look(folder).node
    if found is None or found.kind is not Kind.FOLDER or found.is_denied:
        return
    folded = {fold_ascii(name) for name in wanted}
    for entry in session.tree.entries(found):
        if entry.name not in wanted and fold_ascii(entry.name) in folded:
            session.report.skip(folder.below(entry.name), "name-case")


def fold_ascii(name: str) -> str:
    """A name with its ASCII letters in lower case."""
    return "".join(character.lower() if character.isascii() else character for character in name)


def report_agents_files(session: Session) -> None:
    """An AGENTS.md beside the chain that does not load. Spec: MEM-017."""
    for folder in session.walk:
        path = folder.below("AGENTS.md")
        look = session.tree.look(path)
        candidate = Candidate(own=path, listed=path, layer="project")
        if look.state is not State.MISSING and session.find_loaded(candidate, look) is None:
            session.report.skip(path, "agents-file")
