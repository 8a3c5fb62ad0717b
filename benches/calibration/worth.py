# mypy: ignore-errors
"""Writes the short table of what the bound is worth into README.md, from results.json and fresh2.json.

It stands between the lines `<!-- worth -->` and `<!-- /worth -->`; `make weights` runs this.
"""

import json
import textwrap
from pathlib import Path

from report_table import table

HERE = Path(__file__).resolve().parent
README = HERE.parents[1] / "README.md"
START, END = "<!-- worth -->\n", "<!-- /worth -->"


def main() -> None:
    """Puts the table in the place of the last one."""
    results, fresh = (json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")) for name in ("results", "fresh2"))
    before, _, rest = README.read_text(encoding="utf-8").partition(START)
    _, mark, after = rest.partition(END)
    assert mark, "README.md has no place for the table any more"
    README.write_text(before + START + worth(results, fresh) + mark + after, encoding="utf-8")


def worth(results: dict, fresh: dict) -> str:
    """The table and what it stands on."""
    rows = []
    for family, found in results["families"].items():
        held, new = found["held_out"], fresh["families"][family]["all"]
        ours = [cell for line in (held, new) for cell in three(line)]
        rows.append([f"`{family}`", *ours, round(new["documented_below_per_1000"])])
    windows = results["families"]["any"]["held_out"]["windows"]
    head = ["family", "below", "worst", "median", "below, new", "worst, new", "median, new", "documented below, new"]
    raised = ", ".join(f"`{family}`" for family in fresh["raised"])
    about = f"""
        Windows of 2,000 characters: {windows} held out of the corpus, and {fresh["windows"]} *new* ones, of packages
        that nobody had looked at. *Below*: windows in 1,000 whose estimate is below the real count. *Worst*: the least
        estimate by real count. *Median*: of ordinary text, that is prose, code, Markdown and JSON. After
        the new windows were measured, these were raised a little: {raised or "none"}. {again(fresh)} All of it:
        [RESULTS.md](benches/calibration/RESULTS.md).
    """
    return textwrap.fill(" ".join(about.split()), 120, break_on_hyphens=False) + "\n\n" + table(head, rows) + "\n"


def again(fresh: dict) -> str:
    """What was fitted to the new windows themselves, and what it was worth on them before."""
    sentences = []
    for family, factor in fresh["raised_again"].items():
        before = fresh["families"][family]["before_second_raise"]["all"]
        sentences.append(
            f"`{family}` was raised by {factor:g} more, until it kept 1 in 1,000 on the new windows too (before:"
            f" {before['below_per_1000']:.1f}): for it they are no test."
        )
    return " ".join(sentences)


def three(line: dict) -> list[str]:
    """Below, worst and median of one set."""
    return [f"{line['below_per_1000']:.1f}", f"{line['worst']:.2f}", f"{line['median_ordinary']:.2f}"]


if __name__ == "__main__":
    main()
