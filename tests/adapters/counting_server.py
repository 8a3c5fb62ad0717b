"""A server on this machine that counts tokens, or fails in a way that a test asks for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field

Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]
"""Answers one request, whose body has been read."""


@define
class CountingServer:
    """What the server is told to do, and what it was asked."""

    url: str
    answers: list[Answer] = field(factory=list)
    """Answers to the next requests; afterwards it counts, or does what it was made for."""
    bodies: list[dict[str, Any]] = field(factory=list)
    """Every body so far."""
    headers: list[dict[str, str]] = field(factory=list)
    """The headers of every request, names in lower case."""
    patience: threading.Event = field(factory=threading.Event)
    """Set when a test is over, so that no answer is held back any longer."""


FRAME_TOKENS = 7
"""What the server adds to each request, as the provider does."""


def count(request: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """A token for each two characters of the texts, and the frame."""
    texts = [message["content"] for message in body["messages"]]
    characters = sum(len(text if isinstance(text, str) else json.dumps(text)) for text in texts)
    say(200, {"input_tokens": (characters + 1) // 2 + FRAME_TOKENS})(request, body)


def say(status: int, body: Any, *, kind: str = "application/json", **headers: str) -> Answer:
    """An answer with this status and body; names of headers with _ for -."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(request: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("content-type", kind)
        request.send_header("content-length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return answer


def hang_up(request: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """No answer, and the end of the connection."""
    request.close_connection = True


@contextmanager
def counting_server(otherwise: Answer = count) -> Iterator[CountingServer]:
    """The server, up while the block runs; `otherwise` answers where no answer is prepared."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.bodies.append(body)
            served.headers.append({name.lower(): value for name, value in self.headers.items()})
            (served.answers.pop(0) if served.answers else otherwise)(self, body)

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = CountingServer(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        served.patience.set()
        server.shutdown()
        thread.join()
        server.server_close()
