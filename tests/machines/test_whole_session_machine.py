"""The machine to which memory, compaction and context are one session."""

from hypothesis import settings

from keel_ref.conformance.marks import clause
from keel_ref.strategies.machines.whole_session import WholeSessionMachine

STEPS = 30
"""Events in a row: a mode needs six prompts for its second reminder."""

TestWholeSessionMachine = clause(
    *("CTX-023", "CTX-033", "CTX-036", "CTX-040", "CTX-041", "CTX-043"), *("CTX-050", "CTX-051", "CTX-052", "CTX-067")
)(WholeSessionMachine.TestCase)
TestWholeSessionMachine.settings = settings(stateful_step_count=STEPS)
