"""What lies where memory is looked for, and is no file: each ends in a plan and a reason."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import evolve

from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.in_memory import InMemoryTree, link_node
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.memory.index import slug
from keel_ref.strategies.watched_tree import WatchedTree
from keel_ref.trace import Reason
from tests.hostile.place import NOBODY, Place

pytestmark = pytest.mark.usefixtures("within_time")

HUGE_BYTES = 5 << 30
DEEP = 10_000
SETTINGS = (".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json")
RULES = (".claude/rules/r.md", "~/.claude/rules/r.md")
FILES = ("CLAUDE.md", ".claude/CLAUDE.md", "~/.claude/CLAUDE.md", "i.md")


def make_fifo(path: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    """A socket that nobody listens to."""
    here = Path.cwd()
    os.chdir(path.parent)  # its path may be no longer than a hundred bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(here)


def make_device(path: Path) -> None:
    """A device that never ends; a link to it, for who may not make one."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        path.symlink_to("/dev/zero")


def make_huge(path: Path) -> None:
    """Five gigabytes that take no room on the disk."""
    with path.open("wb") as file:
        file.truncate(HUGE_BYTES)


def make_loop(path: Path) -> None:
    """A link to itself."""
    path.symlink_to(path.name)


def make_ring(path: Path) -> None:
    """A link to a link to the first one."""
    other = path.with_name("other-" + path.name)
    path.symlink_to(other.name)
    other.symlink_to(path.name)


def make_chain(path: Path) -> None:
    """A chain of links that is longer than the system follows, with a file at its end."""
    folder = next(parent for parent in path.parents if parent.name.startswith("keel-hostile-")) / "chain"
    if not folder.exists():
        folder.mkdir()
        (folder / "0").write_text("never read")
        for i in range(1_200):
            (folder / f"{i + 1}").symlink_to(f"{i}")
    path.symlink_to(folder / "1200")


def make_link(target: str) -> Callable[[Path], None]:
    """A link to somewhere."""

    def make(path: Path) -> None:
        path.symlink_to(target)

    return make


IRREGULAR: dict[str, tuple[Callable[[Path], None], str]] = {
    "fifo": (make_fifo, "not-regular"),
    "socket": (make_socket, "not-regular"),
    "device": (make_device, "not-regular"),
    "link to zero": (make_link("/dev/zero"), "not-regular"),
    "link to null": (make_link("/dev/null"), "not-regular"),
    "link to tty": (make_link("/dev/tty"), "not-regular"),
    "folder": (Path.mkdir, "not-regular"),
    "loop": (make_loop, "link-loop"),
    "ring": (make_ring, "link-loop"),
    "chain": (make_chain, "link-loop"),
    "huge": (make_huge, "too-large"),
}


@clause("MEM-019", "MEM-020", "MEM-024", "MEM-090", "MEM-124")
@pytest.mark.parametrize("kind", IRREGULAR)
def test_nothing_but_a_regular_file_is_opened(place: Place, kind: str) -> None:
    """Under every name that is read, in one tree: pipes and devices are not waited for, no gigabyte is read."""
    make, reason = IRREGULAR[kind]
    index = f"~/.claude/projects/{slug(str(place.project))}/memory/MEMORY.md"
    place.write("CLAUDE.local.md", "still here @i.md @/etc/hostname")
    for name in (*FILES, *RULES, *SETTINGS, index, "~/.claude.json"):
        make(place.at(name))
    plan = place.plan(memory=1 << 30)
    found = {name: plan.rows.get(name.replace("~", "../h", 1)) for name in (*FILES, *RULES, index)}
    broken = {name: plan.rows.get(name.replace("~", "../h", 1)) for name in (*SETTINGS, "~/.claude.json")}

    assert ["CLAUDE.local.md"] == plan.files
    assert dict.fromkeys(broken, "settings-broken") == broken
    if kind == "folder":  # one below a rules folder is looked into, and this one holds nothing
        assert [None, None] == [found.pop(name) for name in RULES]
    assert dict.fromkeys(found, reason) == found


@clause("MEM-010", "MEM-011")
@pytest.mark.parametrize("kind", [kind for kind in IRREGULAR if kind != "folder"])
@pytest.mark.parametrize("name", [".git", "data/commondir"])
def test_what_git_would_never_write_is_no_worktree(place: Place, kind: str, name: str) -> None:
    """A pipe or a device under a name of git's is not read either; it makes no worktree, and it stops nothing."""
    place.write("CLAUDE.md", "still here")
    if name != ".git":
        place.write(".git", "gitdir: data")
    IRREGULAR[kind][0](place.at(name))
    load = load_memory(DiskTree(), MemoryRequest(cwd=str(place.project)))

    assert ["still here"] == [file.text for file in load.files]


