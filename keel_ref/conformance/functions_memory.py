"""The wire functions of the area memory: arguments and results in the form of the wire, the model behind them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import Choices, Gates
from keel_ref.conformance.arguments import Args, argument, list_argument, text_or_bytes
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.tree_entries import path_of, read_tree
from keel_ref.constants import DEFAULT
from keel_ref.errors import InvalidArgumentError, MalformedTreeError, NotAFolderError
from keel_ref.memory.index import cut_index
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import MemoryFile, MemoryLoad, MemoryRequest, Source
from keel_ref.paths import Flavour, is_absolute, normalise
from keel_ref.text import size_text
from keel_ref.trace import Notice, Skip


def memory_load(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`memory.load`: what a session starts with."""
    return load_as_wire(_session(args, config).start)


def memory_touch(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`memory.touch`: what each read file attaches, in one session."""
    reads = [path_of("reads", item) for item in list_argument(args, "reads")]
    session = _session(args, config)
    touched = [(path, session.touch(path)) for path in reads]
    start = load_as_wire(session.start)
    return {
        **start,
        "reads": [
            {"p": path_as_wire(path), "files": [file_as_wire(file) for file in touch.load.files]}
            for path, touch in touched
        ],
    }


def memory_index(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`memory.index`: an index within its limits."""
    text = argument(args, "text", str, None)
    cut = cut_index(text, Choices.of(config.choices).index_unit, DEFAULT)
    causes = [name for name, holds in (("lines", cut.exceeds_lines), ("size", cut.exceeds_size)) if holds]
    return {"text": cut.text, "lines": cut.lines, "size": cut.size, "cut": causes}


def text_sizes(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all functions)
    """`text.sizes`: one text in every unit."""
    sizes = size_text(text_or_bytes(args))
    return {"utf8": sizes.utf8_bytes, "utf16": sizes.utf16_units, "code_points": sizes.code_points}


FUNCTIONS: Final = MappingProxyType(
    {
        "memory.load": memory_load,
        "memory.touch": memory_touch,
        "memory.index": memory_index,
        "text.sizes": text_sizes,
    }
)
"""Every function of this module by its wire name."""


def load_as_wire(load: MemoryLoad) -> dict[str, Any]:
    """A load in the form of the wire."""
    return {
        "files": [file_as_wire(file) for file in load.files],
        "skipped": [_skip_as_wire(row) for row in load.skipped],
        "warnings": [_notice_as_wire(notice) for notice in load.notices],
    }


def file_as_wire(file: MemoryFile) -> dict[str, Any]:
    """A record in the form of the wire; what it has not is left out."""
    optional = {
        "parent": path_as_wire(file.parent) if file.parent is not None else None,
        "globs": list(file.globs) or None,
        "warned": file.is_warned or None,
        "differs": file.differs or None,
    }
    return {
        "p": path_as_wire(file.path),
        "layer": str(file.layer),
        "text": file.text,
        "tokens": int(file.tokens),
        **{name: value for name, value in optional.items() if value is not None},
    }


def path_as_wire(path: str) -> str | dict[str, str]:
    """A path as text, or as bytes where it is not UTF-8."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return {"b64": base64.b64encode(path.encode("utf-8", "surrogateescape")).decode("ascii")}
    return path


def _skip_as_wire(row: Skip) -> dict[str, Any]:
    layer = {} if row.layer is None else {"layer": str(row.layer)}
    detail = {"detail": printable(row.detail)} if row.detail else {}
    return {"p": path_as_wire(row.path), **layer, "reason": str(row.reason), **detail}


def _notice_as_wire(notice: Notice) -> dict[str, Any]:
    return {"kind": notice.kind, "p": path_as_wire(notice.path), "detail": printable(notice.detail)}


def printable(text: str) -> str:
    """The text as UTF-8 can carry it: a stray byte of a name becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _session(args: Args, config: CallConfig) -> MemorySession:
    flavour = _enum(args, "flavour", Flavour, Flavour.POSIX)
    case = argument(args, "case", str, "sensitive")
    if case not in {"sensitive", "insensitive"}:
        raise InvalidArgumentError("case", f"{case!r} is neither sensitive nor insensitive")
    request = _request(args)
    tree = read_tree(list_argument(args, "tree"), flavour, is_case_sensitive=case == "sensitive")
    _imply_folder(tree, request.cwd)
    return MemorySession(tree, request, choices=Choices.of(config.choices), gates=Gates.of(config.gates))


def _imply_folder(tree: InMemoryTree, cwd: str) -> None:
    """The folder cwd exists even where the tree does not name it; a link that leads nowhere is no folder."""
    place = normalise(cwd, tree.flavour)
    if not is_absolute(cwd, tree.flavour) or tree.is_link(place):
        return
    try:
        tree.add_folder(place)
    except MalformedTreeError as error:
        if not isinstance(tree.real_path(place), str):
            raise NotAFolderError(cwd, error.problem) from error


def _request(args: Args) -> MemoryRequest:
    env = argument(args, "env", dict, {})
    if not all(isinstance(v, str) for v in env.values()):
        raise InvalidArgumentError("env", "the value of a variable is a text")
    return MemoryRequest(
        cwd=path_of("cwd", args.get("cwd")),
        home=path_of("home", args.get("home", "")),
        config_dir=_maybe_path(args, "config_dir"),
        managed_dir=_maybe_path(args, "managed_dir"),
        add_dirs=tuple(path_of("add_dirs", item) for item in list_argument(args, "add_dirs")),
        sources=Source.parse(list_argument(args, "sources") if "sources" in args else Source),
        settings_files=tuple(path_of("settings", item) for item in list_argument(args, "settings")),
        approve_external=argument(args, "approve_external", bool, default=False),
        bare=argument(args, "bare", bool, default=False),
        env=env,
    )


def _maybe_path(args: Args, name: str) -> str | None:
    return path_of(name, args[name]) if args.get(name) is not None else None


def _enum(args: Args, name: str, kind: type[Flavour], default: Flavour) -> Flavour:
    value = args.get(name, default.value)
    if value not in {member.value for member in kind}:
        raise InvalidArgumentError(name, f"{value!r} is none of {', '.join(member.value for member in kind)}")
    return kind(value)
