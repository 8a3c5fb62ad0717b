"""Area messages: rows, the view, rounds, pairs of calls and results, and what a request is made of. Spec: MSG."""

from keel_ref.messages.prepare import PreparedMessages, prepare_messages
from keel_ref.messages.rounds import RoundGrouper, api_rounds
from keel_ref.messages.view import view_start

__all__ = ["PreparedMessages", "RoundGrouper", "api_rounds", "prepare_messages", "view_start"]
