"""The wire functions of the area compaction, gathered from the modules that have them."""

from types import MappingProxyType
from typing import Final

from keel_ref.conformance import functions_compaction_cuts as cuts

FUNCTIONS: Final = MappingProxyType({**cuts.FUNCTIONS})
"""Every function of the area by its wire name."""
