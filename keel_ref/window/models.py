"""What is known of models, as spec/models.json has it. Written by `make models`. Spec: WIN-006."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SOURCES: Final = "litellm 1.110.2 (MIT); genai-prices 0.2.3 (MIT)"
"""The packages that the rows come from, with their licences."""
READ: Final = "2026-11-30"
"""The day on which they were read."""
ROWS: Final[Mapping[str, tuple[int, int, bool, str]]] = MappingProxyType(
    {
        "claude-3-5-haiku": (200_000, 8_192, False, ""),
        "claude-3-5-haiku-20241022": (200_000, 8_192, False, ""),
        "claude-3-5-sonnet": (200_000, 8_192, False, ""),
        "claude-3-5-sonnet-20240620": (200_000, 8_192, False, "bedrock says 200,000 and 4,096"),
        "claude-3-5-sonnet-20241022": (200_000, 8_192, False, ""),
        "claude-3-7-sonnet-20240620": (200_000, 8_192, False, ""),
        "claude-3-7-sonnet-20250219": (200_000, 8_192, False, ""),
        "claude-3-haiku": (200_000, 4_096, False, ""),
        "claude-3-haiku-20240307": (200_000, 4_096, False, ""),
        "claude-3-opus-20240229": (200_000, 4_096, False, ""),
        "claude-3-sonnet": (200_000, 4_096, False, ""),
        "claude-3-sonnet-20240229": (200_000, 4_096, False, ""),
        "claude-fable-5": (1_000_000, 128_000, True, ""),
        "claude-fable-5-1": (1_000_000, 128_000, True, ""),
        "claude-haiku-4-5": (200_000, 64_000, False, ""),
        "claude-haiku-4-5-20251001": (200_000, 64_000, False, ""),
        "claude-haiku-5-5": (1_000_000, 128_000, True, ""),
        "claude-instant": (100_000, 8_191, False, ""),
        "claude-mythos-5": (1_000_000, 128_000, True, ""),
        "claude-mythos-5-1": (1_000_000, 128_000, True, ""),
        "claude-mythos-preview": (1_000_000, 128_000, True, ""),
        "claude-opus-4-1-20250805": (200_000, 32_000, False, ""),
        "claude-opus-4-20250514": (200_000, 32_000, False, ""),
        "claude-opus-4-5": (200_000, 64_000, False, ""),
        "claude-opus-4-5-20251101": (200_000, 64_000, False, ""),
        "claude-opus-4-6": (1_000_000, 128_000, True, ""),
        "claude-opus-4-6-20260205": (1_000_000, 128_000, True, ""),
        "claude-opus-4-7": (1_000_000, 128_000, True, ""),
        "claude-opus-4-7-20260416": (1_000_000, 128_000, True, ""),
        "claude-opus-4-8": (1_000_000, 128_000, True, ""),
        "claude-opus-5": (1_000_000, 128_000, True, ""),
        "claude-opus-5-5": (1_000_000, 128_000, True, ""),
        "claude-sonnet-4-20250514": (200_000, 64_000, True, ""),
        "claude-sonnet-4-5": (200_000, 64_000, True, ""),
        "claude-sonnet-4-5-20250929": (200_000, 64_000, True, ""),
        "claude-sonnet-4-6": (
            1_000_000,
            128_000,
            True,
            "vertex says 1,000,000 and 64,000; bedrock says 1,000,000 and 64,000",
        ),
        "claude-sonnet-5": (1_000_000, 128_000, True, ""),
        "claude-sonnet-5-5": (1_000_000, 128_000, True, ""),
    }
)
"""Name to window and maximum output in tokens, support of the large window, and who disagrees."""
