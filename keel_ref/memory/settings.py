"""The settings that steer the loader, from all layers that count. Spec: MEM-020, MEM-021."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from attrs import frozen

from keel_ref.constants import Constants
from keel_ref.memory.values import Layer, MemoryRequest, Source
from keel_ref.paths import join
from keel_ref.ports import Refusal, Tree
from keel_ref.trace import Reason, Skip

T = TypeVar("T")


@frozen(kw_only=True)
class Settings:
    """What the layers of settings say together."""

    excludes: tuple[tuple[str, str], ...] = ()
    """`claudeMdExcludes` of all layers, each pattern with the file that has it. Spec: MEM-061."""
    auto_memory_enabled: bool | None = None
    """`autoMemoryEnabled`; None when no layer has it. Spec: MEM-126."""
    auto_memory_directory: str | None = None
    """`autoMemoryDirectory`, never from project settings. Spec: MEM-125."""
    skipped: tuple[Skip, ...] = ()
    """Settings files, and values in them, that could not be used. Spec: MEM-020."""


@frozen
class _Place:
    layer: str
    path: str
    is_named: bool = False


def read_settings(tree: Tree, request: MemoryRequest, config_home: str, cwd: str, constants: Constants) -> Settings:
    """Read every layer that is on, the strongest first. Spec: MEM-020, MEM-021."""
    skipped: list[Skip] = []
    layers: list[tuple[_Place, Mapping[str, object]]] = []
    for place in _places(tree, request, config_home, cwd):
        values = _read(tree, place, constants, skipped)
        layers.append((place, values))
    excludes = (
        (place.path, item)
        for place, values in layers
        for item in _value(values, "claudeMdExcludes", list, place, skipped) or ()
        if isinstance(item, str)
    )
    enabled = [_value(values, "autoMemoryEnabled", bool, place, skipped) for place, values in layers]
    folders = [
        _value(values, "autoMemoryDirectory", str, place, skipped)
        for place, values in layers
        if place.layer != Layer.PROJECT  # [MEM-125]
    ]
    return Settings(
        excludes=tuple(_within_bounds(excludes, constants, skipped)),
        auto_memory_enabled=next((v for v in enabled if v is not None), None),  # [MEM-021] the first layer that has it
        auto_memory_directory=next((v for v in folders if v is not None), None),
        skipped=tuple(skipped),
    )


def _places(tree: Tree, request: MemoryRequest, config_home: str, cwd: str) -> list[_Place]:
    """Managed, named explicitly, local, project, user; those switched off are left out. Spec: MEM-020, MEM-021."""
    flavour = tree.flavour
    own = join(cwd, ".claude", flavour)  # [MEM-020] of cwd itself, not of the git root or an ancestor
    places: list[_Place] = []
    if request.managed_dir:
        places.append(_Place(Layer.MANAGED, join(request.managed_dir, "managed-settings.json", flavour)))
    places.extend(_Place("named", path, is_named=True) for path in request.settings_files)
    if Source.LOCAL in request.sources:
        places.append(_Place(Layer.LOCAL, join(own, "settings.local.json", flavour)))
    if Source.PROJECT in request.sources:
        places.append(_Place(Layer.PROJECT, join(own, "settings.json", flavour)))
    if Source.USER in request.sources and config_home:
        places.append(_Place(Layer.USER, join(config_home, "settings.json", flavour)))
    return places


def _read(tree: Tree, place: _Place, constants: Constants, skipped: list[Skip]) -> Mapping[str, object]:
    content = tree.read_file(place.path, constants.max_file_bytes)
    if isinstance(content, Refusal):
        if content.reason is not Reason.NOT_FOUND or place.is_named:
            skipped.append(broken(place.path, f"{content.reason.value} {content.detail}".rstrip()))
        return {}
    values = parse_object(content.data)
    if isinstance(values, str):
        skipped.append(broken(place.path, values))  # [MEM-020] reported, not fatal
        return {}
    return values


def parse_object(data: bytes) -> dict[str, object] | str:
    """A JSON object from a file, or what is wrong with it."""
    try:
        values = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except RecursionError:
        return "nested too deeply"
    except ValueError as error:
        return " ".join(str(error).split())
    return values if isinstance(values, dict) else "no JSON object"


def _no_number(name: str) -> None:
    """`NaN` and `Infinity`, which the parser would take, are not JSON. Spec: MEM-020."""
    raise ValueError(f"{name} is no JSON")


def _value(values: Mapping[str, object], name: str, kind: type[T], place: _Place, skipped: list[Skip]) -> T | None:
    """The value of a key; None where it is missing, or of a wrong type, which is reported. Spec: MEM-020."""
    value = values.get(name)
    if value is None or isinstance(value, kind):
        return value
    skipped.append(broken(place.path, f"{name} is no {kind.__name__}"))
    return None


def _within_bounds(
    found: Iterable[tuple[str, str]], constants: Constants, skipped: list[Skip]
) -> Iterator[tuple[str, str]]:
    """Exclusion patterns, as many as are compared; that there are more is reported. Spec: MEM-061."""
    for count, (path, pattern) in enumerate(found):
        if count == constants.exclusions_cap_patterns:
            skipped.append(broken(path, f"claudeMdExcludes: only the first {count} patterns of all settings count"))
            return
        yield path, pattern


def broken(path: str, detail: str) -> Skip:
    """A settings file, or a value in one, that cannot be used. Spec: MEM-020."""
    return Skip(path=path, reason=Reason.SETTINGS_BROKEN, detail=detail)
