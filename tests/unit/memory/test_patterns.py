"""Patterns of path rules: from the value of `paths` to what a rule waits for."""

import pytest

from keel_ref.choices import BraceNesting
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory.patterns import expand_braces, rule_patterns, split_commas
from keel_ref.memory.yaml_block import BlockValue

FIRST_CLOSE, NESTED = BraceNesting.FIRST_CLOSE, BraceNesting.NESTED


def texts(*items: str) -> BlockValue:
    """A list of strings."""
    return BlockValue(items=tuple(BlockValue(text=item) for item in items))


@clause("MEM-048")
@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("a", "b"), "a,b"),
        (("a", "b"), " a ,\tb "),
        (("a",), ",a,,"),
        ((), " , "),
        (("x.{a,b}", "c"), "x.{a,b},c"),
        (("{a,{b,c}}", "d"), "{a,{b,c}},d"),
        (("{a,b",), "{a,b"),
        (("}a", "b"), "}a,b"),
        (("\\{a,b",), "\\{a,b"),
        (("a;b",), "a;b"),
    ],
)
def test_commas_part_outside_braces(pieces: tuple[str, ...], text: str) -> None:
    """White space goes at both ends, empty pieces go, an open brace keeps all commas behind it."""

    assert pieces == split_commas(text)


@clause("MEM-055", "MEM-056")
@pytest.mark.parametrize(
    ("expanded", "pattern", "nesting"),
    [
        (("src/a.ts", "src/a.tsx"), "src/a.ts{,x}", FIRST_CLOSE),
        (("a",), "{a}", FIRST_CLOSE),
        (("",), "{}", FIRST_CLOSE),
        (("src/1..3.ts",), "src/{1..3}.ts", FIRST_CLOSE),
        (("{a",), "{a", FIRST_CLOSE),
        (("a}",), "a}", NESTED),
        (("}a{",), "}a{", NESTED),
        (("\\{a,b\\}",), "\\{a,b\\}", NESTED),
        (("\\{a,b}",), "\\{a,b}", FIRST_CLOSE),
        (("a\\", "b"), "{a\\,b}", NESTED),
        (("a.ts", "a.py", "b.ts", "b.py"), "{a,b}.{ts,py}", NESTED),
        (
            ("src/a.ts", "src/a.py", "src/b.ts", "src/b.py", "lib/x.ts", "lib/x.py"),
            "{src/{a,b},lib/x}.{ts,py}",
            NESTED,
        ),
        (("{a,b",), "{a,b", NESTED),
        (("{xa", "{xb"), "{x{a,b}", NESTED),
    ],
)
def test_braces_expand(expanded: tuple[str, ...], pattern: str, nesting: BraceNesting) -> None:
    """Every alternative in order, empty ones too; a brace without a partner, and an escaped one, is literal."""

    assert expanded == expand_braces(pattern, nesting, DEFAULT.pattern_cap)


@clause("MEM-055")
def test_the_first_two_braces_are_a_group_under_first_close() -> None:
    """The alternatives of `{src/{a,b}` are `src/{a` and `b`, so `lib/x.py` is none of the patterns."""
    expanded = expand_braces("{src/{a,b},lib/x}.{ts,py}", FIRST_CLOSE, DEFAULT.pattern_cap)

    assert expanded is not None
    assert "src/a.ts" in [pattern.replace(",lib/x}", "") for pattern in expanded]
    assert "lib/x.py" not in expanded


@clause("MEM-056")
@pytest.mark.parametrize(("is_expanded", "count"), [(True, 3), (True, 4), (False, 5)])
def test_a_piece_expands_to_as_many_patterns_as_the_bound(is_expanded: bool, count: int) -> None:
    """Below and at the bound it is expanded; above it stands as it is, and is named."""
    pattern = "{" + ",".join("abcde"[:count]) + "}"
    found = rule_patterns(texts(pattern), FIRST_CLOSE, TINY)

    assert (tuple("abcde"[:count]) if is_expanded else (pattern,)) == found.patterns
    assert (() if is_expanded else (pattern,)) == found.literal


@clause("MEM-056")
def test_groups_of_one_do_not_count_against_the_bound() -> None:
    """A thousand of them are one pattern."""

    assert ("a" * 1_000,) == expand_braces("{a}" * 1_000, FIRST_CLOSE, DEFAULT.pattern_cap)
    assert 1_000 == len(expand_braces("{a,b,c,d,e,f,g,h,i,j}" * 3, NESTED, DEFAULT.pattern_cap) or ())
    assert expand_braces("{a,b,c,d,e,f,g,h,i,j}" * 3 + "{k,l}", NESTED, DEFAULT.pattern_cap) is None


@clause("MEM-047", "MEM-049")
@pytest.mark.parametrize(
    ("patterns", "value"),
    [
        ((), BlockValue.null()),
        ((), BlockValue(entries={"a": BlockValue(text="src")})),
        ((), BlockValue(text="")),
        ((), texts()),
        ((), BlockValue(text="**")),
        ((), texts("**")),
        ((), BlockValue(text="/**")),
        ((), BlockValue(items=(BlockValue.null(),))),
        ((), texts("**", "**/**")),
        (("*",), BlockValue(text="*")),
        (("**/*",), BlockValue(text="**/*")),
        (("**", "src/*.ts"), texts("**", "src/*.ts")),
        (("src",), BlockValue(text="src/**")),
        (("src/**",), BlockValue(text="src/**/**")),
        (("src/", "lib"), BlockValue(text="src/, lib/**")),
        (("a", "b", "c"), BlockValue(items=(BlockValue(text="a,b"), BlockValue.null(), BlockValue(text="c")))),
    ],
)
def test_values_become_effective_patterns(patterns: tuple[str, ...], value: BlockValue) -> None:
    """What says nothing or everything leaves a rule unconditional; one `/**` at an end goes."""

    assert patterns == rule_patterns(value, FIRST_CLOSE, DEFAULT).patterns
