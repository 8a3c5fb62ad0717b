"""What a program leaves for the next process: a file in a folder that the suite names. Spec: protocol.md (resume)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.errors import InvalidArgumentError

NAME: Final = "program.json"


@frozen(kw_only=True)
class Left:
    """What the last process left: what was done, from which everything that a log holds follows."""

    config: Mapping[str, Any]
    steps: Sequence[Any]


def leave(folder: str, left: Left) -> None:
    """Write it down; what stood there before is replaced at once. Raises `InvalidArgumentError`."""
    draft = os.path.join(folder, f"{NAME}.{os.getpid()}.tmp")
    try:
        with open(draft, "w", encoding="utf-8") as file:
            json.dump({"config": left.config, "steps": list(left.steps)}, file)
        os.replace(draft, os.path.join(folder, NAME))
    except OSError as error:
        raise InvalidArgumentError("state", f"{folder!r} cannot be written to ({error.strerror or error})") from error


def take_up(folder: str) -> Left:
    """What was left there. Raises `InvalidArgumentError`."""
    try:
        with open(os.path.join(folder, NAME), encoding="utf-8") as file:
            found = json.load(file)
        return Left(config=found["config"], steps=found["steps"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidArgumentError("state", f"{folder!r} holds no program that was left ({error})") from error
