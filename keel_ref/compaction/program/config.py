"""The config of a program, as the settings of a session. Spec: protocol.md, Programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import asdict, evolve, field, frozen

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.program.costs import CostCounter, row_cost, shown_units
from keel_ref.compaction.settings import Settings
from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.context import context_size
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.window.limits import window_limits

FOLDER: Final = "/session"
"""Where a program saves results; nothing is written."""
CONSTANTS: Final[Mapping[str, tuple[str, int]]] = {
    "auto_buffer": ("auto_buffer_tokens", 0),
    "warning_buffer": ("warning_buffer_tokens", 0),
    "blocking_buffer": ("blocking_buffer_tokens", 0),
    "summary_reserve": ("reserve_cap_tokens", 1),
    "restore_files": ("restore_cap_files", 0),
    "restore_file_tokens": ("restore_file_cap_tokens", 1),
    "skill_tokens": ("skill_cap_tokens", 1),
    "skills_tokens": ("skills_cap_tokens", 1),
    "result_limit": ("result_cap_units", 1),
    "message_limit": ("message_cap_units", 1),
    "preview": ("preview_cap_units", 4),
    "keep_results": ("micro_keep_results", 1),
    "gap_minutes": ("micro_gap_minutes", 0),
}
"""Constants that a config can replace by a smaller value: the field of `Constants`, and the least value."""


RELATIONS: Final = (
    ("blocking_buffer_tokens", "auto_buffer_tokens", 0),
    ("skill_cap_tokens", "skills_cap_tokens", 0),
    ("preview_cap_units", "result_cap_units", 1),
    ("result_cap_units", "message_cap_units", 0),
)
"""The first of each is smaller than the second, at least by the number behind them."""


@frozen(kw_only=True)
class Setup:
    """What a session of a program runs under."""

    window: int
    max_output: int
    env: Mapping[str, str] = field(factory=dict)
    values: Mapping[str, Any] = field(factory=dict)
    """The settings files."""
    gates: Gates = field(factory=Gates)
    choices: Choices = field(factory=Choices)
    constants: Constants = DEFAULT

    def settings(self) -> Settings:
        """The settings of the turn machine. Raises `InvalidArgumentError`."""
        limits = window_limits(
            window=self.window,
            max_output=self.max_output,
            env=self.env,
            settings=self.values,
            choices=self.choices,
            constants=self.constants,
        )
        measure = RoughMeasure(self.choices, self.constants)

        def count(rows: Any) -> int:
            return context_size(rows, choices=self.choices, counter=CostCounter(measure)).tokens

        def cost(rows: Any) -> int:
            return sum(map(row_cost, rows))

        return Settings(
            limits=limits,
            gates=self.gates,
            choices=self.choices,
            constants=self.constants,
            own_count=count,
            own_cost=cost,
            result_size=shown_units,
            session_folder=FOLDER,
        )

    def changed(self, args: Mapping[str, Any]) -> Setup:
        """With other windows, variables or settings, from now on."""
        known = {"window": "window", "max_output": "max_output", "env": "env", "settings": "values"}
        found = {field_name: args[name] for name, field_name in known.items() if args.get(name) is not None}
        return evolve(self, **found)


def read_config(config: Mapping[str, Any], gates: Mapping[str, bool], choices: Choices) -> Setup:
    """The config of a program. Raises `InvalidArgumentError` for what cannot be used. Spec: CMP-180."""
    config = {name: value for name, value in config.items() if value is not None}
    constants = {
        field_name: _whole(name, config[name], least, getattr(DEFAULT, field_name))
        for name, (field_name, least) in CONSTANTS.items()
        if name in config
    }
    if "warning_buffer_tokens" in constants:
        constants["error_buffer_tokens"] = constants["warning_buffer_tokens"]  # [WIN-015] both change together
    if "result_cap_units" in constants:
        constants["shell_cap_units"] = min(DEFAULT.shell_cap_units, constants["result_cap_units"])
    held = {**asdict(DEFAULT), **constants}
    for small, large, gap in RELATIONS:
        if held[small] + gap > held[large]:
            raise InvalidArgumentError(f"config.{_word(small)}", f"does not fit {_word(large)}; give both")
    setup = Setup(
        window=config.get("window", 200_000),
        max_output=config.get("max_output", 32_000),
        env=config.get("env", {}),
        values=config.get("settings", {}),
        gates=Gates.of(gates),
        choices=choices,
        constants=evolve(DEFAULT, **constants),
    )
    setup.settings()  # whatever is wrong with it is said now
    return setup


def _whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgumentError(f"config.{name}", f"{value!r} is no whole number from {least} to {most}")
    return value


def _word(field_name: str) -> str:
    return next(word for word, (own, _) in CONSTANTS.items() if own == field_name)
