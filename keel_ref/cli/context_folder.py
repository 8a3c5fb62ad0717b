"""What a session that is started in a folder would begin with, as far as that is known. Spec: CTX-104, CTX-107."""

from __future__ import annotations

import os
import sys

from keel_ref.adapters.load_memory import load_memory
from keel_ref.cli.context_found import Asked, Found, Gap, List, SourceKind
from keel_ref.cli.memory import MANAGED_FOLDERS
from keel_ref.context.holdings import Holdings, MemoryShare

GAPS = (
    Gap(what="System prompt", why="only the client knows it", list=List.SYSTEM_PROMPT),
    Gap(what="Tools", why="only the client and its servers know their definitions", list=List.TOOLS),
    Gap(what="Custom agents", why="which ones a session finds is not modelled", list=List.AGENTS),
    Gap(what="Skills", why="which ones a session finds is not modelled", list=List.SKILLS),
    Gap(what="Git snapshot", why="it is part of the system prompt, and is not taken here"),
)


def look_at_folder(asked: Asked) -> Found:
    """The instruction files that load there. Raises `NotAFolderError` for a folder that cannot be reached."""
    home = asked.home if asked.home is not None else asked.env.get("HOME", "")
    load = load_memory(
        asked.source,
        home=home or None,
        managed_dir=MANAGED_FOLDERS.get(sys.platform),
        env=asked.env,
        choices=asked.choices,
    )
    files = [MemoryShare(path=file.path, type=str(file.layer), tokens=file.tokens) for file in load.files]
    left_out = len(load.skipped)
    told = f"{left_out:,} candidates do not load; `keel-ref memory {_quoted(asked.source)}` says why"
    return Found(
        kind=SourceKind.FOLDER,
        name=asked.source,
        holdings=Holdings(memory_files=tuple(files)),
        gaps=GAPS,
        notes=(told,) if left_out else (),
    )


def _quoted(name: str) -> str:
    """The name as a shell takes it; nothing for the folder where the command was typed."""
    import shlex

    return "" if os.path.normpath(name) == "." else shlex.quote(name)
