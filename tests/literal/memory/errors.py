"""How a call fails."""


class LiteralError(Exception):
    """A call that ends in an error of a registered kind (`spec/errors.json`)."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        """Name of the kind, such as `invalid_argument`."""
