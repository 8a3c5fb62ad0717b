"""Which emphasis marks belong together."""

import attrs

MULTIPLE = 3
"""The rule of three: runs that open and close at once must not add up to a multiple of it."""


@attrs.define(eq=False)
class Delimiter:
    """A run of equal emphasis marks."""

    character: str
    """`*` or `_`."""
    count: int
    """Marks that are left as literal text."""
    count_at_first: int
    """Marks of the whole run."""
    can_open: bool = attrs.field(kw_only=True)
    """Whether it may begin emphasis."""
    can_close: bool = attrs.field(kw_only=True)
    """Whether it may end emphasis."""
    has_closed: bool = False
    """Whether marks at its start ended emphasis."""
    has_opened: bool = False
    """Whether marks at its end began emphasis."""


def fit(opener: Delimiter, closer: Delimiter) -> bool:
    """Whether two runs may be the two ends of an emphasis."""
    if opener.character != closer.character or not opener.can_open:
        return False
    if not (opener.can_close or closer.can_open):
        return True
    total = opener.count_at_first + closer.count_at_first
    return total % MULTIPLE != 0 or closer.count_at_first % MULTIPLE == 0


def resolve_emphasis(delimiters: list[Delimiter], bottom: int) -> None:
    """Pair the delimiters of the stack from an index on, and take them off the stack."""
    index = bottom
    floors: dict[tuple[str, bool, int], Delimiter | None] = {}
    while index < len(delimiters):
        closer = delimiters[index]
        if not closer.can_close:
            index += 1
            continue
        kind = (closer.character, closer.can_open, closer.count_at_first % MULTIPLE)
        opener_index = _find_opener(delimiters, index, bottom, floors.get(kind))
        if opener_index is None:
            floors[kind] = delimiters[index - 1] if index > bottom else None
            if closer.can_open:
                index += 1
            else:
                del delimiters[index]
            continue
        opener = delimiters[opener_index]
        used = 2 if opener.count >= 2 and closer.count >= 2 else 1
        opener.count -= used
        closer.count -= used
        opener.has_opened = True
        closer.has_closed = True
        del delimiters[opener_index + 1 : index]
        index = opener_index + 1
        if opener.count == 0:
            del delimiters[opener_index]
            index -= 1
        if closer.count == 0:
            del delimiters[index]
    del delimiters[bottom:]


def _find_opener(delimiters: list[Delimiter], index: int, bottom: int, floor: Delimiter | None) -> int | None:
    """The nearest run before an index that fits; below the floor it was searched before in vain."""
    for candidate in range(index - 1, bottom - 1, -1):
        if delimiters[candidate] is floor:
            return None
        if fit(delimiters[candidate], delimiters[index]):
            return candidate
    return None
