"""The wire functions of the area context: arguments and results in the form of the wire."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from keel_ref.conformance.functions_context_choosing import FUNCTIONS as CHOOSING
from keel_ref.conformance.functions_context_core import FUNCTIONS as CORE
from keel_ref.conformance.functions_context_usage import FUNCTIONS as USAGE

FUNCTIONS: Final = MappingProxyType({**CORE, **CHOOSING, **USAGE})
"""Every function of the area by its wire name."""
