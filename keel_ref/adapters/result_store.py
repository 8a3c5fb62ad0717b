"""Where large results are kept: files below the folder of a session. Spec: CMP-026 to CMP-028."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from attrs import frozen

from keel_ref.compaction.events import ResultsSaved
from keel_ref.compaction.result_select import Save

CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
"""Nothing that is there is ever opened for writing, a link among it."""


@frozen(kw_only=True)
class Saved:
    """What came of saving."""

    event: ResultsSaved
    """As the turn machine takes it."""
    problems: tuple[str, ...] = ()
    """What failed, and why, a line each."""


def save_results(saves: Iterable[Save]) -> Saved:
    """Write each result to its own new file; a regular file that is there already counts as written. Spec: CMP-028.

    Where writing fails in the middle, what was written is removed, so that no part is taken for the whole later.
    """
    outcomes: dict[str, bool | str] = {}
    problems: list[str] = []
    for save in saves:
        try:
            _write(save.path, save.file_text.encode("utf-8", "surrogatepass"))
        except FileExistsError:
            outcomes[save.id] = _is_regular(save.path)
            if not outcomes[save.id]:
                problems.append(f"{save.path}: something that is no file is in its place; the result stays whole")
        except (OSError, ValueError) as error:
            outcomes[save.id] = False
            said = getattr(error, "strerror", None) or error
            problems.append(f"{save.path}: cannot be written ({said}); the result stays whole")
        else:
            outcomes[save.id] = True
    return Saved(event=ResultsSaved(outcomes=outcomes), problems=tuple(problems))


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    handle = os.open(path, CREATE, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
