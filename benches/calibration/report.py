# mypy: ignore-errors
# ruff: noqa: E501, ISC004 -- the sentences of the report stand in one piece
"""Writes what came out: the table of weights that ships, results.json, and RESULTS.md to read (`python report.py`)."""

import json
import re

import numpy as np
from families import EVIDENCE, RAISED, RAISED_AGAIN
from report_fresh import first_section, fresh_section
from report_module import module
from report_table import table
from settings import HERE, LAST, last_folder, results_folder, weights_file


def write(out: dict, weights: dict[str, np.ndarray]) -> None:
    """The results by number and the module; RESULTS.md is written by `main`, when the fresh texts are measured too."""
    folder = results_folder(complete=set(weights) == set(EVIDENCE))
    ordered = {family: weights[family] for family in EVIDENCE if family in weights}
    laid_out = re.sub(
        r"\{[^{}]*\}", lambda one: re.sub(r"\s*\n\s*", " ", one[0]), json.dumps(out, indent=1, default=str)
    )
    (folder / "results.json").write_text(laid_out + "\n", encoding="utf-8")
    weights_file(folder).write_text(module(out, ordered), encoding="utf-8")
    LAST.write_text(str(folder), encoding="utf-8")


def main() -> None:
    """RESULTS.md from the results, both fresh tests and the vocabularies that are alike."""
    folder = last_folder()
    read = [
        json.loads((place / f"{name}.json").read_text(encoding="utf-8"))
        for place, name in ((folder, "results"), (folder, "fresh2"), (HERE, "fresh"), (folder, "alike"))
    ]
    (folder / "RESULTS.md").write_text(readable(*read), encoding="utf-8")


def readable(out: dict, fresh: dict, first: dict, alike: list) -> str:
    """RESULTS.md."""
    parts = [
        "# What the bound is worth\n",
        f"Made by `make calibrate` on {out['date']}, {out['extent']} extent: {out['kinds']} kinds of text, windows of 2,000 characters, "
        f"SHA-256 of the texts `{out['corpus_sha256']}`. Ratios are estimate by real count; *below* is the number of windows in 1,000 whose "
        "estimate is below the real count; *documented* is the documented rule on the same windows (ratio 2 for JSON, else 4). "
        "What the sets and kinds are: README.md. Everything by number: results.json.\n",
        "## Families\n",
        families_table(out),
        fresh_section(fresh),
        first_section(first),
        "\n## Evidence\n",
        evidence(out),
        "\n## Vocabularies that count alike\n",
        "Compared on the windows of 2,000 characters of the corpus; *apart* is the number of windows "
        "whose counts differ. The package is where the other vocabulary was taken from.\n",
        table(["in use", "the other", "package", "windows", "apart"], [list(row.values()) for row in alike]),
        "\n## In sample, other sizes, hostile text\n",
        sets_table(out),
        "\n## Kinds left out\n",
        "Fitted without the kinds that it is tested on, with the factor that ships. Whole scripts are among them: without any Burmese "
        "nothing is known about its bytes.\n",
        left_table(out),
        "\n## Frontier\n",
        "Share below against median, held-out sources; small is windows of 200 characters. The factor above 1 is what brings "
        "sources outside the fit to 1 window in 1,000 below, then 1.05 and 1.1 times that.\n",
    ]
    for family, rows in out["frontier"].items():
        parts += [f"\n### {family}\n", frontier_table(rows)]
    parts += [
        "\n## Vocabularies that are not promised, under `any`\n",
        legacy_table(out),
        "\n## By kind\n",
        "All windows of the kind, held-out sources and others: below · worst · median · p95 · documented below.\n",
        kinds_table(out),
        "\n## Packages\n",
        packages_table(out),
    ]
    return "\n".join(parts) + "\n"


