"""A tokenizer on this disk counts texts and rows; it is trained here, on a text of ours."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models

from keel_ref.adapters.extras import MissingPackageError, import_extra
from keel_ref.adapters.hf_tokenizers import TokenizerCounter, load_tokenizer
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import count_or_estimate
from tests.adapters.small_tokenizer import MARK, STYLE, save_small_tokenizer


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer that marks, cuts and fills up."""
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    save_small_tokenizer(path)
    return path


@pytest.fixture
def counter(file: Path) -> TokenizerCounter:
    """The tokenizer as a counter."""
    return load_tokenizer(file)


@clause("EST-022")
def test_a_text_is_counted_whole_and_alone(counter: TokenizerCounter, file: Path) -> None:
    """Nothing is cut off or filled up, and no mark is added unless that is asked for."""
    plain = counter.count_text(STYLE) or 0

    assert 8 < plain < len(STYLE)
    assert 0 == counter.count_text("")
    assert 1 == counter.count_text("a")
    assert plain + 1 == load_tokenizer(file, adds_special_tokens=True).count_text(STYLE)


@clause("EST-001")
def test_a_control_string_in_a_text_is_plain_text(counter: TokenizerCounter) -> None:
    """Somebody wrote about it; it controls nothing."""

    assert 1 < (counter.count_text(MARK) or 0)


@clause("EST-025")
def test_a_lone_surrogate_counts_as_what_would_be_sent(counter: TokenizerCounter) -> None:
    """Half a pair becomes U+FFFD; two halves are the character."""

    assert counter.count_text("\ufffd") == counter.count_text("\ud83d")
    assert counter.count_text("🔥") == counter.count_text("\ud83d\udd25")


@clause("EST-022")
def test_rows_cost_what_their_texts_cost(counter: TokenizerCounter) -> None:
    """Each text by itself; of a call its name and its serialised input; ids and roles cost nothing."""
    rows: list[Any] = [
        {"role": "user", "content": "Numbers with a meaning"},
        {"role": "assistant", "id": "m1", "content": [
            {"type": "text", "text": "live in constants"},
            {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "constants.py"}]},
        {"role": "progress", "content": "never sent"},
    ]  # fmt: skip
    texts = ("Numbers with a meaning", "live in constants", "Bash", '{"command":"ls"}', "constants.py")

    assert sum(counter.count_text(text) or 0 for text in texts) == counter.count(rows)
    assert None is counter.last_problem
    assert 0 == counter.count([])


@clause("EST-022")
@pytest.mark.parametrize(
    ("content", "said"),
    [([{"type": "image"}], "a picture or document is no text"), ([{"type": "x", "y": {1}}], "messages[0].content[0]")],
)
def test_what_it_cannot_count_is_unavailable(counter: TokenizerCounter, content: Any, said: str) -> None:
    """A picture, or a value without a JSON form; the reason is kept until the next question."""
    rows = [{"role": "user", "content": content}]

    assert None is counter.count(rows)
    assert said in str(counter.last_problem)
    assert 0 == counter.count([])
    assert None is counter.last_problem


class PanicError(BaseException):
    """As the package raises where its native part panics: no `Exception`."""


class Failing:
    """A tokenizer that fails as it is told to."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def encode(self, *_: object, **__: object) -> Any:
        """It fails."""
        raise self.error


@clause("EST-022")
def test_a_text_that_the_package_fails_on_is_unavailable(tmp_path: Path) -> None:
    """With the package's own words, by text and by rows; the next text is counted again."""
    path = tmp_path / "tokenizer.json"
    Tokenizer(models.WordLevel({"known": 0}, unk_token="[UNK]")).save(str(path))
    counter = load_tokenizer(path)

    assert None is counter.count_text("something")
    assert "the tokenizer cannot count this text (WordLevel error" in str(counter.last_problem)
    assert (None, 2) == (
        counter.count([{"content": "else"}]),
        count_or_estimate([{"text": "12345678"}], counter).tokens,
    )
    assert (1, None) == (counter.count_text("known"), counter.last_problem)


@clause("EST-022")
@pytest.mark.parametrize("error", [MemoryError(), PanicError("index\n out of range")])
def test_even_a_panic_is_unavailable(error: BaseException) -> None:
    """A fault of the package's native part fails nothing of ours."""
    counter = TokenizerCounter(tokenizer=Failing(error), digest="")  # type: ignore[arg-type]

    assert None is counter.count_text("x")
    assert (str(error).replace("\n", "") or "MemoryError") in str(counter.last_problem)


def test_being_broken_off_is_no_failure_of_the_package() -> None:
    """It goes on to whoever waits for it."""
    counter = TokenizerCounter(tokenizer=Failing(KeyboardInterrupt()), digest="")  # type: ignore[arg-type]

    with pytest.raises(KeyboardInterrupt):
        counter.count_text("x")


def test_a_picture_gives_the_estimate(counter: TokenizerCounter) -> None:
    """The rough estimate takes the place of the count."""

    assert 2_000 == count_or_estimate([{"role": "user", "content": [{"type": "image"}]}], counter).tokens


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", json.dumps({"model": {"type": "new"}}).encode()])
def test_a_file_that_holds_no_tokenizer_is_named(content: bytes, tmp_path: Path) -> None:
    """And one that is not there."""
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)

    with pytest.raises(InvalidArgumentError, match=r"tokenizer\.json holds no tokenizer"):
        load_tokenizer(path)
    with pytest.raises(InvalidArgumentError, match=r"gone cannot be read \(No such file"):
        load_tokenizer(tmp_path / "gone")


def test_a_missing_package_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what brings it; a package that is there and lacks something itself is another matter."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)

    with pytest.raises(MissingPackageError, match=r"tokenizers is not installed; `pip install keel-ref\[tokens\]`"):
        load_tokenizer(file)


def test_a_package_that_is_broken_inside_is_not_called_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it lacks is named, not itself."""
    (tmp_path / "keel_broken_package.py").write_text("import keel_no_such_package\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModuleNotFoundError, match="keel_no_such_package"):
        import_extra("keel_broken_package", "api")
