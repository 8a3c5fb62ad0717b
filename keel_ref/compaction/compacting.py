"""One compaction from its demand to its new list. Spec: CMP-090 to CMP-094."""

from __future__ import annotations

from attrs import evolve

from keel_ref.choices import InflatedSummary
from keel_ref.compaction.attempt import Attempt
from keel_ref.compaction.cleanup import caches_to_clear
from keel_ref.compaction.effects import AskSummary, ClearCaches, ReadFiles, RunHooks
from keel_ref.compaction.rebuild import rebuild
from keel_ref.compaction.settings import HookKind
from keel_ref.compaction.state import Compaction, ForHooks, ForSummary, Pass, State, Step
from keel_ref.compaction.strip import strip_for_summary
from keel_ref.compaction.trace import Decision, Layer, Why
