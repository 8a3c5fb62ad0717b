"""What a text costs: the documented byte-ratio rule. Spec: T-01, T-02."""

from keel_ref.tokens.rough import estimate_text

__all__ = ["estimate_text"]