def families_table(out: dict) -> str:
    """The promise and how it is kept, on held-out sources."""
    rows = []
    for family in EVIDENCE:
        if family in out["families"]:
            held = out["families"][family]["held_out"]
            rows.append(
                [
                    family,
                    held["windows"],
                    held["below_per_1000"],
                    held["worst"],
                    held["median_ordinary"],
                    held["median"],
                    held["p95"],
                    held["documented_below_per_1000"],
                    held["documented_median"],
                ]
            )
    return table(
        [
            "family",
            "windows held out",
            "below",
            "worst",
            "median, ordinary text",
            "median, all",
            "p95",
            "documented below",
            "documented median",
        ],
        rows,
    )


def evidence(out: dict) -> str:
    """What each family stands on."""
    return table(
        ["family", "stands on", "factor asked", "factor taken", "of it raised by"],
        [
            [
                family,
                words,
                out["families"][family]["factor_asked"],
                out["families"][family]["factor"],
                round(RAISED.get(family, 1.0) * RAISED_AGAIN.get(family, 1.0), 4) if family in RAISED else "",
            ]
            for family, words in EVIDENCE.items()
            if family in out["families"]
        ],
    )


def sets_table(out: dict) -> str:
    """The same figures on the other sets and sizes."""
    rows = []
    for family, found in out["families"].items():
        for name in ("in_sample", "held_out", "held_out_small", "held_out_large", "hostile"):
            line = found[name]
            if not line:
                continue
            rows.append(
                [
                    family,
                    name.replace("_", " "),
                    line["windows"],
                    line["below_per_1000"],
                    line["worst"],
                    line["median_ordinary"] or "",
                    line["median"],
                    line["p95"],
                ]
            )
    return table(["family", "set", "windows", "below", "worst", "median, ordinary text", "median", "p95"], rows)


def left_table(out: dict) -> str:
    """What unseen kinds do."""
    rows = []
    for family, found in out["families"].items():
        left = found["kinds_left_out"]
        worst = ", ".join(f"{kind} {ratio}" for ratio, kind in left["worst"][:8])
        rows.append(
            [
                family,
                left["below_per_1000"],
                left["below_95_per_1000"],
                f"{left['kinds_below']} of {left['kinds']}",
                left["median_ordinary"],
                worst,
            ]
        )
    return table(
        [
            "family",
            "below",
            "below by more than 5 %",
            "kinds with a window below",
            "median, ordinary text",
            "worst kinds",
        ],
        rows,
    )


def frontier_table(rows: list[dict]) -> str:
    """One family's frontier."""
    head = [
        "design",
        "term",
        "factor",
        "median, ordinary text",
        "below",
        "worst",
        "small below",
        "small median",
        "kinds left out below",
    ]
    return table(head, [list(row.values()) for row in rows])


def legacy_table(out: dict) -> str:
    """Old vocabularies, for what it is worth."""
    return table(
        ["tokenizer", "windows", "below", "worst", "median"],
        [
            [name, line["windows"], line["below_per_1000"], line["worst"], line["median"]]
            for name, line in out["legacy_under_any"].items()
        ],
    )


def kinds_table(out: dict) -> str:
    """Every kind by every family."""
    names = [family for family in EVIDENCE if family in out["families"]]
    rows = []
    for kind in out["families"][names[0]]["by_kind"]:
        cells = [out["families"][family]["by_kind"][kind] for family in names]
        rows.append(
            [
                kind,
                cells[0].get("windows", 0),
                *(
                    f"{c['below_per_1000']:g} · {c['worst']:g} · {c['median']:g} · {c['p95']:g} · {c['documented_below_per_1000']:g}"
                    if c
                    else ""
                    for c in cells
                ),
            ]
        )
    return table(["kind", "windows", *names], rows)


def packages_table(out: dict) -> str:
    """What was fetched."""
    rows = [
        [
            row["registry"],
            row["name"],
            row.get("file", "not to be had"),
            f"`{row.get('sha256', '')[:16]}`",
            row["role"],
            row.get("licence", ""),
        ]
        for row in out["packages"]
    ]
    return table(["registry", "package", "file", "SHA-256, first half of it", "role", "licence"], rows).replace(
        ", first half of it", " (start)"
    )


if __name__ == "__main__":
    main()
