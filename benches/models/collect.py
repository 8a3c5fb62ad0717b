"""Makes the table of models again from two openly licensed packages. Spec: WIN-006.

Usage: `python benches/models/collect.py FOLDER`, FOLDER holding the unpacked wheels of `litellm` and `genai-prices`
(`make models` fetches both). Writes spec/models.json and keel_ref/window/models.py.

litellm says window and maximum output; genai-prices says the window alone. Rows of Anthropic's own names come first,
then those of other providers under the same name. Where the two disagree, the row says so and litellm's stands.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LITELLM_FILE = "model_prices_and_context_window_backup.json"
PROVIDERS = (("anthropic", ""), ("vertex_ai-anthropic_models", "vertex_ai/"), ("bedrock", "anthropic."))
"""The providers of the map whose rows are taken, the first one first, and what they put before a name."""
BEDROCK_END = re.compile(r"-v[0-9]+(:[0-9]+)?$")
LARGE_WINDOW = 1_000_000
TIER_STARTS = 200_000
ABOUT = (
    "Windows and maximum outputs of Claude models, in tokens, as two openly licensed price maps state them. "
    "supports_1m: the window is 1,000,000, or one of the maps has a price for input beyond 200,000, so the window "
    "could be asked for by the beta header while that was offered (one of the maps says that the offer for Sonnet 4.5 "
    "ended on 2026-04-30). "
    "A model that is not listed is unknown. Made by `make models`; not edited by hand."
)


def main() -> None:
    """Read both packages, and write both files."""
    folder = Path(sys.argv[1])
    litellm = json.loads(next(folder.rglob(LITELLM_FILE)).read_text(encoding="utf-8"))
    prices = _load_genai(folder)
    rows: dict[str, list[tuple[Mapping[str, Any], str]]] = {}
    for name, entry, provider in _litellm_rows(litellm):
        rows.setdefault(name, []).append((entry, provider))
    models = [_row(name, found, prices) for name, found in sorted(rows.items())]
    document = {
        "schema": "keel-models/1",
        "about": ABOUT,
        "read": date.today().isoformat(),  # noqa: DTZ011 (the day on which somebody ran this)
        "sources": [
            {"package": name, "version": _version(folder, name), "licence": "MIT", "says": says}
            for name, says in (("litellm", "window, maximum output, tiers"), ("genai-prices", "window, tiers"))
        ],
        "models": models,
    }
    (ROOT / "spec/models.json").write_text(_published(document), encoding="utf-8")
    (ROOT / "keel_ref/window/models.py").write_text(_module(document), encoding="utf-8")


def _litellm_rows(entries: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Name, entry and provider of each Claude row that says both amounts, in the order of the providers."""
    for provider, prefix in PROVIDERS:
        for key, entry in entries.items():
            told = str(entry.get("litellm_provider", ""))
            is_one = told == provider or (provider == "bedrock" and told == "bedrock_converse")
            name = BEDROCK_END.sub("", key.removeprefix(prefix)).replace("@default", "").replace("@", "-")
            if is_one and key.startswith(prefix + "claude") and re.fullmatch(r"claude-[a-z0-9-]+", name):
                window, output = entry.get("max_input_tokens"), entry.get("max_output_tokens")
                if isinstance(window, int) and isinstance(output, int):
                    yield name, entry, provider


def _row(name: str, found: list[tuple[Mapping[str, Any], str]], prices: Mapping[str, tuple[int | None, bool]]) -> Any:
    """One row of the table, with a note where somebody disagrees."""
    entry, provider = found[0]
    window, output = entry["max_input_tokens"], entry["max_output_tokens"]
    other, has_tier = prices.get(name, (None, False))
    notes = [
        f"{told} says {here['max_input_tokens']:,} and {here['max_output_tokens']:,}"
        for told, here in {told.partition("_")[0]: here for here, told in found[1:]}.items()
        if (here["max_input_tokens"], here["max_output_tokens"]) != (window, output)
    ]
    if other not in (None, window):
        notes.append(f"genai-prices says a window of {other:,}")
    has_price = any("above_200k_tokens" in key for here, _ in found for key in here)
    row = {
        "name": name,
        "window": window,
        "max_output": output,
        "supports_1m": window >= LARGE_WINDOW or has_price or has_tier,
        "source": f"litellm, {provider}" + (", genai-prices" if other is not None else ""),
    }
    return row | ({"note": "; ".join(notes)} if notes else {})


class _Prices(dict[str, tuple[int | None, bool]]):
    """What genai-prices says of a name, asked when it is wanted."""

    def __init__(self, models: list[Any]) -> None:
        super().__init__()
        self.models = models

    def get(self, name: str, default: Any = None) -> Any:
        for model in self.models:
            if model.match.is_match(name):
                tiers = repr(model.prices)
                return model.context_window, f"start={TIER_STARTS}" in tiers
        return default


def _load_genai(folder: Path) -> _Prices:
    place = next(folder.rglob("genai_prices/__init__.py"))
    sys.path.insert(0, str(place.parent.parent))
    spec = importlib.util.find_spec("genai_prices.data")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return _Prices(next(one.models for one in module.providers if one.id == "anthropic"))


def _version(folder: Path, name: str) -> str:
    place = next(folder.rglob(f"{name.replace('-', '_')}-*.dist-info/METADATA"))
    return next(line for line in place.read_text(encoding="utf-8").splitlines() if line.startswith("Version: "))[9:]


def _published(document: Mapping[str, Any]) -> str:
    """One row a line."""
    head = {name: value for name, value in document.items() if name != "models"}
    lines = ",\n".join("  " + json.dumps(row) for row in document["models"])
    return json.dumps(head, indent=1)[:-2] + ',\n "models": [\n' + lines + "\n ]\n}\n"


def _module(document: Mapping[str, Any]) -> str:
    """The same for the model: nothing is parsed when a command starts."""
    sources = "; ".join(f"{one['package']} {one['version']} ({one['licence']})" for one in document["sources"])
    lines = [
        '"""What is known of models, as spec/models.json has it. Written by `make models`. Spec: WIN-006."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from types import MappingProxyType",
        "from typing import Final",
        "",
        f'SOURCES: Final = "{sources}"',
        '"""The packages that the rows come from, with their licences."""',
        f'READ: Final = "{document["read"]}"',
        '"""The day on which they were read."""',
        "ROWS: Final[Mapping[str, tuple[int, int, bool, str]]] = MappingProxyType(",
        "    {",
    ]
    for row in document["models"]:
        values = (row["window"], row["max_output"])
        numbers = ", ".join(f"{value:_}" for value in values)
        note = json.dumps(row.get("note", ""))
        lines.append(f'        "{row["name"]}": ({numbers}, {row["supports_1m"]}, {note}),')
    lines += [
        "    }",
        ")",
        '"""Name to window and maximum output in tokens, support of the large window, and who disagrees."""',
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
