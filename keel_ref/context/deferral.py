"""Which tools are told by name alone until somebody asks for them. Spec: CTX-070 to CTX-075."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.choices import Choices, DeferEdge
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import trim_white_space
from keel_ref.units import div_floor
from keel_ref.window.reports import ValueReason, ValueReport

SEARCH_VARIABLE: Final = "ENABLE_TOOL_SEARCH"
SEARCH_TOOL: Final = "ToolSearch"
KNOWN_HOST: Final = "api.anthropic.com"
FULL_PERCENT: Final = 100

_AUTO: Final = re.compile(r"auto:([0-9]{1,3})")
_HOST: Final = re.compile(r"https?://([^/?#@:]+)(?::[0-9]+)?(?:[/?#].*)?", re.IGNORECASE | re.DOTALL)


class Mode(StrEnum):
    """When tools are deferred. Spec: CTX-071."""

    ALWAYS = "always"
    THRESHOLD = "threshold"
    NEVER = "never"


_WORDS: Final = MappingProxyType({"": Mode.ALWAYS, "true": Mode.ALWAYS, "false": Mode.NEVER, "auto": Mode.THRESHOLD})
"""What the words of the variable mean; the empty one is none. Spec: CTX-071."""


class Ground(StrEnum):
    """What decided about one tool. Spec: CTX-070."""

    ALWAYS_LOAD = "always-load"
    MCP = "mcp"
    SEARCH_ITSELF = "search-itself"
    FEATURE_BOUND = "feature-bound"
    OWN_FLAG = "own-flag"


@frozen(kw_only=True)
class Offer:
    """A tool as far as this chapter looks at it."""

    name: str
    server: str | None = None
    """None: it is built in."""
    is_always_loaded: bool = False
    is_feature_bound: bool = False
    """One of the few that a feature needs at once."""
    is_own_flag: bool = False
    """What the tool says of itself."""
    tokens: int = field(default=0, validator=ge(0))
    """What its definition costs. Spec: CTX-073."""


@frozen(kw_only=True)
class Verdict:
    """Whether a tool can be deferred, and whether it is."""

    name: str
    can_be_deferred: bool
    """Spec: CTX-070."""
    ground: Ground
    is_deferred: bool
    """Spec: CTX-071, CTX-072."""


@frozen(kw_only=True)
class Deferral:
    """What was decided about all tools."""

    mode: Mode
    threshold: int | None
    """Tokens; None where none is asked about. Spec: CTX-072."""
    tokens: int
    """Of all definitions that can be deferred. Spec: CTX-073."""
    is_on: bool
    tools: tuple[Verdict, ...]
    reports: tuple[ValueReport, ...]
    """What was decided about the variable. Spec: CTX-075."""


@frozen
class _Asked:
    """What the variable asks for."""

    mode: Mode
    percent: int = 0
    is_explicit: bool = True
    reports: tuple[ValueReport, ...] = ()


def judge(tool: Offer) -> tuple[bool, Ground]:
    """Whether a tool can be deferred, by the first rule that speaks about it. Spec: CTX-070."""
    if tool.is_always_loaded:
        return False, Ground.ALWAYS_LOAD  # [CTX-070] 1
    if tool.server is not None:
        return True, Ground.MCP  # [CTX-070] 2
    if tool.name == SEARCH_TOOL:
        return False, Ground.SEARCH_ITSELF  # [CTX-070] 3
    if tool.is_feature_bound:
        return False, Ground.FEATURE_BOUND  # [CTX-070] 4
    return tool.is_own_flag, Ground.OWN_FLAG  # [CTX-070] 5


def decide_deferral(
    tools: Sequence[Offer],
    *,
    window: int,
    model: str | None,
    base_url: str | None,
    env: Mapping[str, str],
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> Deferral:
    """Which tools are deferred for a model and a window. Spec: CTX-070 to CTX-075."""
    asked = _asked(env.get(SEARCH_VARIABLE), constants)
    mode = asked.mode
    if is_haiku(model) or (not asked.is_explicit and not is_known(base_url)):
        mode = Mode.NEVER  # [CTX-074]
    verdicts = [judge(tool) for tool in tools]
    tokens = sum(tool.tokens for tool, (can, _) in zip(tools, verdicts, strict=True) if can)  # [CTX-073]
    threshold = None
    if mode is Mode.THRESHOLD:
        threshold = div_floor(window * asked.percent, FULL_PERCENT)  # [CTX-072]
    is_on = mode is Mode.ALWAYS or _is_reached(tokens, threshold, choices or Choices())
    return Deferral(
        mode=mode,
        threshold=threshold,
        tokens=tokens,
        is_on=is_on,
        tools=tuple(_verdicts(tools, verdicts, is_on=is_on)),
        reports=asked.reports,
    )


def is_known(base_url: str | None) -> bool:
    """Whether requests go to the provider itself. Spec: CTX-074."""
    found = None if base_url is None else _HOST.fullmatch(trim_white_space(base_url))
    return not base_url or (found is not None and found[1].lower() == KNOWN_HOST)  # [CTX-074]


def is_haiku(model: str | None) -> bool:
    """Whether the model is one of those that cannot search for tools. Spec: CTX-074."""
    return model is not None and "haiku" in model.lower()  # [CTX-074]


def _is_reached(tokens: int, threshold: int | None, choices: Choices) -> bool:
    if threshold is None:
        return False
    return tokens > threshold or (tokens == threshold and choices.defer_edge is DeferEdge.AT)  # [CTX-072]


def _verdicts(tools: Iterable[Offer], verdicts: Iterable[tuple[bool, Ground]], *, is_on: bool) -> Iterable[Verdict]:
    for tool, (can, ground) in zip(tools, verdicts, strict=True):
        yield Verdict(name=tool.name, can_be_deferred=can, ground=ground, is_deferred=can and is_on)


def _asked(text: str | None, constants: Constants) -> _Asked:
    """What the variable says. Spec: CTX-071, CTX-075."""
    word = trim_white_space(text or "").lower()
    if word in _WORDS:
        return _Asked(_WORDS[word], constants.defer_default_percent, is_explicit=bool(word))  # [CTX-071]
    found = _AUTO.fullmatch(word)
    percent = None if found is None else int(found[1])
    if percent is None or percent > FULL_PERCENT:
        reason = ValueReason.NO_SWITCH if not word.startswith("auto:") else ValueReason.OUT_OF_RANGE
        return _Asked(Mode.ALWAYS, is_explicit=False, reports=(ValueReport(reason, SEARCH_VARIABLE),))  # [CTX-075]
    if percent in {0, FULL_PERCENT}:
        return _Asked(Mode.ALWAYS if percent == 0 else Mode.NEVER)  # [CTX-071] both ends
    return _Asked(Mode.THRESHOLD, percent)
