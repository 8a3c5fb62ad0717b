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


def test_the_specification_says_what_was_measured() -> None:
    """The figures of EST-030 are those of the fresh windows: of the two halves of the named families, and of `any`."""
    clause = (ROOT / "spec/tokens.md").read_text(encoding="utf-8").partition("### EST-030 ")[2].partition("\n### ")[0]
    families = {name: found["all"] for name, found in FRESH["families"].items()}
    below = sorted(families[name]["below_per_1000"] for name in families if name != "any")
    figures_there = [
        f"({below[5]:.1f} to {below[-1]:.1f} in 1,000), the other five in {below[0]:.1f} to {below[4]:.1f} in 1,000",
        f"on {FRESH['windows']:,} windows",
        f"the worst estimate is {min(one['worst'] for one in families.values()):.2f} of the count",
        f"until it had {families['any']['below_per_1000']:.1f} in 1,000",
        f"had {FRESH['families']['any']['before_raise']['all']['below_per_1000']:.1f}.",
    ]

    assert [] == [one for one in figures_there if one not in " ".join(clause.split())]
