"""Programs: steps in the form of the wire that drive the turn machine. Spec: CMP-180, CMP-181, protocol.md."""

from keel_ref.compaction.program.run import run_program, start_program

__all__ = ["run_program", "start_program"]
