"""Speaks the wire like `keel-ref serve`, with one fault in the model: `python -m tests.mutants.serve_mutant NAME`.

What stands behind the name goes to `serve`.
"""

import sys

from tests.mutants.plant import plant
from tests.mutants.seeded import find_mutant


def main() -> int:
    """Put the fault in place, then serve."""
    plant(find_mutant(sys.argv[1]))
    from keel_ref.cli import main as keel_ref  # noqa: PLC0415 (behind the fault)

    return keel_ref(["serve", *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())
