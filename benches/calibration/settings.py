# mypy: ignore-errors
"""Where the calibration keeps what it fetches and counts, and the seeds and sizes that it uses."""

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
CACHE = Path(os.environ.get("KEEL_CALIBRATION", REPOSITORY / ".calibration"))
"""Outside the repository as far as git is concerned: it ignores itself."""

WINDOW_CHARACTERS = 2000
"""Size of the windows that the promise is about."""
SMALL_CHARACTERS = 200
LARGE_CHARACTERS = 20_000
"""The sizes that tell how the error changes with size."""
SLICE_CHARACTERS = 6000
"""At most this much of one file before the next one has its turn."""
WINDOWS = {"full": 20, "quick": 5}
"""Windows of one source of one kind."""
SEED = "keel-ref calibration 1"
"""Says which windows are drawn and which source goes to which set."""
EXTENT = os.environ.get("KEEL_CALIBRATION_EXTENT", "full")
"""full, or quick: a quarter of the windows, to try the scripts."""


LAST = CACHE / "last-results"
"""Says which folder the last run of calibrate.py wrote to."""


def results_folder(*, complete: bool) -> Path:
    """Where results go: beside this file when all families were run on the full extent, else below the cache."""
    if EXTENT == "full" and complete:
        return HERE
    folder = CACHE / (EXTENT if EXTENT != "full" else "partial")
    folder.mkdir(exist_ok=True)
    return folder


def last_folder() -> Path:
    """Where the last results are, for the steps that come after."""
    return Path(LAST.read_text(encoding="utf-8"))


def weights_file(folder: Path) -> Path:
    """The module of weights of such results: the one that ships, or one beside incomplete results."""
    return REPOSITORY / "keel_ref/tokens/weights.py" if folder == HERE else folder / "weights.py"
