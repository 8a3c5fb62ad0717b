"""The machine that lets everything happen to what is kept, and looks back at the whole history."""

from hypothesis import settings

from keel_ref.conformance.marks import clause
from keel_ref.strategies.machines.caches import CachesMachine

STEPS = 30
"""Events in a row: a value may be made, outlive four kinds of clearing and be cleared by a fifth."""

TestCachesMachine = clause("CTX-030", "CTX-031", "CTX-032", "CTX-033", "CTX-034", "CTX-035", "CTX-036", "CTX-037")(
    CachesMachine.TestCase
)
TestCachesMachine.settings = settings(stateful_step_count=STEPS)
