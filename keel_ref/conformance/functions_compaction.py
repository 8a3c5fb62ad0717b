"""The wire functions of the area compaction, gathered from the modules that have them."""

from types import MappingProxyType
from typing import Final

from keel_ref.conformance.functions_compaction_cuts import FUNCTIONS as CUTS

FUNCTIONS: Final = MappingProxyType({**CUTS})
"""Every function of the area by its wire name."""
