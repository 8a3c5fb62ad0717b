"""`python -m keel_ref.cli` is `keel-ref`."""

import sys

from keel_ref.cli import main

sys.exit(main())
