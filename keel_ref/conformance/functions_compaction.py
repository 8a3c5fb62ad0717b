"""The wire functions of the area compaction, gathered from the modules that hold them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from keel_ref.conformance import functions_compaction_cuts as cuts
from keel_ref.conformance import functions_compaction_restore as restore
from keel_ref.conformance import functions_compaction_turn as turn

FUNCTIONS: Final = MappingProxyType({**cuts.FUNCTIONS, **restore.FUNCTIONS, **turn.FUNCTIONS})
"""Every function of the area by its wire name."""
