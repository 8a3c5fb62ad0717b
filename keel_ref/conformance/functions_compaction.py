"""The wire functions of the area compaction, gathered from the modules that hold them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from keel_ref.conformance.functions_compaction_restore import FUNCTIONS as RESTORE

FUNCTIONS: Final = MappingProxyType({**RESTORE})
"""Every function of the area by its wire name."""
