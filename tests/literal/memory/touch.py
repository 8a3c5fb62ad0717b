"""What a session attaches when it touches files."""

from tests.literal.memory.content import Moment
from tests.literal.memory.loader import Loader, Record
from tests.literal.memory.paths import Path
from tests.literal.memory.session import Session


def attach(session: Session, target: Path) -> list[Record]:
    """What the touch of one target attaches. Spec: MEM-140, MEM-141."""
    loader = Loader(session, Moment.ON_DEMAND)
    if session.is_disabled or session.request.bare:
        return []  # [MEM-148]
    if not target.is_inside(session.cwd):
        return []  # [MEM-140]
    if session.managed:
        loader.take_matching_rules(session.managed.below(".claude", "rules"), "managed", session.cwd, target)
    if session.config_home and "user" in session.request.sources:  # [MEM-142]
        loader.take_matching_rules(session.config_home.below("rules"), "user", session.cwd, target)
    for folder in target.parent.folders():
        if folder.is_inside(session.cwd) and folder.key != session.cwd.key:
            attach_folder(loader, folder, target)
    for folder in session.walk:
        if not session.is_suppressed(folder):  # [MEM-009]
            loader.take_matching_rules(folder.below(".claude", "rules"), "project", folder, target)
    return loader.records


def attach_folder(loader: Loader, folder: Path, target: Path) -> None:
    """What one folder below cwd gives. Spec: MEM-035, MEM-141, MEM-142."""
    sources = loader.session.request.sources
    project_off = None if "project" in sources else "source-off"
    local_off = None if "local" in sources else "source-off"
    rules = folder.below(".claude", "rules")
    loader.take_file(folder.below("CLAUDE.md"), "project", project_off)
    loader.take_file(folder.below(".claude", "CLAUDE.md"), "project", project_off)
    loader.take_file(folder.below("CLAUDE.local.md"), "local", local_off)  # before the rules [MEM-141]
    loader.take_rules(rules, "project", folder, None)
    loader.take_matching_rules(rules, "project", folder, target)
