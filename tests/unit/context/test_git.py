"""Git as the command line gives it, on real repositories in every state, and its twin in memory."""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import evolve

from keel_ref.adapters.git_cli import GitCommandLine
from keel_ref.adapters.in_memory_git import InMemoryGit
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.context.git_snapshot import (
    Absence,
    GitSnapshot,
    NoSnapshot,
    Part,
    snapshot_of,
    take_snapshot,
)
from keel_ref.ports import Git, GitAnswer, GitProblem, GitRefusal

NO_SETTINGS: Mapping[str, str] = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
}
ENV = {**{name: text for name, text in os.environ.items() if not name.startswith("GIT_")}, **NO_SETTINGS}
GIT = GitCommandLine(env=ENV)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def run(folder: Path, *command: str) -> None:
    """One command of git in a folder."""
    subprocess.run(["git", *command], cwd=folder, env=ENV, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository without a commit."""
    folder = tmp_path / "r"
    folder.mkdir()
    run(folder, "init", "--quiet", "--initial-branch=topic")
    return folder


def commit(folder: Path, *words: str) -> None:
    """One commit for each word, all of them without files."""
    for word in words:
        run(folder, "commit", "--quiet", "--allow-empty", "--message", word)


def looked(folder: Path, git: Git = GIT) -> GitSnapshot:
    """The snapshot of a folder of which there must be one."""
    snapshot = snapshot_of(git.look(str(folder)))

    assert isinstance(snapshot, GitSnapshot), snapshot
    return snapshot


def refused(folder: Path, git: Git = GIT) -> GitProblem:
    """Why there is none."""
    answer = git.look(str(folder))

    assert isinstance(answer, GitRefusal), answer
    return answer.problem


@needs_git
@clause("CTX-001", "CTX-005", "CTX-006", "CTX-008")
def test_a_repository_without_a_commit_has_a_snapshot(repository: Path) -> None:
    """Its branch is the one that the first commit will be on; there are no commits and no user."""
    found = looked(repository)

    assert ("topic", "main", "", "(clean)", ()) == (
        *(found.branch, found.main_branch, found.user),
        *(found.status, found.commits),
    )


@needs_git
@clause("CTX-004", "CTX-005", "CTX-006", "CTX-008")
def test_a_repository_with_everything(repository: Path) -> None:
    """Six commits, a remote with a head, a user and a changed file."""
    commit(repository, *"abcdef")
    run(repository, "config", "user.name", "Ada L")
    run(repository, "update-ref", "refs/remotes/origin/trunk", "HEAD")
    run(repository, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    (repository / "new.py").touch()
    found = looked(repository)

    assert ("topic", "trunk", "Ada L", "?? new.py") == (found.branch, found.main_branch, found.user, found.status)
    assert ["f", "e", "d", "c", "b"] == [line.partition(" ")[2] for line in found.commits]


@needs_git
@clause("CTX-004")
def test_a_detached_head_is_called_so(repository: Path) -> None:
    """Git names no branch."""
    commit(repository, "a")
    run(repository, "checkout", "--quiet", "--detach")

    assert "HEAD" == looked(repository).branch


@needs_git
@clause("CTX-003")
def test_a_bare_repository_fails(tmp_path: Path) -> None:
    """There are no files to look at."""
    run(tmp_path, "init", "--quiet", "--bare")

    assert GitProblem.FAILED is refused(tmp_path)


@needs_git
@clause("CTX-002", "CTX-003")
@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("garbage\n", GitProblem.NO_REPOSITORY),
        ("", GitProblem.NO_REPOSITORY),
        ("ref: refs/heads/..\n", GitProblem.FAILED),
    ],
)
def test_a_broken_head_gives_no_snapshot(repository: Path, head: str, problem: GitProblem) -> None:
    """A folder whose head cannot be read is no repository to git; one whose head names nothing sensible fails."""
    (repository / ".git" / "HEAD").write_text(head)

    assert problem is refused(repository)


@needs_git
@clause("CTX-009")
def test_a_locked_index_is_in_nobodys_way(repository: Path) -> None:
    """Somebody else holds the lock: the status comes all the same, and the lock stays."""
    lock = repository / ".git" / "index.lock"
    lock.touch()
    (repository / "a").touch()

    assert "?? a" == looked(repository).status
    assert lock.exists()


@needs_git
@clause("CTX-009")
def test_a_look_changes_nothing(repository: Path) -> None:
    """Not even the index, whose times a status would freshen."""
    (repository / "a").write_text("a")
    run(repository, "add", "a")
    os.utime(repository / "a", (1, 1))
    before = (repository / ".git" / "index").read_bytes()
    looked(repository)

    assert before == (repository / ".git" / "index").read_bytes()


@needs_git
@clause("CTX-009")
def test_a_repository_names_no_program(repository: Path) -> None:
    """A monitor of files that the repository asks for is not run."""
    mark = repository / "ran"
    script = repository / "monitor"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    run(repository, "config", "core.fsmonitor", str(script))
    looked(repository)

    assert not mark.exists()


@needs_git
@clause("CTX-007")
def test_a_huge_status_is_cut(repository: Path) -> None:
    """Three thousand files that nobody tracks."""
    for number in range(3_000):
        (repository / f"file-{number:04}.txt").touch()
    found = looked(repository)

    assert 2_000 == len(found.status)
    assert found.is_cut
    assert found.status.startswith("?? file-0000.txt\n")


@needs_git
@clause("CTX-009")
def test_output_beyond_the_cap_is_not_read(repository: Path) -> None:
    """Git is stopped, and what was read counts."""
    for number in range(3_000):
        (repository / f"a-long-name-of-a-file-that-fills-the-output-{number:04}.txt").touch()
    git = evolve(GIT, constants=evolve(DEFAULT, git_cap_bytes=9_000))
    answer = git.look(str(repository))

    assert isinstance(answer, GitAnswer)
    assert 9_000 == len(answer.status)


@needs_git
@clause("CTX-009")
def test_a_name_that_is_no_text_is_told(repository: Path) -> None:
    """Git quotes the byte, or it is mended where the repository asks not to quote."""
    try:
        os.close(os.open(os.fsencode(repository) + b"/caf\xe9", os.O_CREAT))
    except OSError:
        pytest.skip("the disk takes no such name")

    assert '?? "caf\\351"' == looked(repository).status

    run(repository, "config", "core.quotePath", "false")

    assert "?? caf\N{REPLACEMENT CHARACTER}" == looked(repository).status


@needs_git
@clause("CTX-002")
def test_outside_a_repository_there_is_none(tmp_path: Path) -> None:
    """Neither in a folder without one nor where there is no folder."""
    git = evolve(GIT, env={**ENV, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})

    assert GitProblem.NO_REPOSITORY is refused(tmp_path, git)
    assert GitProblem.NO_REPOSITORY is refused(tmp_path / "none", git)


@clause("CTX-003")
def test_where_git_is_missing(tmp_path: Path) -> None:
    """Nobody installed it."""

    assert GitProblem.MISSING is refused(tmp_path, GitCommandLine(program=str(tmp_path / "git")))


@clause("CTX-003")
def test_a_program_that_cannot_be_run_fails(tmp_path: Path) -> None:
    """It is there and is no program."""
    program = tmp_path / "git"
    program.write_text("no program")

    assert GitProblem.FAILED is refused(tmp_path, GitCommandLine(program=str(program)))


@pytest.mark.parametrize(
    "words",
    ["exec sleep 60", "sleep 60 & sleep 60; echo never", "trap '' TERM; sleep 60", "setsid sleep 8 & sleep 60"],
    ids=["itself", "with-a-child", "deaf", "with-a-child-that-left"],
)
@clause("CTX-003")
def test_git_that_hangs_is_given_up(tmp_path: Path, words: str) -> None:
    """The limit is that of all commands together, and what they began is stopped with them."""
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\n{words}\n")
    program.chmod(0o755)
    git = GitCommandLine(program=str(program), constants=evolve(DEFAULT, git_wait_ms=150))
    began = time.monotonic()

    assert GitProblem.TIMED_OUT is refused(tmp_path, git)
    assert 5 > time.monotonic() - began


@clause("CTX-002", "CTX-009")
@pytest.mark.parametrize(
    ("env", "settings", "why"),
    [
        ({"CLAUDE_CODE_REMOTE": "1"}, {}, Absence.REMOTE),
        ({}, {"includeGitInstructions": False}, Absence.SWITCHED_OFF),
    ],
)
def test_a_switch_asks_nobody(env: dict[str, str], settings: dict[str, bool], why: Absence) -> None:
    """No command runs where the answer would not be told."""
    git = InMemoryGit({"/r": GitAnswer(branch="b")})

    assert NoSnapshot(why=why) == take_snapshot(git, "/r", env=env, settings=settings)
    assert [] == git.looks


@clause("CTX-001", "CTX-007")
def test_the_text_of_a_snapshot() -> None:
    """A blank line between blocks, the notice directly behind the status, at most 250 units of it."""
    found = snapshot_of(GitAnswer(branch="b", user="Ada", status="?" * 2_001, commits="1 a\n2 b"))

    assert isinstance(found, GitSnapshot)

    blocks = found.text.split("\n\n")

    assert list(Part) == list(found.parts)
    assert len(Part) == len(blocks)
    assert 1 <= len(blocks[4].partition("?" * 2_000)[2]) <= 250
    assert "Recent commits:\n1 a\n2 b" == blocks[5]
