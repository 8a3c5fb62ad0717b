"""What happened in a session, in sentences that need no knowledge of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

LAYERS: Final[Mapping[str, tuple[str, str]]] = {
    "result_budget": ("results of tools moved to files", "teal"),
    "snip": ("old turns cut out (snip)", "cyan"),
    "micro": ("old results of tools cleared (microcompact)", "green"),
    "collapse": ("parts folded together (collapse)", "blue"),
    "session_memory": ("compaction with the notes of the session", "orange"),
    "full": ("compaction with a summary", "auto"),
    "reactive": ("compaction after a refused request", "blocking"),
    "manual": ("compaction asked for by the user", "purple"),
    "clear": ("cleared by the user", "yellow"),
}
"""Each layer that may make the context smaller: what it does, and the colour of its mark."""
UNKNOWN: Final = ("a drop of which the record does not tell the cause", "grey")
THRESHOLDS: Final[Mapping[str, tuple[str, str]]] = {
    "warning": ("warning", "warning"),
    "auto": ("automatic compaction", "auto"),
    "blocking": ("requests refused", "blocking"),
}
"""The thresholds that are drawn, with their words and colours."""


def layer_words(layer: Any) -> str:
    """What a layer does."""
    return LAYERS.get(layer_key(layer), UNKNOWN)[0]


def layer_colour(layer: Any) -> str:
    """The colour of its mark."""
    return LAYERS.get(layer_key(layer), UNKNOWN)[1]


def layer_key(layer: Any) -> str:
    """The name of a layer as the table has it."""
    key = str(layer).replace(" ", "_").replace("-", "_")
    return key if key in LAYERS else "unknown"


def answer_sentences(report: Mapping[str, Any]) -> Iterator[str]:
    """First of all: whether it compacted, why, and where it stands."""
    compactions, auto = report["compactions"], threshold(report, "auto")
    by_itself = [one for one in compactions if one.get("trigger") == "auto"]
    if not compactions:
        yield "This session has not compacted."
    else:
        yield f"This session compacted {times(len(compactions))}."
    if by_itself and auto is not None:
        reached = [one for one in by_itself if isinstance(one.get("pre_tokens"), int) and one["pre_tokens"] >= auto]
        each = "Each time" if len(by_itself) == len(compactions) > 1 else f"{times(len(reached)).capitalize()}"
        if len(reached) == len(by_itself):
            yield (
                f"{each if len(compactions) > 1 else 'It did so'} because the context had reached {auto:,} tokens, "
                "the threshold from which the client compacts by itself."
            )
        else:
            yield f"Not every time the context had reached the threshold assumed here, {auto:,} tokens; see below."
    _, _, stand = str(report.get("answer") or "").partition("; ")  # how often it compacted has been said
    if stand:
        yield f"{stand[0].upper()}{stand[1:]}."


def why_sentence(compaction: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    """Why one compaction happened."""
    before, auto = size_before(compaction), threshold(report, "auto")
    after, trigger = compaction.get("after_response"), compaction.get("trigger")
    where = f"After response {after:,} the context held" if isinstance(after, int) and after else "The context held"
    if layer_key(compaction.get("layer")) == "reactive":
        size = f"{before:,} tokens" if isinstance(before, int) else "an amount that is not recorded"
        return f"{where} {size}, more than the provider took, so the client compacted and sent the request again."
    if not isinstance(before, int):
        return "The user asked for it." if trigger == "manual" else "The record does not say how large the context was."
    if trigger == "manual":
        near = f", {auto - before:,} below the threshold of {auto:,}" if auto is not None and before < auto else ""
        return f"{where} {before:,} tokens{near}, and the user asked for a compaction."
    if trigger != "auto" or auto is None:
        return f"{where} {before:,} tokens. What set it off is not recorded."
    if before >= auto:
        return f"{where} {before:,} tokens, at or above the threshold of {auto:,}, so the client compacted by itself."
    return (
        f"{where} {before:,} tokens, and the client compacted by itself, though the threshold is thought to be "
        f"{auto:,}. So the session had another window or other settings than are assumed here."
    )


def size_before(compaction: Mapping[str, Any]) -> int | None:
    """What the context held, as the record says, or else the rules; None: neither does."""
    recorded = compaction.get("pre_tokens")
    size = compaction.get("predicted_tokens") if recorded is None else recorded
    return size if isinstance(size, int) else None


def outcome_sentence(compaction: Mapping[str, Any]) -> str:
    """What it changed."""
    before, after = size_before(compaction), compaction.get("post_tokens")
    if isinstance(before, int) and isinstance(after, int):
        return f"{before:,} → {after:,} tokens"
    return f"{before:,} → not recorded" if isinstance(before, int) else "not recorded"


def threshold(report: Mapping[str, Any], name: str) -> int | None:
    """One threshold in tokens; None where it is not known."""
    value = (report.get("thresholds") or {}).get(name)
    return value if isinstance(value, int) else None


def times(number: int) -> str:
    """A number of times."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")
