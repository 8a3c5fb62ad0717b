"""What a session knows of its repository: a snapshot of the moment it began. Spec: CTX-001 to CTX-009."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices, Unit, is_truthy
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.index import cut_exactly
from keel_ref.ports import Git, GitAnswer, GitProblem, GitRefusal
from keel_ref.text import trim_white_space

REMOTE_VARIABLE: Final = "CLAUDE_CODE_REMOTE"
GIT_SETTING: Final = "includeGitInstructions"
CLEAN: Final = "(clean)"
DETACHED: Final = "HEAD"
MAIN: Final = "main"
REMARK: Final = (
    "This is the state of the repository as the session began. It is a snapshot, and nothing below will be brought up "
    "to date while the session goes on."
)
"""Our own words for the remark of CTX-001."""
STATUS_NOTICE: Final = "[the status is longer than what stands here; run `git status` in the shell to see the rest]"
"""Our own words for the notice of CTX-007."""


class Part(StrEnum):
    """The blocks of a snapshot, in their order. Spec: CTX-001."""

    REMARK = "remark"
    BRANCH = "branch"
    MAIN_BRANCH = "main_branch"
    USER = "user"
    STATUS = "status"
    COMMITS = "commits"


class Absence(StrEnum):
    """Why there is no snapshot, where git was not even asked. Spec: CTX-002."""

    REMOTE = "remote"
    SWITCHED_OFF = "switched-off"


@frozen(kw_only=True)
class NoSnapshot:
    """There is none, and this is why. Spec: CTX-002, CTX-003."""

    why: Absence | GitProblem
    detail: str = ""


@frozen(kw_only=True)
class GitSnapshot:
    """The repository at one moment. Spec: CTX-001."""

    branch: str
    """Spec: CTX-004."""
    main_branch: str
    """Spec: CTX-004."""
    user: str
    """Empty where there is none, and then not shown. Spec: CTX-005."""
    status: str
    """What is shown of it, without the notice. Spec: CTX-006, CTX-007."""
    is_cut: bool
    """Whether the status goes on. Spec: CTX-007."""
    commits: tuple[str, ...]
    """The newest first. Spec: CTX-008."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The blocks that are shown, in order. Spec: CTX-001, CTX-005."""
        return tuple(part for part in Part if part is not Part.USER or self.user)  # [CTX-001] [CTX-005]

    @property
    def text(self) -> str:
        """The blocks, parted by a blank line. Spec: CTX-001."""
        blocks = dict(self._blocks())
        return "\n\n".join(blocks[part] for part in self.parts)  # [CTX-001]

    def _blocks(self) -> Iterator[tuple[Part, str]]:
        notice = f"\n{STATUS_NOTICE}" if self.is_cut else ""
        yield Part.REMARK, REMARK
        yield Part.BRANCH, f"Current branch: {self.branch}"
        yield Part.MAIN_BRANCH, f"Main branch, which pull requests usually go to: {self.main_branch}"
        yield Part.USER, f"Git user: {self.user}"
        yield Part.STATUS, f"Status:\n{self.status}{notice}"
        yield Part.COMMITS, "\n".join(("Recent commits:", *self.commits))


def absence_of(env: Mapping[str, str], settings: Mapping[str, Any], choices: Choices) -> NoSnapshot | None:
    """Why git is not asked; None: it is. Spec: CTX-002."""
    if is_truthy(env.get(REMOTE_VARIABLE), choices.truthy):  # [CTX-002]
        return NoSnapshot(why=Absence.REMOTE)
    if settings.get(GIT_SETTING) is False:  # [CTX-002] false itself, and nothing else
        return NoSnapshot(why=Absence.SWITCHED_OFF)
    return None


def snapshot_of(answer: GitAnswer | GitRefusal, constants: Constants = DEFAULT) -> GitSnapshot | NoSnapshot:
    """The snapshot out of what git says. Spec: CTX-003 to CTX-008."""
    if isinstance(answer, GitRefusal):
        return NoSnapshot(why=answer.problem, detail=answer.detail)  # [CTX-003] no entry, not half of one
    status = trim_white_space(answer.status) or CLEAN  # [CTX-006]
    shown = cut_exactly(status, Unit.UTF16, constants.status_cap_units)  # [CTX-007]
    lines = [line for line in answer.commits.split("\n") if trim_white_space(line)]
    return GitSnapshot(
        branch=trim_white_space(answer.branch) or DETACHED,  # [CTX-004]
        main_branch=trim_white_space(answer.main_branch) or MAIN,  # [CTX-004]
        user=trim_white_space(answer.user),  # [CTX-005] blanks are no name
        status=shown,
        is_cut=shown != status,  # [CTX-007] strictly longer
        commits=tuple(lines[: constants.commits_cap_lines]),  # [CTX-008]
    )


def take_snapshot(
    git: Git,
    folder: str,
    *,
    env: Mapping[str, str],
    settings: Mapping[str, Any],
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> GitSnapshot | NoSnapshot:
    """Ask git, unless a switch says not to. Spec: CTX-001, CTX-002."""
    absence = absence_of(env, settings, choices or Choices())
    if absence is not None:
        return absence  # [CTX-002] no command runs
    return snapshot_of(git.look(folder), constants)
