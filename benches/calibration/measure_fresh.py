# mypy: ignore-errors
"""Compares the weights that ship with the counts of the second fresh texts, and writes fresh2.json.

fresh.json, of the first fresh test, is a record: its texts are in the corpus now, and nothing writes it again.

Beside stand the figures of the weights that shipped before the first fresh texts came into the corpus (earlier.json),
and, where a factor was raised after this test (families.RAISED, RAISED_AGAIN), those of the weights before each time.
Finished tables are measured, as a user has them. Spec: EST-030.
"""

import hashlib
import json
import runpy
import sys

import numpy as np
from calibrate import CHOSEN, estimated, read_table, real_counts, summary
from families import RAISED, RAISED_AGAIN
from fresh import FRESH, LIST, PACKAGES
from model import byte_pairs, designs
from settings import CACHE, HERE, last_folder, weights_file

FAR_BELOW = 0.95
"""A window that falls short by more than 5 %."""
PROMISED_BELOW_PER_1000 = 1.0


def main() -> None:
    """Measures every family that has weights and counts."""
    table, texts_sha256 = read_table(FRESH)
    real, _, _ = real_counts(table)
    features = designs(byte_pairs(FRESH, CACHE / "fresh2-pairs.npz"))[CHOSEN]
    folder = last_folder()
    module = runpy.run_path(str(weights_file(folder)))
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    known = set(results["families"]["any"]["by_kind"])
    earlier = json.loads((HERE / "earlier.json").read_text(encoding="utf-8"))["families"]
    families = {}
    for family, by_byte in module["BYTE_WEIGHTS"].items():
        weights = np.array(by_byte + module["PAIR_WEIGHTS"][family])
        families[family] = one_family(estimated(features, weights), real[family], table, known)
        old = np.array(earlier[family]["bytes"] + earlier[family]["pairs"])
        families[family]["before_refit"] = one_family(estimated(features, old), real[family], table, known)
        for step in ("before_raise", "before_second_raise"):
            if family in results[step]:
                before = np.array(results[step][family])
                families[family][step] = one_family(estimated(features, before), real[family], table, known)
        sys.stderr.write(f"{family}: {families[family]['all']}\n")
    out = {
        "texts_sha256": texts_sha256,
        "list_sha256": hashlib.sha256(LIST.read_bytes()).hexdigest(),
        "windows": len(table["kind"]),
        "kinds": {str(kind): int((table["kind"] == kind).sum()) for kind in sorted(set(table["kind"]))},
        "kinds_not_in_the_corpus": sorted({str(kind) for kind in table["kind"]} - known),
        "raised": RAISED,
        "raised_again": RAISED_AGAIN,
        "families": families,
        "packages": json.loads(PACKAGES.read_text(encoding="utf-8")),
    }
    (folder / "fresh2.json").write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


def one_family(
    estimates: np.ndarray, real: np.ndarray, table: dict[str, np.ndarray], known: set[str]
) -> dict[str, object]:
    """All windows, those of kinds that the corpus has too, and every kind that has a window below."""
    ratios = estimates / real
    every = np.ones(len(real), bool)
    is_known = np.isin(table["kind"], sorted(known))
    below = {
        str(kind): {
            "windows": int((mask := table["kind"] == kind).sum()),
            "below": int((ratios[mask] < 1).sum()),
            "far_below": int((ratios[mask] < FAR_BELOW).sum()),
            "worst": round(float(ratios[mask].min()), 3),
        }
        for kind in sorted(set(table["kind"][ratios < 1]))
    }
    whole = summary(estimates, real, table, every) | {"far_below": int((ratios < FAR_BELOW).sum())}
    return {
        "all": whole,
        "kept": whole["below_per_1000"] <= PROMISED_BELOW_PER_1000 and not whole["far_below"],
        "worst_kind": str(table["kind"][int(ratios.argmin())]),
        "kinds_of_the_corpus": summary(estimates, real, table, is_known),
        "kinds_not_in_the_corpus": summary(estimates, real, table, ~is_known),
        "by_group": {
            str(group): summary(estimates, real, table, table["group"] == group)
            for group in sorted(set(table["group"]))
        },
        "below": below,
    }


if __name__ == "__main__":
    main()
