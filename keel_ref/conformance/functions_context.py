"""The wire functions of the area context: arguments and results in the form of the wire."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from keel_ref.conformance import functions_context_usage
from keel_ref.conformance.reference import Function

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType({**functions_context_usage.FUNCTIONS})
"""Every function of the area by its wire name."""
