"""A browser without a window, driven over the pipe of its DevTools protocol: no port, and no package."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from attrs import define, field

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
SWITCHES: Final = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # only pages of ours are opened, and in a container there is no other way
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "about:blank",
)
PATIENCE_SECONDS: Final = 60
"""For one answer; a busy machine takes long to start a browser."""
FIRST_FREE: Final = 10
"""Our ends of the pipes lie above the two numbers that the browser reads and writes."""


class BrowserError(Exception):
    """The browser refused a command, or went away."""


def find_browser() -> str | None:
    """The command, as KEEL_BROWSER_COMMAND names it or the path has it."""
    named = os.environ.get("KEEL_BROWSER_COMMAND")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@define
class Connection:
    """Commands and events, each a JSON text that a zero byte ends."""

    reads: int
    writes: int
    events: list[dict[str, Any]] = field(factory=list)
    """What has happened and nobody has asked for yet."""
    _rest: bytes = b""
    _last: int = 0

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of one command. Raises `BrowserError`."""
        self._last += 1
        number = self._last
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writes, data) :]
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self._next(until)
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']}")
            else:
                result: dict[str, Any] = answer["result"]
                return result

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """The first event of that name that has come or comes."""
        until = time.monotonic() + PATIENCE_SECONDS
        seen = 0
        while True:
            for event in self.events[seen:]:
                if event.get("method") == method and event.get("sessionId") == session:
                    return event
            seen = len(self.events)
            self.events.append(self._next(until))

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self.reads], [], [], max(0, until - time.monotonic()))[0]:
                raise BrowserError("no answer in time")
            more = os.read(self.reads, 1 << 20)
            if not more:
                raise BrowserError("the browser has gone")
            self._rest += more
        text, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        return message


@contextmanager
def running_browser(command: str, profile: Path) -> Iterator[Connection]:
    """A browser with a profile of its own, which ends with the block."""
    their_in, our_out = _high_pipe()
    our_in, their_out = _high_pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, their_in, 3),
        (os.POSIX_SPAWN_DUP2, their_out, 4),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    words = [command, f"--user-data-dir={profile}", *SWITCHES]
    process = os.posix_spawn(command, words, os.environ, file_actions=actions, setpgroup=0)
    os.close(their_in)
    os.close(their_out)
    try:
        yield Connection(our_in, our_out)
    finally:
        os.close(our_out)
        os.close(our_in)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _high_pipe() -> tuple[int, int]:
    """The ends to read and to write, with numbers that stand in nobody's way."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]


@define
class Tab:
    """One page that is open."""

    connection: Connection
    session: str
    target: str

    @classmethod
    def opened(cls, connection: Connection, page: Path, *, width: int = 1000, theme: str = "light") -> Tab:
        """A tab that has loaded the file, with its events recorded from the start."""
        target = connection.send("Target.createTarget", url="about:blank")["targetId"]
        session = connection.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = cls(connection, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.send(f"{domain}.enable")
        tab.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        tab.set_theme(theme)
        tab.send("Page.navigate", url=page.as_uri())
        connection.wait_for("Page.loadEventFired", session)
        tab.settle()
        return tab

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command to this tab."""
        return self.connection.send(method, self.session, **parameters)

    def set_theme(self, theme: str) -> None:
        """What the page is told about the user's wish."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def evaluate(self, expression: str) -> Any:
        """What an expression is worth in the page, as plain values. Raises `BrowserError`."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def settle(self) -> None:
        """Wait until what is due has been drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, key: str) -> None:
        """One key, down and up."""
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])
        self.settle()

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse to a place of the window."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def named(self, *methods: str) -> Sequence[dict[str, Any]]:
        """The events of this tab with one of these names."""
        return [
            event
            for event in self.connection.events
            if event.get("sessionId") == self.session and event.get("method") in methods
        ]

    def close(self) -> None:
        """Let go of the page."""
        self.connection.send("Target.closeTarget", targetId=self.target)


KEYS: Final = {
    "Tab": 9,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
"""The numbers by which a browser knows keys."""
