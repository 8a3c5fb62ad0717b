# mypy: ignore-errors
"""The form of the bound, as counts of features, and the fit of its weights.

A text's bytes are counted by value and by pair of classes. Each design of the frontier is a choice of such counts; the
bound that ships is the one called BYTES_AND_PAIRS.
"""

import json
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

LINE_END = 10
"""What stands before the first byte of a text."""
VOWELS, LETTERS, CAPITALS, DIGITS, SPACE, CONTROL, CONTINUATION, LEAD, JOINER, PUNCTUATION = range(10)
CLASS_COUNT = 10
UNSEEN = 1.0
"""Tokens of a control character or byte beyond ASCII of which the texts say nothing: vocabularies of bytes make one."""
PULL = 1e-5
SELDOM_PULL = 0.05
"""How hard a weight is pulled to what it is without texts. The second is for bytes beyond ASCII and controls, parted by
1 and the number of kinds that speak about the byte. Chosen on learning sources: each third judged by the others."""
SPOKEN_ABOUT = 0.002, 0.2
"""A kind speaks about a byte when that is such a share of the bytes in such a share of its windows, or more."""
LARGEST = 255
UNIT = 128
"""Weights are whole numbers of 1/128 token, so that each fits a byte."""


def class_of(byte: int) -> int:
    """The class of a byte as far as pairs go."""
    char = chr(byte)
    if byte >= 0x80:
        return CONTINUATION if byte < 0xC0 else LEAD
    if char.isalpha():
        return CAPITALS if char.isupper() else VOWELS if char in "aeiou" else LETTERS
    if char.isdigit():
        return DIGITS
    if char == " ":
        return SPACE
    if byte < 0x20 or byte == 0x7F:
        return CONTROL
    return JOINER if char in "_-'." else PUNCTUATION


