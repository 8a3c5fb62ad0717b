"""A real tokenizer, trained on a text of ours in a moment."""

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

MARK = "<|endoftext|>"
"""A control string of it."""
STYLE = (Path(__file__).parents[2] / "STYLE.md").read_text(encoding="utf-8")
"""What it was trained on."""


def save_small_tokenizer(path: Path) -> None:
    """Write one that works on bytes, puts a mark before each text, cuts at 8 tokens and fills up to 8."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=[MARK],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(STYLE.splitlines(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{MARK} $A", special_tokens=[(MARK, tokenizer.token_to_id(MARK))]
    )
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(path))
