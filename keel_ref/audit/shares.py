"""Whose the window was: the share of every source, at the peak and over the session. Spec: CTX-106, CTX-107."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from keel_ref.audit.recording import UNATTRIBUTED, Piece, Recording
from keel_ref.units import div_half_up

MILLE = 1_000


@frozen(kw_only=True)
class Share:
    """What one source had."""

    source: str
    tokens: int
    count: int
    """Pieces of it."""
    per_mille: int
    """Of all sources together, rounded half up."""
    line: int | None
    """Where its largest piece stands; None: nowhere in the file."""


@frozen(kw_only=True)
class Peak:
    """The fullest request of the recording."""

    line: int | None
    """The first row of the response to it; None for a request that nobody answered."""
    tokens: int
    """By the record, or by the estimates where they are higher or nothing is recorded."""
    recorded: int | None
    """By the record; None where none was made."""
    start: int
    """Index of the first step that it held."""
    end: int
    """Index behind the last."""


def peak_of(recording: Recording) -> Peak:
    """The request with the largest recorded use; without any record the largest by the estimates. Spec: MSG-002."""
    starts = [0, *recording.boundaries()]
    known = [one for one in recording.responses if one.sent]
    if known:
        fullest = max(known, key=lambda one: (one.sent, -one.start))
        start = max(place for place in starts if place <= fullest.start)
        tokens = max(fullest.sent, _estimated(recording, start, fullest.start))
        return Peak(line=fullest.line, tokens=tokens, recorded=fullest.sent, start=start, end=fullest.start)
    ends = [*starts[1:], len(recording.steps)]
    sizes = [(_estimated(recording, start, end), -start, end) for start, end in zip(starts, ends, strict=True)]
    tokens, start, end = max(sizes)
    return Peak(line=None, tokens=tokens, recorded=None, start=-start, end=end)


def shares_at(recording: Recording, peak: Peak) -> tuple[Share, ...]:
    """The share of every source at the peak, the largest first; what cannot be seen is a source too. Spec: CTX-107."""
    found = [(step.line, piece) for step, piece in recording.pieces(peak.start, peak.end)]
    return _shares(found, peak.tokens - sum(piece.tokens for _, piece in found))


def shares_over(recording: Recording) -> tuple[Share, ...]:
    """The share of every source in all that came into the window, each piece once, the largest first."""
    steps = (step for step in recording.steps if not step.is_kept)
    return _shares([(step.line, piece) for step in steps for piece in step.pieces], 0)


def _estimated(recording: Recording, start: int, end: int) -> int:
    return sum(piece.tokens for _, piece in recording.pieces(start, end))


def _shares(found: Iterable[tuple[int, Piece]], rest: int) -> tuple[Share, ...]:
    tokens: dict[str, int] = {}
    counts: dict[str, int] = {}
    largest: dict[str, tuple[int, int]] = {}
    for line, piece in found:
        tokens[piece.source] = tokens.get(piece.source, 0) + piece.tokens
        counts[piece.source] = counts.get(piece.source, 0) + 1
        largest[piece.source] = max(largest.get(piece.source, (-1, 0)), (piece.tokens, -line))
    if rest > 0:
        tokens[UNATTRIBUTED], counts[UNATTRIBUTED] = rest, 1
    whole = sum(tokens.values())
    rows = [
        Share(
            source=source,
            tokens=amount,
            count=counts[source],
            per_mille=div_half_up(MILLE * amount, whole) if whole else 0,
            line=-largest[source][1] if source in largest else None,
        )
        for source, amount in tokens.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.tokens, row.source)))
