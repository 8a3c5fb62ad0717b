"""What a call may set beside its arguments: the choices an implementation made, and the gates of a scenario."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import field, frozen

from keel_ref.errors import InvalidArgumentError, UnknownChoiceError

DOCUMENTED: Final[Mapping[str, bool]] = MappingProxyType(
    {
        "break_cache": False,
        "cache_break_detection": False,
        "cached_micro": False,
        "collapse": False,
        "memory_prefetch": False,
        "message_sum": True,
        "reactive": False,
        "reactive_only": False,
        "session_memory": True,
        "sm_compact": True,
        "snip": False,
        "team_memory": False,
        "time_micro": False,
        "token_budget": False,
    }
)
"""Every gate, as the documents leave it. A gate is a layer that can be off as a whole."""

RELEASED: Final[Mapping[str, bool]] = MappingProxyType(dict.fromkeys(DOCUMENTED, False))
"""Every gate, as the released build leaves it."""

PRESETS: Final[Mapping[str, Mapping[str, bool]]] = MappingProxyType({"documented": DOCUMENTED, "released": RELEASED})
"""The named sets of gates; the first is the default."""


@frozen(kw_only=True)
class CallConfig:
    """What one call runs under."""

    choices: Mapping[str, str] = field(factory=dict)
    """Wire name of a choice to its value; what is not named takes its default."""
    gates: Mapping[str, bool] = DOCUMENTED
    """Every gate, open or shut."""


def resolve_gates(wanted: object, *, base: Mapping[str, bool] = DOCUMENTED) -> Mapping[str, bool]:
    """The gates of a scenario from a preset's name, or from a map that changes the base."""
    if wanted is None:
        return base
    if isinstance(wanted, str):
        if wanted not in PRESETS:
            raise UnknownChoiceError("gates", wanted, tuple(PRESETS))
        return PRESETS[wanted]
    if not isinstance(wanted, Mapping):
        raise InvalidArgumentError("config.gates", "give a preset's name, or a map of gate to true or false")
    for name, value in wanted.items():
        if name not in DOCUMENTED:
            raise UnknownChoiceError(f"gates.{name}", str(value), ())
        if not isinstance(value, bool):
            raise UnknownChoiceError(f"gates.{name}", str(value), ("true", "false"))
    return {**base, **wanted}


def call_config(config: Mapping[str, Any] | None, base: CallConfig) -> CallConfig:
    """What a call runs under: its own `config`, laid over what the process was started with."""
    if config is None:
        return base
    return CallConfig(choices=base.choices, gates=resolve_gates(config.get("gates"), base=base.gates))
