"""Ways of making a call smaller: fewer tree entries, fewer arguments, fewer lines, fewer words.

Each takes a call, a place and a size, and leaves out so many pieces from that place on; none past the last piece.
"""

import json
import re
from collections.abc import Callable
from typing import Final

from attrs import evolve

from keel_ref.conformance.wire import CallItem

Reduction = Callable[[CallItem, int, int], CallItem | None]
"""A call, the first piece to leave out and how many, to a smaller call."""

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_WORD: Final = re.compile(r"\s*\S+\s?|\s+")
_NEEDED: Final = frozenset({"cwd", "tree", "text", "reads", "home"})
"""Arguments that are made smaller but never left out."""


def drop_entries(call: CallItem, start: int, size: int) -> CallItem | None:
    """Without some tree entries; none past the last one."""
    tree = call.args.get("tree", [])
    if start >= len(tree):
        return None
    return evolve(call, args={**call.args, "tree": [*tree[:start], *tree[start + size :]]})


def drop_arguments(call: CallItem, start: int, size: int) -> CallItem | None:
    """Without some optional arguments, items of lists, or attributes of tree entries; none past the last one."""
    optional: list[tuple[str, ...]] = [("config",)] if call.config is not None else []
    optional += [(key,) for key in sorted(call.args) if key not in _NEEDED]
    for key, value in sorted(call.args.items()):
        if isinstance(value, list) and key != "tree":
            optional += [(key, str(index)) for index in range(len(value))]
    for index, entry in enumerate(call.args.get("tree", [])):
        optional += [("tree", str(index), key) for key in sorted(set(entry) & {"mtime", "size", "deny"})]
    chosen = optional[start : start + size]
    if not chosen:
        return None
    args = json.loads(json.dumps(call.args))
    for path in reversed(chosen):
        if path[0] not in args:
            continue
        if len(path) == 1:
            del args[path[0]]
        elif path[0] != "tree":
            del args[path[0]][int(path[1])]
        else:
            del args["tree"][int(path[1])][path[2]]
    return evolve(call, args=args, config=None if ("config",) in chosen else call.config)


def drop_lines(call: CallItem, start: int, size: int) -> CallItem | None:
    """Without some lines of the texts, counted over all of them; none past the last one."""
    return _drop_pieces(call, start, size, _LINE)


def drop_words(call: CallItem, start: int, size: int) -> CallItem | None:
    """Without some words of the texts and the blanks behind them, counted over all; none past the last one."""
    return _drop_pieces(call, start, size, _WORD)


def _drop_pieces(call: CallItem, start: int, size: int, piece: re.Pattern[str]) -> CallItem | None:
    args = json.loads(json.dumps(call.args))
    holders = [(entry, "t") for entry in args.get("tree", []) if entry.get("t")]
    if args.get("text"):
        holders.append((args, "text"))
    place = 0
    for holder, key in holders:
        pieces = piece.findall(holder[key])
        kept = [text for number, text in enumerate(pieces, start=place) if not start <= number < start + size]
        place += len(pieces)
        holder[key] = "".join(kept)
    return evolve(call, args=args) if start < place else None


REDUCTIONS: Final[tuple[Reduction, ...]] = (drop_entries, drop_arguments, drop_lines, drop_words)
"""Every way, the one that takes most away first."""
