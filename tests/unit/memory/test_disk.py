"""The file tree of a real disk."""

import os
import socket
from pathlib import Path

import pytest

from keel_ref.adapters.disk import DiskTree
from keel_ref.conformance.marks import clause
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.trace import Reason

TREE = DiskTree()
NOT_FOUND, LOOP = Refusal(Reason.NOT_FOUND), Refusal(Reason.LINK_LOOP)


def listed(folder: Path) -> tuple[Entry, ...]:
    """What a folder holds."""
    found = TREE.list_folder(str(folder))
    assert isinstance(found, tuple)
    return found


def reason(found: object) -> Reason | None:
    """Why the tree did not answer; None where it did."""
    return found.reason if isinstance(found, Refusal) else None


@clause("MEM-019", "MEM-024")
@pytest.mark.parametrize(("is_read", "size"), [(True, 4), (True, 5), (False, 6)])
def test_a_file_is_read_up_to_the_cap(tmp_path: Path, is_read: bool, size: int) -> None:
    """At the cap it is read whole; above it nothing of it is read."""
    path = tmp_path / "f"
    path.write_bytes(b"x" * size)

    assert (
        FileContent(b"x" * size, is_link=False) if is_read else Refusal(Reason.TOO_LARGE, "6 bytes")
    ) == TREE.read_file(str(path), 5)


@clause("MEM-019", "MEM-032")
def test_links_are_followed_and_told_of(tmp_path: Path) -> None:
    """A link to a file is its content, one to nothing is missing, one to itself is endless."""
    (tmp_path / "f").write_bytes(b"x")
    for name, target in (("l", "f"), ("gone", "nowhere"), ("self", "self"), ("folder", ".")):
        (tmp_path / name).symlink_to(target)

    assert FileContent(b"x", is_link=True) == TREE.read_file(str(tmp_path / "l"), 9)
    assert FileContent(b"x", is_link=False) == TREE.read_file(str(tmp_path / "folder/f"), 9)
    assert NOT_FOUND == TREE.read_file(str(tmp_path / "gone"), 9)
    assert LOOP == TREE.read_file(str(tmp_path / "self"), 9)
    assert str(tmp_path.resolve() / "f") == TREE.real_path(str(tmp_path / "folder/folder/l"))
    assert (LOOP, NOT_FOUND) == (TREE.real_path(str(tmp_path / "self")), TREE.real_path(str(tmp_path / "gone")))
    assert EntryKind.FOLDER is TREE.kind_of(str(tmp_path / "folder"))


@clause("MEM-019")
def test_only_regular_files_are_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A FIFO, a socket, a device and a folder are refused without being opened, so nothing can hang."""
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # the address of a socket is short
        server.bind("socket")
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda path, *_: opened.append(path))
    found = [TREE.read_file(str(tmp_path / name), 9) for name in ("fifo", "socket", ".")]

    assert [Refusal(Reason.NOT_REGULAR, what) for what in ("fifo", "socket", "folder")] == found
    assert Refusal(Reason.NOT_REGULAR, "device") == TREE.read_file("/dev/null", 9)
    assert [] == opened
    assert {Entry("fifo", EntryKind.OTHER), Entry("socket", EntryKind.OTHER)} == set(listed(tmp_path))


@clause("MEM-019")
def test_a_file_that_becomes_a_fifo_on_the_way_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was looked at as a file and is opened as something else is neither waited for nor read."""
    (tmp_path / "f").write_bytes(b"x")
    os.mkfifo(tmp_path / "fifo")
    really_open = os.open
    monkeypatch.setattr(os, "open", lambda _, flags: really_open(tmp_path / "fifo", flags))

    assert Reason.NOT_REGULAR is reason(TREE.read_file(str(tmp_path / "f"), 9))


@clause("MEM-022")
def test_a_file_that_vanishes_on_the_way_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and opening."""
    (tmp_path / "f").write_bytes(b"x")

    def vanish(path: bytes, flags: int) -> int:
        raise FileNotFoundError(2, f"No such file {path!r} {flags}")

    monkeypatch.setattr(os, "open", vanish)

    assert NOT_FOUND == TREE.read_file(str(tmp_path / "f"), 9)


@clause("MEM-022")
def test_what_the_system_refuses_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the system's own words, and no call raises."""
    (tmp_path / "f").write_bytes(b"x")

    def deny(*_: object) -> int:
        raise PermissionError(13, "no")

    monkeypatch.setattr(os, "open", deny)
    monkeypatch.setattr(os, "scandir", deny)
    monkeypatch.setattr(os, "stat", deny)
    refused = Refusal(Reason.UNREADABLE, "Permission denied")

    path = str(tmp_path / "f")

    assert [refused] * 4 == [TREE.read_file(path, 9), TREE.list_folder(path), TREE.kind_of(path), TREE.modified(path)]


@pytest.mark.parametrize(
    "path", ["/nowhere/f", "/dev/null/f", "/dev/null/../f\0", "/\ud800", "/" + "x" * 300, "/" + "x/" * 5_000]
)
def test_a_path_that_cannot_be_is_missing(path: str) -> None:
    """A missing folder, a file as a folder, NUL, a surrogate that is no byte, a name or path that is too long."""
    asked = (TREE.read_file(path, 9), TREE.real_path(path), TREE.kind_of(path), TREE.modified(path))

    assert {Reason.NOT_FOUND} == {reason(found) for found in (*asked, TREE.list_folder(path))}


@clause("MEM-112")
def test_names_are_taken_as_the_disk_gives_them(tmp_path: Path) -> None:
    """A name that is no UTF-8, and both forms of a composed letter, come back and are found again."""
    names = ["é.md", "e\u0301.md", "\udcff.md", "a\nb"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name.encode("utf-8", "surrogateescape"))).write_bytes(b"x")

    assert set(names) == {entry.name for entry in listed(tmp_path)}
    assert [EntryKind.FILE] * 4 == [TREE.kind_of(f"{tmp_path}/{name}") for name in names]


def test_a_folder_tells_the_kind_of_its_entries_links_not_followed(tmp_path: Path) -> None:
    """Whether they lead anywhere or not."""
    (tmp_path / "f").write_bytes(b"")
    (tmp_path / "d").mkdir()
    (tmp_path / "l").symlink_to("d")
    (tmp_path / "gone").symlink_to("nowhere")

    assert {
        ("f", EntryKind.FILE),
        ("d", EntryKind.FOLDER),
        ("l", EntryKind.LINK),
        ("gone", EntryKind.LINK),
    } == {(entry.name, entry.kind) for entry in listed(tmp_path)}


@pytest.mark.parametrize("count", [1, 39, 40, 41])
def test_a_long_chain_of_links_is_read_and_resolved_alike(tmp_path: Path, count: int) -> None:
    """As many links as the system follows; beyond that reading and resolving both say that there is no end."""
    (tmp_path / "0").write_bytes(b"x")
    for number in range(1, count + 1):
        (tmp_path / str(number)).symlink_to(str(number - 1))
    path = str(tmp_path / str(count))
    content, real, kind = TREE.read_file(path, 9), TREE.real_path(path), TREE.kind_of(path)

    assert ([Reason.LINK_LOOP] if count > 40 else [None]) * 3 == [reason(found) for found in (content, real, kind)]
