"""What a page looks like to somebody who uses it."""

from typing import Any

from attrs import frozen

from tests.browser.devtools import Tab


@frozen(kw_only=True)
class Colours:
    """What is painted."""

    paper: int
    """How bright the page is: the sum of red, green and blue."""
    pixels: str
    """The picture, as one text."""


def find_trouble(tab: Tab) -> list[Any]:
    """Errors, what the console tells, and requests but for the page itself."""
    told = tab.named("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
    asked = [event["params"]["request"]["url"] for event in tab.named("Network.requestWillBeSent")]
    return [*(event["params"] for event in told), *asked[1:]]


def scrolls_sidewards(tab: Tab) -> bool:
    """Whether the page is wider than the window."""
    return bool(tab.evaluate("document.documentElement.scrollWidth > innerWidth"))


def shown_figures(tab: Tab, readout: str = "figures") -> dict[str, int | str]:
    """What the readout says, numbers as numbers."""
    pairs = tab.evaluate(
        f"[...document.querySelectorAll('#{readout} dd')].map((one) => [one.dataset.key, one.innerText])"
    )
    return {key: int(plain) if (plain := text.replace(",", "")).isdecimal() else text for key, text in pairs}


def shown_title(tab: Tab, readout: str = "figures") -> str:
    """What the readout is about."""
    return str(tab.evaluate(f"document.querySelector('#{readout} strong').innerText"))


def colours(tab: Tab, canvas: str) -> Colours:
    """The paper of the page, and a picture on it."""
    paper = tab.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).reduce((sum, one) => sum + +one, 0)"
    )
    return Colours(paper=paper, pixels=tab.evaluate(f"document.querySelector('{canvas}').toDataURL()"))
