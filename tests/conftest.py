"""How far the generated tests go: `dev` by hand, `ci` the same every time, `soak` for a long night.

`HYPOTHESIS_PROFILE` names the profile; without it `ci` is taken where the variable `CI` is set, else `dev`.
"""

import os

from hypothesis import settings

DEV_EXAMPLES = 50
CI_EXAMPLES = 100
SOAK_EXAMPLES = 20_000

settings.register_profile("dev", max_examples=DEV_EXAMPLES, deadline=None)
settings.register_profile(
    "ci", max_examples=CI_EXAMPLES, deadline=None, derandomize=True, database=None, print_blob=True
)
settings.register_profile("soak", max_examples=SOAK_EXAMPLES, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
