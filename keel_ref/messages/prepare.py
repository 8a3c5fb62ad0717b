"""What is sent of a session's list: the view, in order, in whole pairs, within the limits. Spec: MSG-001 to MSG-007."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.drafts import Draft, attachments_moved, drafts_of, neighbours_joined, responses_joined, sent_rows
from keel_ref.messages.limits import MediaCap, filled
from keel_ref.messages.pairing import Pairing
from keel_ref.messages.rows import Reported, as_list, rows_of
from keel_ref.messages.view import view_start


@frozen(kw_only=True)
class PreparedMessages:
    """The messages of a request, and what was done to get them."""

    messages: tuple[Mapping[str, Any], ...]
    """Each `{"role", "content"}` with a list of blocks; roles alternate."""
    reported: tuple[Reported, ...]
    """What was left out, put in or changed."""


def prepare_messages(
    messages: Sequence[Any], *, pending: Collection[str] = (), constants: Constants = DEFAULT
) -> PreparedMessages:
    """The messages that a request holds for a session's list, which is not changed. Spec: MSG-007.

    The blocks of the result are new objects, but what stands inside them is shared with the list.

    `pending` names calls that are still under way. Raises `InvalidArgumentError` if `messages` is no list, or `pending`
    no list of ids.
    """
    rows = rows_of(messages)
    under_way = _ids(pending)
    reported: list[Reported] = []
    sent = attachments_moved(sent_rows(rows, view_start(rows), reported))
    drafts = responses_joined(drafts_of(sent, reported))
    drafts = Pairing(under_way, reported).paired(drafts)
    drafts = neighbours_joined(_limited(drafts, constants, reported))
    return PreparedMessages(
        # [MSG-003] nothing is put in front here
        messages=tuple(
            {"role": str(draft.role), "content": [dict(placed.block) for placed in draft.blocks]} for draft in drafts
        ),
        reported=tuple(reported),
    )


def _limited(drafts: list[Draft], constants: Constants, reported: list[Reported]) -> list[Draft]:
    """The drafts with no more media than a request may hold, and with no empty result. Spec: MSG-005, MSG-020."""
    cap = MediaCap.of(drafts, constants, reported)
    for draft in drafts:
        draft.blocks = [filled(placed, reported) for placed in cap.kept(draft.blocks, constants)]
    return drafts


def _ids(pending: object) -> Collection[str]:
    if isinstance(pending, str) or not isinstance(pending, Collection):
        raise InvalidArgumentError("pending", f"a list of ids is expected, not {type(pending).__name__}")
    names = as_list(pending) or tuple(pending)
    if not all(isinstance(name, str) for name in names):
        raise InvalidArgumentError("pending", "every id is a text")
    return frozenset(names)
