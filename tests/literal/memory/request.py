"""The arguments of a call."""

from collections.abc import Callable
from typing import Any

import attrs

from tests.literal.memory.errors import LiteralError
from tests.literal.memory.paths import Flavour, is_absolute
from tests.literal.memory.space import trim
from tests.literal.memory.wire import read_path

INVALID = "invalid_argument"
"""The kind of error of a bad argument."""

SOURCES = ("user", "project", "local")
"""The setting sources. [MEM-013]"""

DEFAULT_CHOICES = {
    "memory.root": ("skip", "read"),
    "memory.include_order": ("parent-first", "child-first"),
    "memory.include_hops": ("4", "5"),
    "memory.index_unit": ("utf16", "utf8"),
    "memory.identity": ("path", "real"),
    "memory.brace_nesting": ("first-close", "nested"),
    "memory.bom": ("hides", "ignored"),
    "memory.bare_added": ("all", "added-only"),
    "memory.injected_filter": ("off", "on"),
    "memory.nested_cut": ("off", "on"),
    "env.truthy": ("wide", "strict"),
}
"""The values of each choice, the default first."""

GATES = ("memory_prefetch", "team_memory")
"""The gates of this area; both are off unless a call says otherwise."""


@attrs.frozen(kw_only=True)
class Request:
    """The arguments of `memory.load` and `memory.touch`, valid and with their defaults."""

    cwd: str
    """Absolute."""
    home: str
    """Empty if it is unknown."""
    tree: Any
    """Entries, not read yet."""
    config_dir: str | None
    """The config home, if it is named."""
    managed_dir: str | None
    """The managed folder, if there is one."""
    add_dirs: tuple[str, ...]
    """Added folders, in order."""
    sources: tuple[str, ...]
    """Setting sources that are on."""
    settings: tuple[str, ...]
    """Settings files that are named, in order."""
    approve_external: bool
    """Whether the project is approved."""
    bare: bool
    """Bare mode."""
    env: dict[str, str]
    """Variables."""
    folds_case: bool
    """Whether the tree is case-insensitive."""
    flavour: Flavour
    """How paths are written."""
    reads: tuple[str, ...]
    """Targets, in order; only of `memory.touch`."""


def invalid(name: str) -> LiteralError:
    """The error of a bad argument."""
    return LiteralError(INVALID, name)


class Arguments:
    """Takes the arguments of a call one by one."""

    def __init__(self, args: Any) -> None:
        if not isinstance(args, dict):
            raise invalid("args")
        self._left = dict(args)

    def take(self, name: str, default: Any, is_valid: Callable[[Any], bool]) -> Any:
        """An argument, or its default."""
        value = self._left.pop(name, default)
        if value is not default and not is_valid(value):
            raise invalid(name)
        return value

    def path(self, name: str) -> str | None:
        """A path that may be missing."""
        value = self._left.pop(name, None)
        text = None if value is None else read_path(value, INVALID)
        if text == "":
            raise invalid(name)
        return text

    def paths(self, name: str) -> tuple[str, ...]:
        """A list of paths."""
        values = self.take(name, [], lambda value: isinstance(value, list))
        texts = tuple(read_path(value, INVALID) for value in values)
        if "" in texts:
            raise invalid(name)
        return texts

    def finish(self) -> None:
        """No other arguments are known."""
        if self._left:
            raise invalid(", ".join(map(str, self._left)))


def is_texts(value: Any) -> bool:
    """Whether it is an object of texts."""
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def is_sources(value: Any) -> bool:
    """Whether it is a list of setting sources. Spec: MEM-013."""
    return isinstance(value, list) and all(isinstance(name, str) and name in SOURCES for name in value)


def is_bool(value: Any) -> bool:
    """Whether it is true or false."""
    return isinstance(value, bool)


def read_request(args: Any, *, with_reads: bool) -> Request:
    """The arguments of `memory.load` or `memory.touch`."""
    arguments = Arguments(args)
    case = arguments.take("case", "sensitive", lambda value: value in {"sensitive", "insensitive"})
    flavour = Flavour(arguments.take("flavour", "posix", lambda value: value in {"posix", "windows"}))
    cwd = arguments.path("cwd")
    home = arguments.take("home", "", lambda value: isinstance(value, str | dict))
    request = Request(
        cwd=cwd or "",
        home=read_path(home, INVALID),
        tree=arguments.take("tree", [], lambda _: True),
        config_dir=arguments.path("config_dir"),
        managed_dir=arguments.path("managed_dir"),
        add_dirs=arguments.paths("add_dirs"),
        sources=tuple(arguments.take("sources", list(SOURCES), is_sources)),
        settings=arguments.paths("settings"),
        approve_external=arguments.take("approve_external", default=False, is_valid=is_bool),
        bare=arguments.take("bare", default=False, is_valid=is_bool),
        env=arguments.take("env", {}, is_texts),
        folds_case=case == "insensitive",
        flavour=flavour,
        reads=arguments.paths("reads") if with_reads else (),
    )
    arguments.finish()
    if not all(is_absolute(path, flavour) for path in (request.cwd, *request.reads)):
        raise invalid("cwd or reads")  # [MEM-008]
    return request


def read_choices(choices: dict[str, str]) -> dict[str, str]:
    """A value for every choice."""
    chosen = {name: values[0] for name, values in DEFAULT_CHOICES.items()}
    for name, value in choices.items():
        if value not in DEFAULT_CHOICES.get(name, ()):
            raise LiteralError("unknown_choice", f"{name} {value}")
        chosen[name] = value
    return chosen


def read_gates(gates: dict[str, bool]) -> dict[str, bool]:
    """A state for every gate."""
    if any(name not in GATES or not isinstance(state, bool) for name, state in gates.items()):
        raise LiteralError("unknown_choice", f"{gates}")
    return {name: gates.get(name, False) for name in GATES}


def is_on(env: dict[str, str], name: str, truthy: str) -> bool:
    """Whether a variable that is a switch is on. Spec: MEM-014."""
    words = {"1", "true", "yes", "on"} if truthy == "wide" else {"1", "true"}
    return trim(env.get(name, "")).lower() in words  # [MEM-014]
