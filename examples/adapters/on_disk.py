"""What the Python adapters of this folder share: keel-wire/1, and the tree of a call on a real disk.

Nothing here knows how instruction files load; that is the work of the package behind an adapter.
"""
# ruff: noqa: PTH101, PTH103, PTH112, PTH120, PTH211 - places are text here, also those that are not UTF-8

import base64
import json
import os
import resource
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

NOBODY = 65534
MOST_MEMORY = 4 << 30
"""In bytes. A package that reads a file of any size into memory ends in an error, not in a machine that swaps."""


class Refused(Exception):
    """A call that cannot be answered; `kind` is one of spec/errors.json."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Disk:
    """The tree of one call, below a temporary folder."""

    def __init__(self, root: str) -> None:
        self.root = root

    def place(self, path: Any) -> str:
        """Where an absolute path of the call lies."""
        text = os.fsdecode(base64.b64decode(path["b64"])) if isinstance(path, dict) else path
        if not isinstance(text, str) or not text.startswith("/"):
            raise Refused("invalid_argument", f"an absolute path is wanted, not {path!r}")
        return self.root + os.path.normpath("/" + text.lstrip("/")).rstrip("/")

    def name(self, place: str | Path) -> Any:
        """A place on the disk as the call names it; None if it lies outside the tree."""
        path = str(place)
        if path != self.root and not path.startswith(self.root + "/"):
            return None
        inner = path[len(self.root) :] or "/"
        try:
            inner.encode()
        except UnicodeEncodeError:
            return {"b64": base64.b64encode(os.fsencode(inner)).decode()}
        return inner


def put(disk: Disk, entry: dict[str, Any]) -> None:
    """One entry of a tree. Spec: protocol.md, Trees."""
    place = disk.place(entry["p"])
    os.makedirs(place if entry.get("kind") == "dir" else os.path.dirname(place), exist_ok=True)
    match entry:
        case {"link": target}:
            text = os.fsdecode(base64.b64decode(target["b64"])) if isinstance(target, dict) else target
            os.symlink(disk.place(text) if text.startswith("/") else text, place)
        case {"kind": "fifo"}:
            os.mkfifo(place)
        case {"kind": "socket"}:
            os.mknod(place, stat.S_IFSOCK | 0o600)
        case {"kind": "device"}:
            os.symlink("/dev/null", place)  # making a device is a matter of privilege; a link to one is not
        case {"kind": "dir"}:
            pass
        case _:
            data = base64.b64decode(entry.get("b64", "")) or entry.get("t", "").encode("utf-8", "surrogatepass")
            Path(place).write_bytes(data)
            os.truncate(place, max(len(data), entry.get("size", 0)))
    if "mtime" in entry:
        os.utime(place, (entry["mtime"], entry["mtime"]), follow_symlinks=False)


@contextmanager
def planted(args: dict[str, Any]) -> Iterator[Disk]:
    """The tree of a call on the disk; where it denies something, without the rights of root."""
    tree = args.get("tree", [])
    disk = Disk(os.path.realpath(tempfile.mkdtemp(prefix="keel-")))
    try:
        for entry in sorted(tree, key=lambda entry: "link" in entry):
            put(disk, entry)
        with suppress(OSError):  # a cwd that is a file stays one
            os.makedirs(disk.place(args.get("cwd")), exist_ok=True)
        denied = [disk.place(entry["p"]) for entry in tree if "deny" in entry]
        with plain_user(disk, denied):
            yield disk
    finally:
        shutil.rmtree(disk.root, ignore_errors=True)


@contextmanager
def plain_user(disk: Disk, denied: list[str]) -> Iterator[None]:
    """Nobody may read or list what is denied, root not excepted."""
    drop = bool(denied) and os.geteuid() == 0
    for place in denied:
        os.chmod(place, 0o311 if os.path.isdir(place) else 0)
    if drop:
        os.chmod(disk.root, 0o711)  # noqa: S103 - a plain user must pass through it
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if drop:
            os.seteuid(0)
        for place in denied:
            os.chmod(place, 0o700)


def serve(hello: dict[str, Any], functions: dict[str, Callable[[Disk, dict[str, Any]], Any]]) -> None:
    """Answer until `bye`, or until the input ends; what a package would still do at its end is not waited for."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a package prints goes to stderr
    limit = 8 << 20
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            op, number = request["op"], request["id"]
        except (ValueError, TypeError, KeyError) as fault:
            send(answers, None, {"error": {"kind": "malformed_request", "message": str(fault)}})
            continue
        match op:
            case "hello":
                limit = request.get("limits", {}).get("max_line", limit)
                own = {"wire": 1, "nonce": request["nonce"], "revision": request["revisions"][-1]}
                send(answers, number, {"ok": hello | own})
            case "call":
                results = [outcome(one, functions, limit // 4) for one in request["calls"]]
                send(answers, number, {"ok": {"results": results}})
            case "ping" | "bye":
                send(answers, number, {"ok": {}})
            case _:
                send(answers, number, {"error": {"kind": "malformed_request", "message": f"no operation {op}"}})
        if op == "bye":
            break
    os._exit(0)


def outcome(one: Any, functions: dict[str, Callable[[Disk, dict[str, Any]], Any]], limit: int) -> dict[str, Any]:
    """What one call gives; a fault of one call never spoils its neighbours."""
    try:
        args = one.get("args", {})
        if one["fn"] not in functions:
            return {"error": {"kind": "unknown_function", "message": f"{one['fn']} is not implemented"}}
        if args.get("flavour") == "windows" or args.get("case") == "insensitive":
            return {"unsupported": {"capability": "memory.windows" if "flavour" in args else "memory.case"}}
        with planted(args) as disk:
            result = functions[one["fn"]](disk, args)
    except Refused as refusal:
        return {"error": {"kind": refusal.kind, "message": str(refusal)}}
    except Exception as fault:  # noqa: BLE001 - whatever a package raises is told as its crash
        return {"internal": {"message": f"{type(fault).__name__}: {fault}"[:500]}}
    if sum(len(file["text"]) for file in result["files"]) > limit:  # asked before it is put into JSON
        return {"internal": {"message": f"texts of more than {limit} characters, too long for a line of the wire"}}
    return {"ok": result}


def send(answers: BinaryIO, number: Any, answer: dict[str, Any]) -> None:
    """One line."""
    answers.write(json.dumps({"id": number} | answer).encode() + b"\n")
    answers.flush()
