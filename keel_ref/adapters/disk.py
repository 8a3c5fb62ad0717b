"""The file tree of a real POSIX disk. Spec: MEM-019, MEM-022, MEM-024."""

from __future__ import annotations

import errno
import os
import stat

from keel_ref.paths import Flavour
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.trace import Reason

READ_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
EXCHANGED = "exchanged since it was looked at"
MISSING = frozenset({errno.ENOENT, errno.ENOTDIR})


class DiskTree:
    """Answers from the disk as it is at the moment of each call.

    Bytes of a name that are not UTF-8 become lone surrogates, whatever the locale. Nothing but a regular file is
    opened, also when it is exchanged for something else between looking and opening.
    """

    flavour = Flavour.POSIX

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """See `Tree.list_folder`."""
        try:
            with os.scandir(_to_bytes(path)) as found:
                return tuple(Entry(_to_text(entry.name), _kind_of_entry(entry)) for entry in found)
        except OSError as error:
            return _missing_if_too_long(error)
        except ValueError:
            return Refusal(Reason.NOT_FOUND)

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """See `Tree.read_file`."""
        try:
            raw = _to_bytes(path)
            found = os.lstat(raw)
            is_link = stat.S_ISLNK(found.st_mode)
            if is_link:
                found = os.stat(raw)
            if not stat.S_ISREG(found.st_mode):
                return Refusal(Reason.NOT_REGULAR, _what(found.st_mode))  # [MEM-019]
            data = _read(raw, cap_bytes, 0 if is_link else os.O_NOFOLLOW)
        except OSError as error:
            return _missing_if_too_long(error)
        except ValueError:
            return Refusal(Reason.NOT_FOUND)
        return data if isinstance(data, Refusal) else FileContent(data, is_link)

    def real_path(self, path: str) -> str | Refusal:
        """See `Tree.real_path`."""
        try:
            raw = _to_bytes(path)
            os.stat(raw)  # the system's own bound on links; what resolves the path below has none
            return _to_text(os.path.realpath(raw, strict=True))
        except OSError as error:
            return _missing_if_too_long(error)
        except RecursionError:  # the links were exchanged since the system looked at them
            return Refusal(Reason.LINK_LOOP)
        except ValueError:
            return Refusal(Reason.NOT_FOUND)

    def spelling(self, path: str) -> str:
        """See `Tree.spelling`; a disk that folds case is not told from one that does not."""
        return path

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """See `Tree.kind_of`."""
        try:
            return _kind_of_mode(os.stat(_to_bytes(path)).st_mode)
        except OSError as error:
            return _missing_if_too_long(error)
        except ValueError:
            return Refusal(Reason.NOT_FOUND)

    def modified(self, path: str) -> int | Refusal:
        """See `Tree.modified`; in nanoseconds."""
        try:
            return os.stat(_to_bytes(path)).st_mtime_ns
        except OSError as error:
            return _missing_if_too_long(error)
        except ValueError:
            return Refusal(Reason.NOT_FOUND)


def _read(raw: bytes, cap_bytes: int, flags: int) -> bytes | Refusal:
    try:
        handle = os.open(raw, READ_FLAGS | flags)
    except OSError as error:
        if flags & os.O_NOFOLLOW and error.errno == errno.ELOOP:
            return Refusal(Reason.UNREADABLE, EXCHANGED)
        raise
    try:
        now = os.fstat(handle)
        if not stat.S_ISREG(now.st_mode):
            return Refusal(Reason.NOT_REGULAR, f"{_what(now.st_mode)}, {EXCHANGED}")
        if now.st_size > cap_bytes:
            return Refusal(Reason.TOO_LARGE, f"{now.st_size} bytes")  # [MEM-024]
        data = os.read(handle, now.st_size + 1)
        if len(data) == now.st_size or not data:
            return data
        return _read_on(handle, data, cap_bytes)  # it changes while it is read
    finally:
        os.close(handle)


def _read_on(handle: int, start: bytes, cap_bytes: int) -> bytes | Refusal:
    """All there is behind the start, as far as the cap."""
    data = bytearray(start)
    while len(data) <= cap_bytes:
        more = os.read(handle, min(1 << 20, cap_bytes + 1 - len(data)))
        if not more:
            return bytes(data)
        data += more
    return Refusal(Reason.TOO_LARGE, f"more than {cap_bytes} bytes")


def _to_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _to_text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _kind_of_entry(entry: os.DirEntry[bytes]) -> EntryKind:
    if entry.is_symlink():
        return EntryKind.LINK
    if entry.is_dir(follow_symlinks=False):
        return EntryKind.FOLDER
    return EntryKind.FILE if entry.is_file(follow_symlinks=False) else EntryKind.OTHER


def _kind_of_mode(mode: int) -> EntryKind:
    if stat.S_ISDIR(mode):
        return EntryKind.FOLDER
    return EntryKind.FILE if stat.S_ISREG(mode) else EntryKind.OTHER


def _what(mode: int) -> str:
    names = ((stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "fifo"), (stat.S_ISSOCK, "socket"))
    return next((name for test, name in names if test(mode)), "device")


def _refusal(error: OSError) -> Refusal:
    if error.errno in MISSING:
        return Refusal(Reason.NOT_FOUND)
    if error.errno == errno.ELOOP:
        return Refusal(Reason.LINK_LOOP)
    return Refusal(Reason.UNREADABLE, os.strerror(error.errno or errno.EIO))


def _missing_if_too_long(error: OSError) -> Refusal:
    """A name longer than the system allows is the name of nothing."""
    too_long = error.errno == errno.ENAMETOOLONG
    return Refusal(Reason.NOT_FOUND, os.strerror(errno.ENAMETOOLONG)) if too_long else _refusal(error)