CLASSES = np.array([class_of(byte) for byte in range(256)])
SELDOM = np.array([byte for byte in range(256) if byte >= 0x80 or CLASSES[byte] == CONTROL])
"""The bytes that a text of one language does without."""
COARSE = np.array([{VOWELS: 0, LETTERS: 0, JOINER: 5, PUNCTUATION: 5}.get(int(c), int(c)) for c in CLASSES])
SIXTEEN = np.array([
    (10 + min(3, (byte - 0xC0) // 12) if byte >= 0xC0 else 14 + (byte >= 0xA0)) if byte >= 0x80 else
    min(9, int(CLASSES[byte])) for byte in range(256)
])  # fmt: skip


def byte_pairs(corpus: Path, kept: Path) -> sp.csr_matrix:
    """How often each byte stands behind each other, for each window; kept, since it takes a minute."""
    stamp = kept.with_suffix(".stamp")
    state = f"{corpus.stat().st_size} {corpus.stat().st_mtime_ns}"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        return sp.load_npz(kept)
    starts, columns, numbers = [0], [], []
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            data = np.frombuffer(b"\n" + json.loads(line)["text"].encode(), dtype=np.uint8).astype(np.int64)
            found, times = np.unique(data[:-1] * 256 + data[1:], return_counts=True)
            columns.append(found)
            numbers.append(times)
            starts.append(starts[-1] + len(found))
    shape = (len(starts) - 1, 65536)
    counted = sp.csr_matrix(
        (np.concatenate(numbers).astype(float), np.concatenate(columns), np.array(starts)), shape=shape
    )
    sp.save_npz(kept, counted)
    stamp.write_text(state, encoding="utf-8")
    return counted


def grouped(pairs: sp.csr_matrix, before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """The pairs by the class of the byte before and of the byte itself."""
    width = int(now.max()) + 1
    places = np.repeat(before, 256) * width + np.tile(now, 256)
    shape = (65536, (int(before.max()) + 1) * width)
    return (pairs @ sp.csr_matrix((np.ones(65536), (np.arange(65536), places)), shape=shape)).toarray()


def designs(pairs: sp.csr_matrix) -> dict[str, np.ndarray]:
    """The features of every design of the frontier."""
    nothing, itself = np.zeros(256, int), np.arange(256)
    single = grouped(pairs, nothing, itself)
    same = np.asarray(pairs[:, itself * 257].sum(axis=1))
    lines = np.asarray(pairs[:, [10 * 256 + 32, 32 * 257, 10 * 257, 9 * 257]].toarray())
    chosen = np.hstack([single, grouped(pairs, CLASSES, CLASSES)])
    return {
        "classes": grouped(pairs, nothing, COARSE),
        "classes and pairs": np.hstack([grouped(pairs, nothing, COARSE), grouped(pairs, CLASSES, CLASSES)]),
        "bytes": single,
        "bytes and pairs": chosen,
        "bytes and pairs of 16 classes": np.hstack([single, grouped(pairs, SIXTEEN, SIXTEEN)]),
        "bytes, pairs and runs": np.hstack([chosen, same, lines]),
    }


def fitted(
    features: np.ndarray,
    real: np.ndarray,
    table: dict[str, np.ndarray],
    mask: np.ndarray,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """The weights, none below 0, that stay near the real counts from above.

    Minimised: the mean of estimate by real count, each kind alike and other kinds than the ordinary a quarter, plus 200
    times the square of what a window falls short of 1.03, adversarial windows a fifth, plus a pull of weights towards
    what they are without texts, strong for bytes that few kinds speak about. Without a start that pull comes in a
    second round, since the search does not get far with it from nothing.
    """
    pull = np.full(features.shape[1], PULL)
    if start is None:
        start = searched(features, real, table, mask, pulled=pull, start=np.full(len(pull), np.nan))
    if len(pull) >= 256:
        pull[SELDOM] += SELDOM_PULL / (1 + kinds_with(features[mask][:, :256], table["kind"][mask]))[SELDOM]
    return searched(features, real, table, mask, pulled=pull, start=start)


def kinds_with(counts: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """For each byte the number of kinds that speak about it."""
    share, windows = SPOKEN_ABOUT
    is_there = counts >= share * counts.sum(axis=1, keepdims=True)
    _, place, times = np.unique(kinds, return_inverse=True, return_counts=True)
    of_kind = sp.csr_matrix((1 / times[place], (place, np.arange(len(place)))))
    return (of_kind @ is_there.astype(float) >= windows).sum(axis=0)


def searched(
    features: np.ndarray,
    real: np.ndarray,
    table: dict[str, np.ndarray],
    mask: np.ndarray,
    *,
    pulled: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """The weights of least cost under such a pull, from a start, or from weights that are all alike where it is nan."""
    shares = features[mask] / real[mask][:, None]
    kinds, ordinary, hostile = table["kind"][mask], table["ordinary"][mask], table["hostile"][mask]
    _, place, times = np.unique(kinds, return_inverse=True, return_counts=True)
    per_kind = 1 / times[place]
    wanted = per_kind * np.where(ordinary, 1.0, 0.25) * ~hostile
    wanted /= wanted.sum()
    short = (0.5 / len(shares) + 0.5 * per_kind / len(times)) * np.where(hostile, 0.2, 1.0)
    scale = shares.mean(axis=0) + 1e-4
    rows = (shares / scale).astype(np.float32)
    columns = np.ascontiguousarray(rows.T)
    cost = wanted @ rows
    prior = np.zeros(len(scale))
    if len(scale) >= 256:
        prior[SELDOM] = UNSEEN * scale[SELDOM]
    pull = pulled / scale**2

    def objective(weights: np.ndarray) -> tuple[float, np.ndarray]:
        missing = np.maximum(0, 1.03 - rows @ weights.astype(np.float32))
        away = weights - prior
        value = cost @ weights + 200 * (short * missing * missing).sum() + (pull * away * away).sum()
        slope = cost - 400 * (columns @ (short * missing).astype(np.float32)).astype(float) + 2 * pull * away
        return float(value), slope

    first = np.where(np.isnan(start), 1.2 / len(scale), start * scale)
    found = minimize(
        objective,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, 1.8 * one) for one in scale],
        options={"maxiter": 300, "maxfun": 600},
    )
    return found.x / scale


def whole(weights: np.ndarray, factor: float) -> np.ndarray:
    """The weights as whole numbers of the unit, none larger than a byte holds; no byte is for nothing."""
    rounded = np.minimum(LARGEST, np.floor(weights * factor * UNIT + 0.5)).astype(int)
    rounded[:256] = np.maximum(1, rounded[:256])
    return rounded
