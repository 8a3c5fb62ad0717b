"""How long an adapter may take, how much it may say, and how often it may be started."""

from attrs import frozen

from keel_ref.conformance.line import MAX_LINE_BYTES


@frozen(kw_only=True)
class Limits:
    """How long, how large, how often."""

    timeout_ms: int = 5_000
    """How long one answer may take: several times what the slowest test costs the reference on a busy machine."""
    handshake_timeout_ms: int = 10_000
    """How long the process may take to start and to answer hello."""
    max_line_bytes: int = MAX_LINE_BYTES
    """The longest line that is taken."""
    max_respawns: int = 50
    """Restarts in one run, failed ones included, beyond which the adapter is given up."""
