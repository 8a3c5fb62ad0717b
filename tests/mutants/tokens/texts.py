"""Faults in what one text costs."""

from tests.mutants.mutant import Mutant

AREAS = ("messages", "tokens")

FUNCTIONS_TOKENS = "keel_ref.conformance.functions_tokens"
BOUND = "keel_ref.tokens.bound"
MEASURES = "keel_ref.tokens.measures"
ROUGH = "keel_ref.tokens.rough"

MUTANTS = (
    Mutant(
        name="bytes-in-place-of-units",
        clause="EST-001",
        areas=AREAS,
        module=ROUGH,
        old="if unit is Unit.UTF16 else size_utf8(text)",
        new="if unit is not Unit.UTF16 else size_utf8(text)",
    ),
    Mutant(
        name="ratio-of-three",
        clause="EST-001",
        areas=AREAS,
        module=ROUGH,
        old="else constants.tokens_ratio_units",
        new="else 3",
    ),
    Mutant(
        name="rounded-down",
        clause="EST-002",
        areas=AREAS,
        module=ROUGH,
        old="Tokens(div_half_up(size, ratio))",
        new="Tokens(size // ratio)",
    ),
    Mutant(
        name="rounded-up",
        clause="EST-002",
        areas=AREAS,
        module=ROUGH,
        old="Tokens(div_half_up(size, ratio))",
        new="Tokens(-(-size // ratio))",
    ),
    Mutant(
        name="jsonl-is-text",
        clause="EST-003",
        areas=AREAS,
        module=ROUGH,
        old='{"json", "jsonl", "jsonc"}',
        new='{"json", "jsonc"}',
    ),
    Mutant(
        name="upper-case-extension-is-text",
        clause="EST-003",
        areas=AREAS,
        module=ROUGH,
        old="extension.translate(_ASCII_LOWER)",
        new="extension",
    ),
    Mutant(
        name="json5-is-json",
        clause="EST-003",
        areas=AREAS,
        module=ROUGH,
        old='{"json", "jsonl", "jsonc"}',
        new='{"json", "jsonl", "jsonc", "json5", "txt", "md"}',
    ),
    Mutant(
        name="kind-json-ignored",
        clause="EST-003",
        areas=AREAS,
        module=FUNCTIONS_TOKENS,
        old="kind is Kind.JSON or is_json",
        new="is_json",
    ),
    Mutant(
        name="surrogates-cost-nothing",
        clause="EST-025",
        areas=AREAS,
        module=ROUGH,
        old="size = size_utf16(text) if",
        new='size = size_utf16(text.encode("utf-8", "ignore").decode() if isinstance(text, str) else text) if',
    ),
    Mutant(
        name="bound-rounded-down",
        clause="EST-031",
        areas=AREAS,
        module=BOUND,
        old="Tokens(div_ceil(bound_units(text, family), UNIT))",
        new="Tokens(bound_units(text, family) // UNIT)",
    ),
    Mutant(
        name="bound-without-pairs",
        clause="EST-031",
        areas=AREAS,
        module=BOUND,
        old=" + table.pair_weights[before * CLASS_COUNT + now]",
        new="",
    ),
    Mutant(
        name="bound-pairs-turned-round",
        clause="EST-031",
        areas=AREAS,
        module=BOUND,
        old="before * CLASS_COUNT + now",
        new="now * CLASS_COUNT + before",
    ),
    Mutant(
        name="bound-begins-behind-a-blank",
        clause="EST-031",
        areas=AREAS,
        module=BOUND,
        old='ord("\\n")',
        new='ord(" ")',
    ),
    Mutant(
        name="bound-forgets-what-stood-before",
        clause="EST-031",
        areas=AREAS,
        module=BOUND,
        old="        before = now\n",
        new="",
    ),
    Mutant(
        name="bound-always-any",
        clause="EST-030",
        areas=AREAS,
        module=MEASURES,
        old="return BoundMeasure(known)",
        new="return BoundMeasure(family_of(ANY))",
    ),
)
