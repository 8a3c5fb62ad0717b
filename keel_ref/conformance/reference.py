"""The built-in reference: which functions it has, what it claims, and what it chose."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module, metadata
from types import MappingProxyType
from typing import Any, Final

from keel_ref.conformance.config import CallConfig, resolve_gates
from keel_ref.conformance.registry import load_capabilities
from keel_ref.errors import UnknownFunctionError
from keel_ref.resources import spec_folder

Function = Callable[[Mapping[str, Any], CallConfig], Mapping[str, Any]]
"""Arguments as the wire writes them and what the call runs under, to the result as the wire writes it.

Raises `KeelError` where the arguments are at fault; its `code` is the error's kind."""

RunStep = Callable[[Any], Mapping[str, Any]]
"""A step of a program as the wire writes it, to its outcome; a step that ends in an error changes nothing."""

_MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "compaction": "keel_ref.conformance.functions_compaction",
        "context": "keel_ref.conformance.functions_context",
        "memory": "keel_ref.conformance.functions_memory",
        "messages": "keel_ref.conformance.functions_tokens",
        "text": "keel_ref.conformance.functions_memory",
        "tokens": "keel_ref.conformance.functions_tokens",
        "transcript": "keel_ref.conformance.functions_transcript",
        "window": "keel_ref.conformance.functions_window",
    }
)
"""First part of a function's name, and the module whose `FUNCTIONS` holds it. Imported when first asked for."""


_PROGRAM_MODULE: Final = "keel_ref.compaction.program"
"""Where `run_program` is; imported when the first program is run."""


class _Functions(Mapping[str, Function]):
    """Every function of the reference by name, each area imported when it is first called."""

    def __getitem__(self, name: str) -> Function:
        area = name.partition(".")[0]
        if area not in _MODULES:
            raise KeyError(name)
        found: Function = import_module(_MODULES[area]).FUNCTIONS[name]
        return found

    def __iter__(self) -> Iterator[str]:
        modules = dict.fromkeys(_MODULES.values())
        return iter(sorted(name for module in modules for name in import_module(module).FUNCTIONS))

    def __len__(self) -> int:
        return len(tuple(iter(self)))


FUNCTIONS: Final[Mapping[str, Function]] = _Functions()
"""Every function of the reference by its registered name."""


def call_reference(name: str, args: Mapping[str, Any], config: CallConfig) -> Mapping[str, Any]:
    """What the reference gives for one call. Raises `KeelError` for what the caller got wrong."""
    function = FUNCTIONS.get(name)
    if function is None:
        raise UnknownFunctionError(name)
    return function(args, config)


def run_reference_program(
    config: Mapping[str, Any], steps: Sequence[Any], base: CallConfig
) -> Sequence[Mapping[str, Any]]:
    """The outcome of each step of a program. Raises `KeelError` for a config that is wrong."""
    trace: Sequence[Mapping[str, Any]] = import_module(_PROGRAM_MODULE).run_program(
        config, steps, gates=resolve_gates(config.get("gates"), base=base.gates), choices=base.choices
    )
    return trace


def start_reference_program(config: Mapping[str, Any], base: CallConfig) -> RunStep:
    """Begin a program: a function that runs its next step, to that step's outcome. Raises `KeelError`."""
    gates = resolve_gates(config.get("gates"), base=base.gates)
    run: RunStep = import_module(_PROGRAM_MODULE).start_program(config, gates=gates, choices=base.choices)
    return run


def claimed_capabilities() -> Mapping[str, Mapping[str, Any]]:
    """Everything registered, but for names that are reserved for later."""
    return {name: {} for name, entry in load_capabilities(spec_folder()).items() if not entry.is_reserved}


def describe_reference() -> Mapping[str, str]:
    """Who the reference is, as `impl` of its hello."""
    return {
        "name": "keel-ref",
        "version": suite_version(),
        "language": "python",
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        "binding": "in_process",
    }


def suite_version() -> str:
    """The version of this suite, which is that of the package."""
    return metadata.version("keel-ref")
