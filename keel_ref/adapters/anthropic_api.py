"""Exact counts by the provider's counting call, through the package `anthropic`. Spec: EST-022."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from attrs import define, field

from keel_ref.adapters.api_errors import described, one_line
from keel_ref.adapters.extras import import_extra
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rows import SILENT, role_of, rows_of
from keel_ref.tokens.counter import is_count

TIMEOUT_SECONDS: Final = 30.0
"""How long one step of a request may take: to connect, to send, to wait for the answer."""
RETRIES: Final = 2
"""How often a request that failed for the moment is sent again."""
WAIT_CAP_SECONDS: Final = 60.0
"""The longest wait that a server may ask for; one that asks for more is unavailable."""
FIRST_WAIT_SECONDS: Final = 0.5
"""Wait before the first retry where the server names none; it doubles from there."""
KEY_HEADERS: Final = frozenset({"authorization", "x-api-key"})
"""Either says who asks."""
PASSING: Final = frozenset({408, 409, 429})
"""Refusals that pass, beside everything from 500 on."""


class _Stop(Exception):
    """No further attempt; the message is the problem."""


@define(kw_only=True)
class ApiCounter:
    """Asks the provider, message by message list; a `TokenCounter`. To be closed, or used in a `with`.

    A failed call, one that takes too long and an answer that is no count are unavailable; why is in `last_problem`.
    """

    model: str
    """The model whose tokens are counted."""
    client: Any
    """The client of the package, which knows the key and the address."""
    retries: int = RETRIES
    max_requests: int | None = None
    """Requests that may be sent in all, retries among them."""
    sleep: Callable[[float], object] = time.sleep
    last_problem: str | None = field(default=None, init=False)
    """Why the last answer was None."""
    requests: int = field(default=0, init=False)
    """Requests sent so far, retries among them."""

    def count(self, messages: Sequence[Any]) -> int | None:
        """Tokens of the request that the rows make, framing and all; 0 where nothing would be sent. Spec: EST-022.

        `prepare` would take the view from the last boundary on. Here the whole list counts, as in every counter: give
        the view where that is meant, as `count_or_estimate` does. Raises `InvalidArgumentError` for what is no list.
        """
        rows = [row for row in rows_of(messages) if role_of(row) not in SILENT]  # [EST-012] among them the boundaries
        prepared = prepare_messages(rows).messages
        self.last_problem = None
        return self._ask(prepared) if prepared else 0

    def count_text(self, text: str) -> int | None:
        """Tokens of a request with this text as the one message, framing and all."""
        return self._ask([{"role": "user", "content": text}])

    @property
    def has_key(self) -> bool:
        """Whether the client has anything to say who asks."""
        headers: Mapping[str, object] = self.client.default_headers
        is_named = any(name.lower() in KEY_HEADERS and isinstance(value, str) for name, value in headers.items())
        return is_named or getattr(self.client, "credentials", None) is not None

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, messages: Sequence[Mapping[str, Any]]) -> int | None:
        self.last_problem = None
        try:
            return self._attempts(messages)
        except _Stop as stop:
            self.last_problem = str(stop)
            return None

    def _attempts(self, messages: Sequence[Mapping[str, Any]]) -> int:
        """Ask, and where the failure may pass, wait and ask again. Raises `_Stop`."""
        last = ""
        for retry in range(self.retries + 1):
            if self.max_requests is not None and self.requests >= self.max_requests:
                raise _Stop(f"{last}all {self.max_requests} calls that were allowed are made")
            self.requests += 1
            answer = self._attempt(messages)
            if isinstance(answer, int):
                return answer
            if retry < self.retries:
                last = f"{described(answer)}; "
                self.sleep(_wait_seconds(answer, retry))
            else:
                raise _Stop(described(answer))
        raise AssertionError("at least one attempt is made")

    def _attempt(self, messages: Sequence[Mapping[str, Any]]) -> int | Exception:
        """The count, or a failure that may pass. Raises `_Stop` for one that will not."""
        package = import_extra("anthropic", "api")
        try:
            found = self.client.messages.count_tokens(model=self.model, messages=list(messages))
        except package.APIStatusError as error:
            if error.status_code not in PASSING and error.status_code < 500:  # noqa: PLR2004 (the server's own faults)
                raise _Stop(described(error)) from error
            return _as_exception(error)
        except package.APIConnectionError as error:  # a time-out is one too
            return _as_exception(error)
        except (package.AnthropicError, TypeError, ValueError, RecursionError) as error:
            # no key, no JSON in the answer, or a row that cannot be sent
            raise _Stop(described(error)) from error
        tokens = getattr(found, "input_tokens", None)
        if not is_count(tokens):  # [EST-022] an answer that is no such number
            raise _Stop("the server's answer holds no count of tokens")
        assert isinstance(tokens, int)
        return tokens


def connect(
    model: str,
    *,
    base_url: str | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
    retries: int = RETRIES,
    max_requests: int | None = None,
) -> ApiCounter:
    """A counter for the model, with the key that the package finds in its variables, such as ANTHROPIC_API_KEY.

    `base_url` None is the package's own choice. Nothing is sent before something is counted. Raises
    `MissingPackageError` without the package `anthropic`, `InvalidArgumentError` for settings that it refuses.
    """
    package = import_extra("anthropic", "api")
    address = os.environ.get("ANTHROPIC_BASE_URL") or None if base_url is None else base_url
    if address is not None and not is_address(address):
        raise InvalidArgumentError(
            "base_url",
            f"{address!r} is no address; write one such as https://HOST, or leave it (ANTHROPIC_BASE_URL) out",
        )
    try:
        client = package.Anthropic(base_url=base_url, timeout=timeout_seconds, max_retries=0)  # it is we who retry
    except (package.AnthropicError, TypeError, ValueError) as error:
        raise InvalidArgumentError("anthropic", f"its settings cannot be used ({one_line(str(error))})") from error
    return ApiCounter(model=model, client=client, retries=retries, max_requests=max_requests)


def is_address(url: str) -> bool:
    """Whether a request can be sent there: http or https, a host, and a port that there is."""
    try:
        parts = urlsplit(url)
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that there is not, a bracket that is not closed
        return False
    return is_complete and url.isprintable() and " " not in url


def _wait_seconds(error: Exception, retry: int) -> float:
    """How long to wait before the next attempt. Raises `_Stop` where the server asks for longer than we will."""
    response = getattr(error, "response", None)
    asked = None if response is None else parse_retry_after(response.headers.get("retry-after"))
    if asked is None:
        return FIRST_WAIT_SECONDS * 2.0**retry
    if asked > WAIT_CAP_SECONDS:
        raise _Stop(f"{described(error)}; the server asks to wait {asked:.0f} seconds")
    return asked


def parse_retry_after(value: str | None) -> float | None:
    """Seconds that a header Retry-After asks for, given as a number or as a date; None for anything else."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)


def _as_exception(error: object) -> Exception:
    """The package is imported late, so its exceptions have no type here."""
    assert isinstance(error, Exception)
    return error
