"""The wire functions of the area compaction, gathered from the modules that hold them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from keel_ref.conformance.functions_compaction_cuts import FUNCTIONS as CUTS
from keel_ref.conformance.functions_compaction_restore import FUNCTIONS as RESTORE
from keel_ref.conformance.functions_compaction_turn import FUNCTIONS as TURN

FUNCTIONS: Final = MappingProxyType({**CUTS, **RESTORE, **TURN})
"""Every function of the area by its wire name."""
