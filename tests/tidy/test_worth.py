"""The short table of README.md is that of the results."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RESULTS, FRESH = (
    json.loads((ROOT / f"benches/calibration/{name}.json").read_text(encoding="utf-8"))
    for name in ("results", "fresh2")
)
TABLE = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- worth -->")[2].partition("<!-- /worth -->")[0]


def figures(line: dict[str, Any]) -> list[str]:
    """Below, worst and median as the table writes them."""
    return [f"{line['below_per_1000']:.1f}", f"{line['worst']:.2f}", f"{line['median_ordinary']:.2f}"]


@pytest.mark.parametrize("family", RESULTS["families"])
def test_the_readme_says_what_was_measured(family: str) -> None:
    """A family's line has its figures on held-out and on fresh windows, and the documented rule's (`make weights`)."""
    held, fresh = RESULTS["families"][family]["held_out"], FRESH["families"][family]["all"]
    cells = [f"`{family}`", *figures(held), *figures(fresh), str(round(fresh["documented_below_per_1000"]))]

    assert "| " + " | ".join(cells) + " |" in TABLE.splitlines()
