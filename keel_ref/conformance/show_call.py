"""A call or a program as a person reads it: one tree entry or step a line, then what else was given."""

from collections.abc import Iterator, Mapping
from typing import Any

from keel_ref.conformance.compare import show_value
from keel_ref.conformance.wire import CallItem, ProgramItem, Question

_TEXT_CAP = 100
_MAX_ENTRIES = 16
_MAX_STEPS = 40


def show_question(question: Question) -> Iterator[str]:
    """The lines of a call or of a program."""
    return show_program(question) if isinstance(question, ProgramItem) else show_call(question)


def show_program(program: ProgramItem) -> Iterator[str]:
    """The steps of a program, numbered from one, and what it runs under; of a long one the first steps."""
    shown = program.steps[:_MAX_STEPS]
    for number, step in enumerate(shown, start=1):
        yield f"{number:>3}  {show_step(step)}"
    if len(program.steps) > len(shown):
        yield f"… and {len(program.steps) - len(shown)} more"
    if program.config:
        yield f"under {show_value(program.config, _TEXT_CAP)}"


def show_step(step: Any) -> str:
    """A step as its name and what it is given."""
    if not (isinstance(step, list | tuple) and len(step) == 2 and isinstance(step[1], Mapping)):  # noqa: PLR2004
        return show_value(step, _TEXT_CAP)
    name, args = step
    given = [f"{key}={_plain_or_json(value)}" for key, value in args.items()]
    return " ".join([name if isinstance(name, str) else show_value(name), *given])


def _plain_or_json(value: object) -> str:
    is_plain = isinstance(value, str) and value.isprintable() and value.isascii() and " " not in value and value
    return str(value) if is_plain else show_value(value, _TEXT_CAP)


def show_call(call: CallItem) -> Iterator[str]:
    """The lines of a call; of a large tree the first entries, and how many there are more."""
    tree = call.args.get("tree", [])
    shown = tree[:_MAX_ENTRIES]
    paths = [show_path(entry.get("p")) for entry in shown]
    width = min(max((len(path) for path in paths), default=0), 50)
    for path, entry in zip(paths, shown, strict=True):
        yield f"{path:<{width}}  {show_entry(entry)}"
    if len(tree) > len(shown):
        yield f"… and {len(tree) - len(shown)} more"
    rest = {key: value for key, value in call.args.items() if key not in ("tree", "cwd")}
    others = " ".join(f"{key}={show_value(value, _TEXT_CAP)}" for key, value in rest.items())
    place = f" in {call.args['cwd']}" if isinstance(call.args.get("cwd"), str) else ""
    yield f"{call.fn}{place}{' with ' if others else ''}{others}"
    if call.config is not None:
        yield f"under {show_value(call.config, _TEXT_CAP)}"


def show_path(path: object) -> str:
    """A path as text; bytes that are not UTF-8 as they travel."""
    return path if isinstance(path, str) and path.isprintable() else show_value(path)


def show_entry(entry: Mapping[str, Any]) -> str:
    """What a tree entry holds, in a few words."""
    parts: list[str] = []
    if "t" in entry:
        parts.append(show_value(entry["t"], _TEXT_CAP))
    if "b64" in entry:
        parts.append(f"bytes {entry['b64'][:_TEXT_CAP]}")
    if "link" in entry:
        parts.append(f"-> {show_path(entry['link'])}")
    parts += [str(entry["kind"])] if "kind" in entry else []
    parts += [f"{key} {entry[key]}" for key in ("deny", "size", "mtime") if key in entry]
    return ", ".join(parts)
