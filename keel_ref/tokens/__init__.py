"""Area tokens: what texts, blocks, rows and session files cost, by the documented rule and by the bound. Spec: EST."""

from keel_ref.ports import TokenCounter
from keel_ref.tokens.context import ContextSize, context_size
from keel_ref.tokens.counter import Count, count_or_estimate
from keel_ref.tokens.estimate import Kind, MessagesEstimate, estimate_messages, estimate_text
from keel_ref.tokens.families import FAMILIES, Family
from keel_ref.tokens.measures import Method
from keel_ref.tokens.transcript import TranscriptEstimate, count_lines
from keel_ref.tokens.usage import Usage, read_usage, used_percentage

__all__ = [
    "FAMILIES",
    "ContextSize",
    "Count",
    "Family",
    "Kind",
    "MessagesEstimate",
    "Method",
    "TokenCounter",
    "TranscriptEstimate",
    "Usage",
    "context_size",
    "count_lines",
    "count_or_estimate",
    "estimate_messages",
    "estimate_text",
    "read_usage",
    "used_percentage",
]
