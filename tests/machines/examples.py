"""How far the machines go: twice as far as a single property, since they find what no property thinks of."""

from typing import Final

from hypothesis import settings

SOAK_EXAMPLES: Final = 20_000
MACHINE_EXAMPLES: Final = min(2 * settings().max_examples, SOAK_EXAMPLES)
"""Runs of a machine: 100 by hand, 200 where the variable `CI` is set, 20,000 in a long night."""