@clause("MEM-010", "MEM-011")
@pytest.mark.parametrize(
    "pointer",
    [
        "gitdir: .git",
        "gitdir: .",
        "gitdir: ",
        "gitdir: a\0b",
        b"gitdir: \xff\xfe",
        "gitdir: " + "a/" * 1_000_000,
        "gitdir: " + "../" * 1_000_000,
        "gitdir: data",
    ],
)
def test_a_pointer_that_leads_nowhere_is_no_worktree(place: Place, pointer: str | bytes) -> None:
    """To itself, through a NUL, past the root a million times: the folder is its own root, and its files load."""
    place.write("CLAUDE.md", "still here")
    place.write(".git", pointer)
    place.write("commondir", ".git")
    place.write("data/commondir", b"\xff\0" + b"../" * 100_000)
    load = load_memory(DiskTree(), MemoryRequest(cwd=str(place.project)))

    assert ["still here"] == [file.text for file in load.files]


@clause("MEM-032")
def test_folders_linked_in_circles_are_walked_once(place: Place) -> None:
    """To itself, upward, to each other: each rule is found once, however many ways lead to it."""
    place.write(".claude/rules/a/one.md", "1")
    place.write(".claude/rules/b/two.md", "2")
    for link, target in {
        "self": ".",
        "up": "..",
        "a/to-b": "../b",
        "b/to-a": "../a",
        "b/itself": "itself",
        "a/top": "../../..",
    }.items():
        (place.project / ".claude/rules" / link).symlink_to(target)
    plan = place.plan()

    assert [".claude/rules/a/one.md", ".claude/rules/b/two.md"] == sorted(plan.files)
    assert {".claude/rules/b/itself": "link-loop"} == plan.rows


@clause("MEM-032", "MEM-036")
@pytest.mark.usefixtures("within_time")
def test_a_rules_folder_linked_to_the_whole_disk_ends(place: Place) -> None:
    """A link to `/` is followed as far as the bound, and the rest is reported by one row."""
    (place.at(".claude/rules/all")).symlink_to("/")
    place.write(".claude/rules/zzz.md", "behind the bound")
    tree = WatchedTree(DiskTree())
    load = load_memory(tree, MemoryRequest(cwd=str(place.project)), constants=evolve(DEFAULT, rules_cap_files=20))
    rows = {row.path: row.reason for row in load.skipped}

    assert Reason.RULES_BOUND is rows[f"{place.project}/.claude/rules"]
    assert len(tree.listed) < 20 * 20


@clause("MEM-036")
@pytest.mark.usefixtures("within_time")
def test_folders_that_hold_nothing_are_not_walked_for_ever() -> None:
    """Not only files count: a tree of empty folders meets the bound as well."""
    tree = WatchedTree(InMemoryTree.of({}))
    assert isinstance(tree.tree, InMemoryTree)
    for i in range(500):
        tree.tree.add_folder(f"/r/.claude/rules/{i}")
    load = load_memory(tree, MemoryRequest(cwd="/r"), constants=evolve(DEFAULT, rules_cap_files=20))

    assert [Reason.RULES_BOUND] == [row.reason for row in load.skipped]
    assert len(tree.listed) < 20 * 20


@clause("MEM-032")
def test_a_path_leads_through_as_many_links_in_memory_as_on_a_disk(place: Place) -> None:
    """Forty links are followed, in one name or spread over a path; one more is a loop."""
    place.write("x.md", "X")
    (place.project / "self").symlink_to(".")
    tree = InMemoryTree.of({f"{place.project}/x.md": "X", f"{place.project}/self": link_node(".")})
    for count in (40, 41):
        path = f"{place.project}/{'self/' * count}x.md"

        assert DiskTree().real_path(path) == tree.real_path(path)
        assert (count == 40) == isinstance(tree.real_path(path), str)


@contextmanager
def deepened(folder: Path, levels: int) -> Iterator[None]:
    """Folders in one another, deeper than a path can say; every thousandth holds a rule."""
    here = Path.cwd()
    try:
        os.chdir(folder)
        for level in range(1, levels + 1):
            os.mkdir("d")
            os.chdir("d")
            if level % 1_000 == 0:
                Path("r.md").write_text(f"level {level}")
        for level in range(levels, 0, -1):
            os.chdir("..")
            if level == levels:
                os.chdir(here)
                yield
                os.chdir(folder)
                for _ in range(levels - 1):
                    os.chdir("d")
            Path("d/r.md").unlink(missing_ok=True)
            os.rmdir("d")
    finally:
        os.chdir(here)


@clause("MEM-022", "MEM-030")
def test_rules_in_ten_thousand_folders_on_disk(place: Place) -> None:
    """As deep as the system has paths for, rules load; the folder from which it has none is reported."""
    with deepened(place.at(".claude/rules/x").parent, DEEP):
        plan = place.plan()

    assert ["level 1000"] == [plan.text(name) for name in plan.files][-1:]
    assert ["unreadable"] == list(plan.rows.values())


