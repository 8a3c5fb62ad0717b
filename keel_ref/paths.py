"""Paths as text, in the flavour of their tree. Nothing here looks at a disk. Spec: MEM-112."""

from __future__ import annotations

import ntpath
import posixpath
from enum import StrEnum
from types import ModuleType


class Flavour(StrEnum):
    """How a tree writes its paths."""

    POSIX = "posix"
    WINDOWS = "windows"


def _module(flavour: Flavour) -> ModuleType:
    return posixpath if flavour is Flavour.POSIX else ntpath


def separator(flavour: Flavour) -> str:
    """The separator that normalised paths of this flavour use."""
    return "/" if flavour is Flavour.POSIX else "\\"


def is_absolute(path: str, flavour: Flavour) -> bool:
    """Does the path start at a root (POSIX) or at a drive or share (Windows)?"""
    if flavour is Flavour.POSIX:
        return path.startswith("/")
    drive, rest = ntpath.splitdrive(path)
    return bool(drive) and rest.startswith(("\\", "/"))


def normalise(path: str, flavour: Flavour) -> str:
    """The path with `.`, `..` and doubled separators worked out as text. Spec: MEM-070."""
    normal: str = _module(flavour).normpath(path)
    if flavour is Flavour.POSIX and normal.startswith("//"):  # POSIX leaves two leading slashes their own meaning
        return normal[1:]
    return normal


def join(folder: str, name: str, flavour: Flavour) -> str:
    """A name below a folder; an absolute name replaces the folder."""
    if flavour is Flavour.POSIX:
        if name.startswith("/"):
            return name
        return folder + name if folder.endswith("/") else f"{folder}/{name}"
    if is_absolute(name, flavour) or name.startswith(("/", "\\")):
        joined: str = ntpath.join(folder, name)  # a path of another drive, or from the root of this one
        return joined.replace("/", "\\")
    return (folder if folder.endswith("\\") else folder + "\\") + name.replace("/", "\\")


def parent(path: str, flavour: Flavour) -> str:
    """The folder that holds the path; a root is its own parent."""
    folder: str = _module(flavour).dirname(path)
    return folder or path


def name_of(path: str, flavour: Flavour) -> str:
    """The last part of the path."""
    name: str = _module(flavour).basename(path)
    return name


def key(path: str, flavour: Flavour) -> str:
    """What two spellings of one path share: only the letter of a Windows drive is folded. Spec: MEM-112."""
    if flavour is Flavour.WINDOWS and len(path) > 1 and path[1] == ":":  # [MEM-112]
        return path[0].lower() + path[1:]
    return path


def ancestors(path: str, flavour: Flavour) -> tuple[str, ...]:
    """The path and every folder above it, outermost first, the root included."""
    chain = [path]
    while (above := parent(chain[-1], flavour)) != chain[-1]:
        chain.append(above)
    return tuple(reversed(chain))


def is_inside(path: str, folder: str, flavour: Flavour) -> bool:
    """Is the path the folder itself or below it, by whole components?"""
    inner, outer = key(path, flavour), key(folder, flavour)
    sep = separator(flavour)
    return inner == outer or inner.startswith(outer if outer.endswith(sep) else outer + sep)


def relative(path: str, folder: str, flavour: Flavour) -> str | None:
    """The path below the folder with `/` as separator; None when it is the folder itself or lies outside."""
    if not is_inside(path, folder, flavour) or key(path, flavour) == key(folder, flavour):
        return None
    sep = separator(flavour)
    start = len(folder) if folder.endswith(sep) else len(folder) + 1
    return path[start:].replace(sep, "/")


def order_key(name: str) -> bytes:
    """Names in the order of their bytes, which for UTF-8 is the order of code points. Spec: MEM-031."""
    return name.encode("utf-8", "surrogateescape")
