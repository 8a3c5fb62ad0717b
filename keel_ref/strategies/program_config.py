"""What a generated program runs under, and where the thresholds lie that its sizes aim at."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.strategies.draws import Draw

UNITS_PER_TOKEN: Final = 4
"""Units of a result's size that make one token in a program."""
_PERCENTAGES: Final = ("1", "50", "80", "95", "100")
_GATES: Final[tuple[Mapping[str, bool], ...]] = (
    {"time_micro": True},
    {"snip": True},
    {"reactive": True},
    {"collapse": True},
    {"time_micro": True, "snip": True},
    {"time_micro": True, "snip": True},
    {"message_sum": False},
    {"collapse": True, "reactive": True},
    {"cached_micro": True},
    {"time_micro": True, "message_sum": False},
    {"time_micro": True, "reactive": True},
    {"reactive": True, "reactive_only": True},
    {"reactive_only": True},
    {"snip": True, "reactive": True, "message_sum": False},
)


@frozen(kw_only=True)
class Thresholds:
    """The sizes at which something changes, as the config alone tells them; the model has the last word."""

    window: int = 200_000
    max_output: int = 32_000
    summary_reserve: int = 20_000
    auto_buffer: int = 13_000
    warning_buffer: int = 20_000
    blocking_buffer: int = 3_000
    result_limit: int = 50_000
    """In units."""
    message_limit: int = 200_000
    """In units."""
    keep_results: int = 5
    """Results that clearing leaves."""
    gap_minutes: int = 60

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Thresholds":
        """The thresholds of a config."""
        known = cls()
        return evolve(known, **{name: config[name] for name in config if hasattr(known, name)})

    @property
    def context(self) -> tuple[int, ...]:
        """Sizes of the whole context, in tokens: warning, automatic compaction, blocking."""
        effective = self.window - min(self.max_output, self.summary_reserve)
        auto = effective - self.auto_buffer
        return (auto - self.warning_buffer, auto, effective - self.blocking_buffer)

    @property
    def results(self) -> tuple[int, ...]:
        """Sizes of one result, in tokens."""
        return (self.result_limit // UNITS_PER_TOKEN, self.message_limit // UNITS_PER_TOKEN)


def draw_config(draw: Draw) -> dict[str, Any]:
    """A config: the defaults, or small numbers, by which a few steps reach every threshold."""
    config = _small_config(draw) if draw.chance(70) else {}
    if not config and draw.chance(30):
        config["window"] = draw.pick((150_000, 1_000_000, 200_001))
    gates = draw_gates(draw)
    if gates:
        config["gates"] = gates
    env = draw_env(draw) if draw.chance(12) else {}
    if env:
        config["env"] = env
    if draw.chance(5):
        config["settings"] = {"autoCompactEnabled": draw.pick((False, True))}
    return config


def _small_config(draw: Draw) -> dict[str, Any]:
    config: dict[str, Any] = {
        "window": draw.pick((1_000, 2_000, 4_000)),
        "max_output": draw.pick((200, 100, 300)),
        "auto_buffer": draw.pick((80, 50, 130)),
        "warning_buffer": draw.pick((60, 100)),
        "blocking_buffer": draw.pick((40, 20)),
    }
    if draw.chance(60):
        config |= {"result_limit": draw.pick((800, 400)), "message_limit": draw.pick((1_600, 1_000)), "preview": 80}
    if draw.chance(50):
        config |= {"skill_tokens": draw.pick((40, 60)), "skills_tokens": draw.pick((100, 60))}
    optional: Mapping[str, tuple[int, ...]] = {
        "summary_reserve": (150, 50),
        "keep_results": (1, 2),
        "gap_minutes": (1, 5),
        "restore_files": (1, 2),
        "restore_file_tokens": (50, 100),
    }
    for name, values in optional.items():
        if draw.chance(60):
            config[name] = draw.pick(values)
    return config


def draw_gates(draw: Draw) -> str | dict[str, bool] | None:
    """Gates: mostly the default preset, else the other one, or a few of them turned over."""
    if draw.chance(40):
        return None
    if draw.chance(10):
        return "released"
    return dict(draw.pick(_GATES))


def opened_gates(config: Mapping[str, Any]) -> frozenset[str]:
    """The gates that a config opens by name."""
    gates = config.get("gates")
    return frozenset(name for name, is_open in gates.items() if is_open) if isinstance(gates, Mapping) else frozenset()


def draw_env(draw: Draw) -> dict[str, str]:
    """Variables that move a threshold, or switch something off."""
    return draw.pick(
        (
            {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": draw.pick(_PERCENTAGES)},
            {"DISABLE_AUTO_COMPACT": "1"},
            {"DISABLE_COMPACT": "1"},
            {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": draw.pick(("900", "100000", "0"))},
            {"CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE": draw.pick(("700", "150000"))},
        )
    )
