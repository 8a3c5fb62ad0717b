"""Paths, worked on as text."""

import re
from enum import StrEnum

import attrs

DRIVE = re.compile(r"([A-Za-z]:)[\\/]")
"""A drive of Windows with a separator."""

SHARE = re.compile(r"[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)")
"""A share of Windows."""


class Flavour(StrEnum):
    """How paths are written."""

    POSIX = "posix"
    WINDOWS = "windows"


@attrs.frozen
class Path:
    """An absolute path, normalised. A stray byte of a name is a surrogate of U+DC80 to U+DCFF in it."""

    root: str
    """`/`, a drive such as `C:`, or a share such as `\\\\server\\share`."""
    parts: tuple[str, ...] = ()
    """The components below the root."""

    @property
    def is_root(self) -> bool:
        """Whether nothing lies above it. [MEM-006]."""
        return not self.parts

    @property
    def parent(self) -> "Path":
        """The folder that holds it; the root stays at the root."""
        return Path(self.root, self.parts[:-1])

    @property
    def name(self) -> str:
        """Its last component; empty for the root."""
        return self.parts[-1] if self.parts else ""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What two equal paths share: only the letter of a drive is folded. [MEM-112]."""
        is_drive = len(self.root) == 2 and self.root[1] == ":"
        return self.root.upper() if is_drive else self.root, self.parts

    def below(self, *names: str) -> "Path":
        """The path of something in this folder."""
        return Path(self.root, (*self.parts, *names))

    def is_inside(self, folder: "Path") -> bool:
        """Whether it is equal to a folder or below it, by whole components."""
        count = len(folder.parts)
        return self.key[0] == folder.key[0] and self.parts[:count] == folder.parts

    def relative_to(self, folder: "Path") -> tuple[str, ...]:
        """The components that lead from a folder to it; the first is `..` where it lies outside. [MEM-058]."""
        return self.parts[len(folder.parts) :] if self.is_inside(folder) else ("..",)

    def folders(self) -> "list[Path]":
        """This folder and all above it, outermost first."""
        return [Path(self.root, self.parts[:count]) for count in range(len(self.parts) + 1)]

    def __str__(self) -> str:
        if self.root == "/":
            return "/" + "/".join(self.parts)
        return self.root + "\\" + "\\".join(self.parts)

    @property
    def with_slashes(self) -> str:
        """The path that exclusion patterns are compared with. [MEM-062]."""
        if self.root == "/":
            return str(self)
        return "/".join((self.key[0].replace("\\", "/"), *self.parts))


@attrs.frozen
class Written:
    """A path as it is written, before anything is worked out."""

    root: str | None
    """None if it names none."""
    is_rooted: bool
    """Whether it begins at a root, named or not."""
    parts: tuple[str, ...]
    """Its components, `.` and `..` and empty ones too."""


def read_written(text: str, flavour: Flavour) -> Written:
    """Take a path apart."""
    if flavour is Flavour.POSIX:
        is_rooted = text.startswith("/")
        return Written("/" if is_rooted else None, is_rooted, tuple(text.split("/")))
    drive = DRIVE.match(text)
    share = SHARE.match(text)
    root, rest = None, text
    if drive:
        root, rest = drive[1], text[drive.end() :]
    elif share:
        root, rest = f"\\\\{share[1]}\\{share[2]}", text[share.end() :]
    return Written(root, root is not None or text[:1] in {"/", "\\"}, tuple(re.split(r"[\\/]", rest)))


def normalise(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Components without `.`, `..` and empty ones, worked out as text."""
    done: list[str] = []
    for part in parts:
        if part == "..":
            del done[-1:]
        elif part not in {"", "."}:
            done.append(part)
    return tuple(done)


def is_absolute(text: str, flavour: Flavour) -> bool:
    """Whether a path names its root."""
    return read_written(text, flavour).root is not None


def join(base: Path, text: str, flavour: Flavour) -> Path:
    """A path that is relative to a folder unless it is absolute, normalised."""
    written = read_written(text, flavour)
    if written.root is not None:
        return Path(written.root, normalise(written.parts))
    if written.is_rooted:
        return Path(base.root, normalise(written.parts))
    return Path(base.root, normalise(base.parts + written.parts))
