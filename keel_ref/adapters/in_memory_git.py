"""Git without a disk: the answer of each folder is set by hand. Spec: CTX-009."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from keel_ref.ports import GitAnswer, GitProblem, GitRefusal


@define
class InMemoryGit:
    """Repositories that somebody described."""

    answers: Mapping[str, GitAnswer | GitRefusal] = field(factory=dict)
    """By folder; any other lies in no repository."""
    looks: list[str] = field(factory=list, init=False)
    """The folders that were asked about, in order."""

    def look(self, folder: str) -> GitAnswer | GitRefusal:
        """See `Git.look`. Spec: CTX-009."""
        self.looks.append(folder)
        return self.answers.get(folder, GitRefusal(GitProblem.NO_REPOSITORY))
