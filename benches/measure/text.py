"""The estimates of a text against `len`, a plain read of the same bytes, exact counters and another estimator."""

from collections.abc import Iterator
from functools import partial
from timeit import Timer

from benches.measure import ROUNDS, Measurement, ratio_of
from benches.measure.exact import peers
from benches.measure.texts import KIB, LARGER_THAN_THE_CACHE, MIB, ascii_text, chinese_text, japanese_text
from keel_ref import _native, estimate_text, estimate_texts

FAMILY = "any"
AGAINST_COUNTERS = 256 * KIB


def measurements() -> list[Measurement]:
    """All of them; takes about half a minute."""
    return [*_against_len(), *_against_a_read(), *_of_wide_texts(), *_against_counters(), *_of_many()]


def _against_len() -> Iterator[Measurement]:
    """The documented rule reads a size that Python knows, so its cost is that of the call."""
    for size in (1, KIB, MIB):
        names = {"estimate_text": estimate_text, "text": ascii_text(size)}
        yield Measurement(
            name=f"documented rule, ASCII, {_words(size)}",
            subject='estimate_text(text, method="documented")',
            peer="len(text)",
            ratio=ratio_of(
                Timer("estimate_text(text, method='documented')", globals=names), Timer("len(text)", globals=names)
            ),
            bytes=size,
            note="a call of a function against a built-in one",
        )


def _against_a_read() -> Iterator[Measurement]:
    """A sum over all bytes cannot be faster than a look at all bytes."""
    for size in (256, 4 * KIB, 256 * KIB, LARGER_THAN_THE_CACHE):
        text = ascii_text(size)
        for path in _native.bound_paths():
            yield Measurement(
                name=f"bound, ASCII, {_words(size)}, {path}",
                subject="estimate_text(text)",
                peer="a plain read of the bytes",
                ratio=min(
                    ratio_of(
                        partial(_native.bound_units, text, FAMILY, path),
                        partial(_native.read_bytes, text, read),
                        _rounds(size),
                    )
                    for read in _native.bound_paths()
                ),
                bytes=size,
                note="sums 64-bit words; the fastest of three widths of load",
            )


def _of_wide_texts() -> Iterator[Measurement]:
    """Python keeps these in two bytes a character, so the UTF-8 form is made on the way."""
    best = _native.bound_paths()[-1]
    for name, compose in (("Chinese", chinese_text), ("Japanese", japanese_text)):
        for size in (256, 4 * KIB, 256 * KIB, LARGER_THAN_THE_CACHE):
            text = compose(size)
            stored = text.encode("utf-16-le")
            yield Measurement(
                name=f"bound, {name}, {_words(size)}",
                subject="estimate_text(text)",
                peer="a plain read of what Python keeps",
                ratio=ratio_of(partial(estimate_text, text), partial(_native.read_bytes, stored, best), _rounds(size)),
                bytes=len(text.encode()),
            )


def _against_counters() -> Iterator[Measurement]:
    """What a count costs that is exact for one tokenizer."""
    for language, text in (("ASCII", ascii_text(AGAINST_COUNTERS)), ("Chinese", chinese_text(AGAINST_COUNTERS))):
        for peer, count, problem in peers():
            yield Measurement(
                name=f"bound, {language}, {_words(AGAINST_COUNTERS)}",
                subject="estimate_text(text)",
                peer=peer,
                ratio=None if count is None else ratio_of(partial(estimate_text, text), partial(count, text), rounds=5),
                bytes=len(text.encode()),
                note=problem,
            )


def _of_many() -> Iterator[Measurement]:
    """A list costs less than so many calls."""
    lines = ascii_text(MIB).splitlines()
    yield Measurement(
        name=f"bound, a list of {len(lines):,} lines",
        subject="estimate_texts(lines)",
        peer="a call for each line",
        ratio=ratio_of(partial(estimate_texts, lines), lambda: [estimate_text(line) for line in lines], rounds=10),
        bytes=sum(map(len, lines)),
    )


def _rounds(size: int) -> int:
    """Fewer where one call takes a round."""
    return ROUNDS if size < MIB else ROUNDS // 4


def _words(size: int) -> str:
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"