@clause("MEM-008")
def test_a_working_folder_below_ten_thousand_folders_on_disk(place: Place) -> None:
    """A folder that no path can name ends in a message that says so; one as deep as a path can say loads."""
    deepest = str(place.project) + "/d" * ((4_000 - len(str(place.project))) // 2)
    with deepened(place.project, DEEP):
        unreachable = place.run("--json", cwd=str(place.project) + "/d" * DEEP)
        plan = place.plan(cwd=deepest)

    assert 2 == unreachable.code
    assert "File name too long; name an existing folder that can be read" in unreachable.err
    assert {} == plan.rows


@clause("MEM-005", "MEM-030", "MEM-070")
@pytest.mark.usefixtures("within_time")
def test_ten_thousand_levels_in_memory() -> None:
    """A working folder, a rule and an include, each ten thousand levels deep, are found where they are."""
    folder = "/d" * DEEP
    tree = InMemoryTree.of(
        {
            f"{folder}/CLAUDE.md": "deepest",
            f"/d/.claude/rules{folder}/r.md": "deep rule",
            "/d/CLAUDE.md": f"@{'d/' * (DEEP - 1)}i.md @{'no/' * DEEP}x.md",
            f"{folder}/i.md": "included",
        }
    )
    load = load_memory(tree, MemoryRequest(cwd=folder, approve_external=True))

    assert ["/d/CLAUDE.md", f"{folder}/i.md", f"/d/.claude/rules{folder}/r.md", f"{folder}/CLAUDE.md"] == [
        file.path for file in load.files
    ]
    assert [Reason.NOT_FOUND] == [row.reason for row in load.skipped]


@clause("MEM-005")
def test_depth_costs_no_more_than_its_share(work: Callable[[Callable[[], object]], int]) -> None:
    """Four times as deep a folder takes about four times the work."""

    def load(levels: int) -> int:
        tree = InMemoryTree.of({"/d" * levels + "/CLAUDE.md": "x"})
        return work(lambda: load_memory(tree, MemoryRequest(cwd="/d" * levels)))

    assert load(400) < 5 * load(100)


@clause("MEM-036")
@pytest.mark.usefixtures("within_time")
def test_a_hundred_thousand_rules_in_memory() -> None:
    """Ten thousand are considered, in order; the rest stays unread, and each has its row."""
    tree = WatchedTree(InMemoryTree.of({f"/r/.claude/rules/{i:06}.md": "x" for i in range(100_000)}))
    load = load_memory(tree, MemoryRequest(cwd="/r"))

    assert [f"/r/.claude/rules/{i:06}.md" for i in range(10_000)] == [file.path for file in load.files]
    assert {Reason.RULES_BOUND: 90_000} == {Reason.RULES_BOUND: len({row.path for row in load.skipped})}
    assert len(tree.read) < 10_010


@pytest.mark.slow
@clause("MEM-036")
def test_a_hundred_thousand_rules_on_disk(place: Place) -> None:
    """The same through the command line, within half a gigabyte."""
    rules = place.at(".claude/rules/x").parent
    for i in range(100_000):
        (rules / f"{i:06}.md").touch()
    plan = place.plan(memory=1 << 29)

    assert {"empty": 10_000, "rules-bound": 90_000} == {
        reason: list(plan.rows.values()).count(reason) for reason in plan.reasons
    }


@clause("MEM-022", "MEM-023")
def test_a_user_who_may_read_nothing(place: Place) -> None:
    """A file and a folder that are closed to the user are reported, and everything else loads."""
    place.write("CLAUDE.md", "closed").chmod(0)
    place.write(".claude/rules/closed/r.md", "behind a door").parent.chmod(0)
    place.write(".claude/rules/open.md", "still here @closed.md @shut/in.md")
    place.write(".claude/rules/closed.md", "closed").chmod(0)
    place.write(".claude/settings.json", "{}").chmod(0)
    place.write(".claude/rules/shut/in.md", "in").parent.chmod(0o444)
    place.write("CLAUDE.local.md", "still here")
    plan = place.plan(user=NOBODY if os.getuid() == 0 else 0)

    assert [".claude/rules/open.md", "CLAUDE.local.md"] == plan.files
    assert {
        "CLAUDE.md": "unreadable",
        ".claude/rules/closed": "unreadable",
        ".claude/rules/closed.md": "unreadable",
        ".claude/rules/shut/in.md": "unreadable",
        ".claude/settings.json": "settings-broken",
    } == plan.rows


@clause("MEM-022", "MEM-008")
@pytest.mark.parametrize("mode", [0, 0o111])
def test_a_working_folder_that_may_not_be_listed(place: Place, mode: int) -> None:
    """What can be entered gives the files that are found by name; what cannot is no working folder."""
    place.write("CLAUDE.md", "still here")
    place.project.chmod(mode)
    answer = place.run("--json", user=NOBODY if os.getuid() == 0 else 0)

    assert 0 == answer.code
    assert (mode != 0) == (b"still here" in answer.out)
