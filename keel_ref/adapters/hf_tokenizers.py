"""Exact counts by a tokenizer that lies on this disk as `tokenizer.json`. Spec: EST-022."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from keel_ref.adapters.extras import import_extra
from keel_ref.errors import InvalidArgumentError, NotSerialisableError
from keel_ref.messages.rows import rows_of
from keel_ref.tokens.blocks import RowCounter

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@define(kw_only=True)
class TokenizerCounter:
    """Counts what one tokenizer makes of texts; a `TokenCounter`.

    Of a list of rows each text is encoded by itself: every text that EST-005 to EST-012 count, of a call its name and
    the serialised form of its input. What a server puts around messages is not in it, since no vocabulary shows that.
    """

    tokenizer: Tokenizer
    digest: str
    """SHA-256 of the file."""
    adds_special_tokens: bool = False
    """Whether the marks that the tokenizer puts around a text count too."""
    last_problem: str | None = field(default=None, init=False)
    """Why the last answer was None."""

    def count_text(self, text: str) -> int | None:
        """Tokens of one text; None where the package fails on it. Spec: EST-022.

        A lone surrogate, which no tokenizer takes, counts as U+FFFD; so it would be sent.
        """
        self.last_problem = None
        try:
            return self._encoded(text)
        except _UncountableError as error:
            self.last_problem = str(error)
            return None

    def count(self, messages: Sequence[Any]) -> int | None:
        """Tokens of the texts of the rows; None where a picture or a document is among them. Spec: EST-022.

        Raises `InvalidArgumentError` for what is no list.
        """
        rows = rows_of(messages)
        counter = RowCounter(_ExactMeasure(self._encoded))
        self.last_problem = None
        try:
            return sum(counter.count(index, row) for index, row in enumerate(rows))
        except (_UncountableError, NotSerialisableError) as error:
            self.last_problem = str(error)
            return None

    def _encoded(self, text: str) -> int:
        """Tokens of one text. Raises `_UncountableError`."""
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        try:
            return len(self.tokenizer.encode(whole, add_special_tokens=self.adds_special_tokens).ids)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # bare ones, and panics, which are not even an Exception
            words = " ".join(str(error).split()) or type(error).__name__
            raise _UncountableError(f"the tokenizer cannot count this text ({words})") from error


def load_tokenizer(path: str | os.PathLike[str], *, adds_special_tokens: bool = False) -> TokenizerCounter:
    """The tokenizer in a file such as `tokenizer.json`; what it cuts off or fills up is switched off.

    A control string such as `<|endoftext|>` that stands in a text counts as the plain text that it is there. Raises
    `MissingPackageError` without the package `tokenizers`, `InvalidArgumentError` for a file that holds no tokenizer.
    """
    tokenizers = import_extra("tokenizers", "tokens")
    shown = os.fsdecode(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InvalidArgumentError("tokenizer", f"{shown} cannot be read ({error.strerror or error})") from error
    try:
        tokenizer = tokenizers.Tokenizer.from_str(data.decode("utf-8"))
    except Exception as error:  # the package raises nothing more exact than that
        raise InvalidArgumentError("tokenizer", f"{shown} holds no tokenizer ({error})") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # [EST-001] a control string is plain text
    digest = hashlib.sha256(data).hexdigest()
    return TokenizerCounter(tokenizer=tokenizer, digest=digest, adds_special_tokens=adds_special_tokens)


class _UncountableError(Exception):
    """Something that is no text, or that the tokenizer fails on."""


@frozen
class _ExactMeasure:
    """The walk over blocks with exact counts in the place of an estimate."""

    encoded: Callable[[str], int]
    """Tokens of one text."""

    @property
    def media(self) -> int:
        """A picture has no text; whatever is said of it would be no count."""
        raise _UncountableError("a picture or document is no text, so a tokenizer does not count it")

    @property
    def counts_ids(self) -> bool:
        """They do not. Spec: EST-006, EST-007."""
        return False

    @property
    def frames(self) -> tuple[int, int, int]:
        """Nothing but the texts. Spec: EST-024."""
        return 0, 0, 0

    def text(self, text: str) -> int:
        """One text."""
        return self.encoded(text)

    def result_text(self, text: str) -> int:
        """The same."""
        return self.encoded(text)

    def call(self, name: str, input_form: str, call_id: str) -> int:  # noqa: ARG002 (ids do not count)
        """Two texts."""
        return self.encoded(name) + self.encoded(input_form)
