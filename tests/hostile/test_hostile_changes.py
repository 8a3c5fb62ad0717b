"""A disk that changes while it is looked at: what was listed is gone, or something else, when it is opened."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from keel_ref.adapters.disk import DiskTree
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.memory.values import MemoryLoad
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.trace import Reason
from tests.hostile.place import Place

pytestmark = pytest.mark.usefixtures("within_time")


class TrickyTree(DiskTree):
    """The disk, on which somebody does something at one moment, once."""

    def __init__(self, moment: str, trick: Callable[[], None]) -> None:
        """`moment` is the name of the call before whose end the trick is done; `list_folder` waits for the rules."""
        self.moment = moment
        self.tricks = [trick]

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """The listing as it was, and then something happens."""
        found = super().list_folder(path)
        self._at("list_folder", path.endswith("rules"))
        return found

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """The kind as it was, and then something happens."""
        found = super().kind_of(path)
        self._at("kind_of", path.endswith("rules"))
        return found

    def real_path(self, path: str) -> str | Refusal:
        """The real path as it was, and then something happens."""
        found = super().real_path(path)
        self._at("real_path", path.endswith("link.md"))
        return found

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """Something happens first."""
        self._at("read_file", path.endswith("r.md"))
        return super().read_file(path, cap_bytes)

    def _at(self, moment: str, is_there: bool) -> None:
        if is_there and moment == self.moment and self.tricks:
            self.tricks.pop()()


def replace(path: Path, make: Callable[[Path], object]) -> Callable[[], None]:
    """Take a file or a folder away and put something else in its place."""

    def act() -> None:
        if path.is_dir() and not path.is_symlink():
            path.rename(path.with_name("taken-away"))
        else:
            path.unlink()
        make(path)

    return act


def nothing(path: Path) -> None:
    """Leave the place empty."""


def loaded(place: Place, tree: DiskTree, max_file_bytes: int = DEFAULT.max_file_bytes) -> MemoryLoad:
    """What loads from the project, in this process."""
    constants = evolve(DEFAULT, max_file_bytes=max_file_bytes)
    return load_memory(tree, MemoryRequest(cwd=str(place.project)), constants=constants)


def fill(place: Place) -> Path:
    """A rule, and a file that has to load whatever comes of the rule."""
    place.write("CLAUDE.local.md", "still here")
    return place.write(".claude/rules/r.md", "rule")


@clause("MEM-022", "MEM-019")
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (nothing, Reason.UNREADABLE),
        (os.mkfifo, Reason.NOT_REGULAR),
        (Path.mkdir, Reason.NOT_REGULAR),
        (lambda path: path.symlink_to("/dev/zero"), Reason.NOT_REGULAR),
        (lambda path: path.symlink_to(path.name), Reason.LINK_LOOP),
        (lambda path: path.symlink_to("nowhere"), Reason.UNREADABLE),
    ],
)
@pytest.mark.parametrize("moment", ["list_folder", "read_file"])
def test_a_rule_that_is_exchanged_behind_its_listing(
    place: Place, moment: str, make: Callable[[Path], object], reason: Reason
) -> None:
    """Gone, a pipe, a folder, a link to a device or to itself: it is left out with a reason, the rest loads."""
    rule = fill(place)
    load = loaded(place, TrickyTree(moment, replace(rule, make)))

    assert ["still here"] == [file.text for file in load.files]
    assert [(str(rule), reason)] == [(row.path, row.reason) for row in load.skipped]


@clause("MEM-022", "MEM-032")
@pytest.mark.parametrize("make", [nothing, os.mkfifo, Path.touch, lambda path: path.symlink_to(path.name)])
@pytest.mark.parametrize("moment", ["list_folder", "kind_of"])
def test_a_folder_that_is_exchanged_behind_its_listing(
    place: Place, moment: str, make: Callable[[Path], object]
) -> None:
    """A rules folder that goes while it is walked leaves a reason for what was found in it; the rest loads."""
    rules = fill(place).parent
    load = loaded(place, TrickyTree(moment, replace(rules, make)))

    assert ["still here"] == [file.text for file in load.files]
    assert {Reason.UNREADABLE, Reason.LINK_LOOP} >= {row.reason for row in load.skipped}
    assert 1 == len(load.skipped)


@clause("MEM-032", "MEM-022")
@pytest.mark.parametrize("make", [nothing, os.mkfifo, Path.mkdir])
def test_a_linked_rule_whose_target_is_exchanged(place: Place, make: Callable[[Path], object]) -> None:
    """A link that was resolved and whose target then goes is left out with a reason."""
    fill(place).unlink()
    target = place.write("target.md", "linked")
    (place.project / ".claude/rules/link.md").symlink_to(target)
    load = loaded(place, TrickyTree("real_path", replace(target, make)))

    assert ["still here"] == [file.text for file in load.files]
    assert 1 >= len(load.skipped)


@clause("MEM-019", "MEM-022")
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (nothing, Reason.NOT_FOUND),
        (os.mkfifo, Reason.NOT_REGULAR),
        (Path.mkdir, Reason.NOT_REGULAR),
        (lambda path: path.symlink_to("/dev/zero"), Reason.UNREADABLE),
        (lambda path: path.symlink_to("other"), Reason.UNREADABLE),
    ],
)
def test_what_is_exchanged_between_looking_and_opening_is_not_read(
    place: Place, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object], reason: Reason
) -> None:
    """Even in the moment between the two calls of the system a pipe is not waited for, and no link is followed."""
    path = place.write("CLAUDE.md", "as it was")
    place.write("other", "never")
    look = os.lstat

    def trick(raw: bytes) -> os.stat_result:
        found = look(raw)
        replace(path, make)()
        return found

    monkeypatch.setattr("keel_ref.adapters.disk.os.lstat", trick)
    answer = DiskTree().read_file(str(path), 100)

    assert isinstance(answer, Refusal)
    assert reason is answer.reason


@clause("MEM-024")
@pytest.mark.parametrize(("step", "size"), [(0, 10), (30, 70), (30, None), (-5, 5), (-10, 0)])
def test_a_file_that_grows_or_shrinks_while_it_is_read(
    place: Place, monkeypatch: pytest.MonkeyPatch, step: int, size: int | None
) -> None:
    """What is there in the end is read, but never more than the cap, however fast it grows."""
    path = place.write("CLAUDE.md", "0123456789")
    read, reads = os.read, 0

    def trick(handle: int, count: int) -> bytes:
        nonlocal reads
        reads += 1
        if reads <= (2 if size else 1_000):
            os.truncate(path, max(path.stat().st_size + step, 0))
        return read(handle, count)

    monkeypatch.setattr("keel_ref.adapters.disk.os.read", trick)
    answer = DiskTree().read_file(str(path), 100)

    assert size == (len(answer.data) if isinstance(answer, FileContent) else None)
    assert size is not None or (isinstance(answer, Refusal) and answer.reason is Reason.TOO_LARGE)
    assert reads < 10


@clause("MEM-024")
def test_a_file_that_says_it_is_empty_and_is_not() -> None:
    """What the system makes up while it is read has no size; it is read as far as the cap, and no further."""
    made_up = Path("/proc/self/status")
    if not made_up.exists():
        made_up = Path("/etc/hostname")
    whole = DiskTree().read_file(str(made_up), 1 << 20)
    part = DiskTree().read_file(str(made_up), 3)

    assert isinstance(whole, FileContent)
    assert len(whole.data) > 3
    assert isinstance(part, Refusal)
    assert part.reason is Reason.TOO_LARGE


@clause("MEM-022")
def test_a_load_cap_counts_what_was_read(place: Place) -> None:
    """One load reads so many bytes and no more; what would exceed them is reported like a file that is too large."""
    for i in range(20):
        place.write(f".claude/rules/{i:02}.md", "x" * 1_000)
    constants = evolve(DEFAULT, max_file_bytes=2_000, load_cap_bytes=7_500)
    load = load_memory(DiskTree(), MemoryRequest(cwd=str(place.project)), constants=constants)

    assert 7 == len(load.files)
    assert [Reason.TOO_LARGE] * 13 == [row.reason for row in load.skipped]
    assert all("one load reads 7500 bytes" in row.detail for row in load.skipped)
