"""Ways of saying less in a program, beside leaving out steps: fewer words, joined neighbours, plainer kinds."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.wire import ProgramItem

Reduction = Callable[[ProgramItem], Iterator[ProgramItem]]
"""A program to smaller ones, the one that takes most away first."""

_NEEDED: Final = frozenset({"kind", "tokens", "pair", "path", "name", "to"})
"""Arguments that are made plainer but never left out."""
_PLAIN_KIND: Final = "user"


def without_steps(item: ProgramItem, start: int, end: int) -> ProgramItem:
    """The program without the steps of a stretch."""
    return evolve(item, steps=(*item.steps[:start], *item.steps[end:]))


def _one_session(item: ProgramItem) -> Iterator[ProgramItem]:
    """All steps on one session; or one of the others joined to it."""
    names = sorted({step[1]["s"] for step in item.steps if _is_step(step) and "s" in step[1]}, key=str)
    for chosen in (names, *([name] for name in names)):
        yield evolve(item, steps=tuple(_without(step, ("s",)) if _is_of(step, chosen) else step for step in item.steps))


_NARROW: Final[Mapping[str, int]] = {"keep_results": 1, "restore_files": 1, "gap_minutes": 1}
"""Numbers of a config that make fewer rows enough."""


def narrower_configs(item: ProgramItem) -> Iterator[ProgramItem]:
    """The program under all of these numbers, then under each."""
    for chosen in (_NARROW, *({name: value} for name, value in _NARROW.items())):
        if any(item.config.get(name) != value for name, value in chosen.items()):
            yield evolve(item, config={**item.config, **chosen})


def _drop_config(item: ProgramItem) -> Iterator[ProgramItem]:
    """Without the config, without a field of it, or without an entry of such a field."""
    yield evolve(item, config={})
    for name, value in item.config.items():
        yield evolve(item, config={key: other for key, other in item.config.items() if key != name})
        for inner in value if isinstance(value, Mapping) else ():
            smaller = {key: other for key, other in value.items() if key != inner}
            yield evolve(item, config={**item.config, name: smaller})


def _merge_neighbours(item: ProgramItem) -> Iterator[ProgramItem]:
    """Two rows that follow one another in one session as one, of the kind of either."""
    for place, (one, other) in enumerate(zip(item.steps, item.steps[1:], strict=False)):
        if not (_is_row(one) and _is_row(other) and one[1].get("s") == other[1].get("s")):
            continue
        tokens = one[1]["tokens"] + other[1]["tokens"]
        for kept in (one, other):
            merged = [kept[0], {**kept[1], "tokens": tokens}]
            yield evolve(item, steps=(*item.steps[:place], merged, *item.steps[place + 2 :]))


def _drop_arguments(item: ProgramItem) -> Iterator[ProgramItem]:
    """Without one argument of one step, or without one entry of a list or an object in it."""
    for place, step in enumerate(item.steps):
        if not _is_step(step):
            continue
        for name, value in step[1].items():
            if name in _NEEDED:
                continue
            yield _with_step(item, place, _without(step, (name,)))
            for smaller in _smaller(value):
                yield _with_step(item, place, [step[0], {**step[1], name: smaller}])


def _plainer(item: ProgramItem) -> Iterator[ProgramItem]:
    """A plainer kind of row, and a summary that works."""
    for place, step in enumerate(item.steps):
        if not _is_step(step):
            continue
        if step[0] == "append" and step[1].get("kind") not in (_PLAIN_KIND, None):
            kept = {name: value for name, value in step[1].items() if name in ("s", "tokens")}
            yield _with_step(item, place, ["append", {"kind": _PLAIN_KIND, **kept}])
        if step[0] == "compact" and "summary" in step[1]:
            yield _with_step(item, place, ["compact", {**_without(step, ("summary",))[1], "summary_tokens": 1}])


REDUCTIONS: Final[tuple[Reduction, ...]] = (_drop_config, _one_session, _merge_neighbours, _plainer, _drop_arguments)
"""Every way, the one that takes most away first."""


@frozen(kw_only=True)
class Number:
    """A number in a program, by the steps that lead to it."""

    place: tuple[str | int, ...]
    value: int


Numbers = tuple[Number, ...]


def find_numbers(item: ProgramItem) -> Numbers:
    """Every number above 0 in the arguments of the steps, in reading order."""
    found: list[Number] = []
    for place, step in enumerate(item.steps):
        if _is_step(step):
            found.extend(_numbers_in(step[1], (place, 1)))
    return tuple(found)


def _numbers_in(value: object, place: tuple[str | int, ...]) -> Iterator[Number]:
    if isinstance(value, bool):
        return
    if isinstance(value, int) and value > 0:
        yield Number(place=place, value=value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers_in(inner, (*place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _numbers_in(inner, (*place, index))


def lower_number(item: ProgramItem, number: Number, value: int) -> ProgramItem:
    """The program with another number at one place."""
    steps = json.loads(json.dumps(item.steps))
    holder = steps
    for key in number.place[:-1]:
        holder = holder[key]
    holder[number.place[-1]] = value
    return evolve(item, steps=tuple(steps))


def _smaller(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for index in range(len(value)):
            yield [*value[:index], *value[index + 1 :]]
            for smaller in _smaller(value[index]):
                yield [*value[:index], smaller, *value[index + 1 :]]
    elif isinstance(value, Mapping) and len(value) > 1:
        for name in value:
            yield {key: other for key, other in value.items() if key != name}


def _with_step(item: ProgramItem, place: int, step: object) -> ProgramItem:
    return evolve(item, steps=(*item.steps[:place], step, *item.steps[place + 1 :]))


def _without(step: Any, names: tuple[str, ...]) -> Any:
    return [step[0], {name: value for name, value in step[1].items() if name not in names}]


def _is_step(step: object) -> bool:
    return isinstance(step, list) and len(step) == 2 and isinstance(step[1], dict)  # noqa: PLR2004 (name, arguments)


def _is_of(step: Any, names: list[Any]) -> bool:
    return _is_step(step) and step[1].get("s") in names


def _is_row(step: Any) -> bool:
    return _is_step(step) and step[0] == "append" and isinstance(step[1].get("tokens"), int)
