"""Frontmatter and patterns that stand for far more than they seem to: YAML, braces, globs."""

import json
from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis.strategies import text

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import BraceNesting
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory import MemoryRequest, MemorySession, load_memory
from keel_ref.memory.exclusion import parse_exclusion
from keel_ref.memory.lint import lint
from keel_ref.memory.meter import Meter, SpentError
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.patterns import READ_PER_PATTERN, expand_braces, rule_patterns
from keel_ref.memory.wildcards import parse_segment
from keel_ref.memory.yaml_block import BlockFailure, BlockValue, parse_block
from keel_ref.trace import Reason
from tests.hostile.place import Place

pytestmark = pytest.mark.usefixtures("within_time")

Work = Callable[[Callable[[], object]], int]

LAUGHS = "\n".join(
    ["a0: &a0 [x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)), "paths: *a29"]
)
YAML = {
    "a thousand million laughs": LAUGHS,
    "an alias of itself": "a: &a [*a]\npaths: *a",
    "deep lists": "paths: " + "[" * 60_000,
    "deep mappings": "paths: " + "{" * 60_000,
    "deep dashes": "paths:\n" + "- " * 30_000 + "a",
    "deep indents": "paths:\n" + "".join(" " * i + "a:\n" for i in range(300)),
    "a megabyte": "paths: " + "a" * 1_000_000,
    "an open quote": "paths: '" + "a" * 60_000,
    "a hundred thousand keys": "".join(f"k{i}: v\n" for i in range(100_000)),
    "six thousand keys": "".join(f"k{i}: v\n" for i in range(6_000)),
    "the same key": "k: v\n" * 10_000,
    "complex keys": "? a\n" * 10_000,
    "questions": "? " * 30_000,
    "colons": ": " * 30_000,
    "anchors": "".join(f"- &a{i} x\n" for i in range(5_000)),
    "tags": "- !a b\n" * 8_000,
    "many documents": "a: b\n...\n--- a\n" * 3_000,
    "a version": "%YAML 9.9\n--- x",
    "a code beyond the last": 'paths: "\\U00110000"',
    "a code beyond all": 'paths: "\\UFFFFFFFF"',
    "half a code": 'paths: "\\ud800"',
    "a NUL": 'paths: "a\0b"',
    "an escaped NUL": 'paths: "a\\0b"',
}


@clause("MEM-043", "MEM-045", "MEM-046")
@pytest.mark.parametrize("block", YAML.values(), ids=YAML)
def test_frontmatter_without_end(block: str) -> None:
    """Whatever stands between the dashes, the rule loads or waits, and its neighbour loads."""
    tree = InMemoryTree.of({"/r/.claude/rules/a.md": f"---\n{block}\n---\nA", "/r/.claude/rules/b.md": "B"})
    load = load_memory(tree, MemoryRequest(cwd="/r"))
    texts = [file.text for file in load.files]

    assert texts[-1:] == ["B"]
    assert texts == ["A", "B"] or [Reason.CONDITIONAL] == [row.reason for row in load.skipped]


@clause("MEM-046")
def test_a_block_costs_no_more_than_its_bound(work: Work) -> None:
    """Nodes are counted while they are read: what stands for millions costs no more than what is written."""
    parse_block.cache_clear()
    bomb = work(lambda: parse_block(LAUGHS, DEFAULT))
    harmless = work(lambda: parse_block(LAUGHS.replace("*a", "ba"), DEFAULT))

    assert isinstance(parse_block(LAUGHS, DEFAULT), BlockFailure)
    assert bomb < 2 * harmless


@clause("MEM-046", "MEM-045")
def test_one_load_parses_so_much_frontmatter_and_no_more() -> None:
    """What lies beyond fails like any other block: its rule loads at the start, with a warning."""
    files = {f"/r/.claude/rules/{i}.md": f"---\npaths: src{i}\n---\nR" for i in range(10)}
    constants = evolve(DEFAULT, yaml_cap_units=40, load_cap_yaml_units=70)
    load = load_memory(InMemoryTree.of(files), MemoryRequest(cwd="/r"), constants=constants)

    assert [f"/r/.claude/rules/{i}.md" for i in range(5)] == [rule.path for rule in load.held]
    assert [f"/r/.claude/rules/{i}.md" for i in range(5, 10)] == [file.path for file in load.files]
    assert ["frontmatter-invalid"] * 5 == [notice.kind for notice in load.notices]


BRACES = {
    "forty pairs": "{a,b}" * 40,
    "opening": "{" * 60_000,
    "closing": "}" * 60_000,
    "empty": "{}" * 30_000,
    "of one": "{a}" * 20_000,
    "thirty thousand alternatives": "{" + "," * 30_000 + "}" + "x" * 30_000,
    "nested": "{a," * 9_000 + "b" + "}" * 9_000,
    "crossed": "{a,{b" * 5_000 + "}" * 5_000,
    "escaped": "\\{a,b\\}" * 8_000,
}


@clause("MEM-055", "MEM-056")
@pytest.mark.parametrize("nesting", BraceNesting)
@pytest.mark.parametrize("pattern", BRACES.values(), ids=BRACES)
def test_braces_without_end(pattern: str, nesting: BraceNesting, work: Work) -> None:
    """They expand within the cap, or are literal; finding out takes no more reading than the cap allows."""
    found: list[tuple[str, ...] | None] = []
    calls = work(lambda: found.append(expand_braces(pattern, nesting, DEFAULT.pattern_cap)))

    assert found[0] is None or len(found[0]) <= DEFAULT.pattern_cap
    assert calls < 5 * READ_PER_PATTERN * DEFAULT.pattern_cap


@clause("MEM-056")
def test_all_rules_of_a_load_expand_to_so_much_and_no_more() -> None:
    """A few letters that stand for thousands of patterns, in many rules: the later ones are literal, and say so."""
    text = ",".join(["{a,b}" * 9] * 20)
    meter = Meter(DEFAULT.load_cap_pattern_characters)
    found = [rule_patterns(BlockValue(text=text), BraceNesting.FIRST_CLOSE, DEFAULT, meter) for _ in range(20)]

    assert 20 * 2**9 == len(found[0].patterns)
    assert ("{a,b}" * 9,) * 20 == found[-1].patterns == found[-1].literal
    assert sum(len("".join(rule.patterns)) for rule in found) < 2 * DEFAULT.load_cap_pattern_characters
    assert ("src",) == rule_patterns(BlockValue(text="src"), BraceNesting.NESTED, DEFAULT, Meter(0)).patterns


@clause("MEM-054")
@pytest.mark.parametrize("piece", ["[", "[[:", "[a-", "[^", "[\\]", "[]", "[z-a", "[[:alpha:"])
def test_openings_of_classes_cost_no_more_than_one(piece: str, work: Work) -> None:
    """Four times as many openings that never close take about four times the work."""

    def parse(count: int) -> int:
        return work(lambda: parse_segment(piece * count, ignores_case=True))

    assert parse(4_000) < 6 * parse(1_000)


class Forgetful(set[int]):
    """A set that keeps nothing."""

    def update(self, *_: object) -> None:
        """Forget it."""


@clause("MEM-054")
@given(text(alphabet="[]^-\\:alpha!z", max_size=40))
@example("[[:alpha:]")
@example("[[^--z]")
def test_remembering_where_no_class_ends_changes_nothing(pattern: str) -> None:
    """A class is found where it would be found if each opening were looked at by itself."""
    own = parse_segment(pattern, ignores_case=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keel_ref.memory.wildcards.set", Forgetful, raising=False)
        found = parse_segment(pattern, ignores_case=False)

    assert own == found


DEAR_GLOBS = (
    "*a" * 60 + "b",
    "*" + "a" * 120 + "b",
    "**/" * 1_000 + "b",
    "[a-z]" * 100 + "b",
    "?" * 100 + "b",
    "[" * 200,
)


@clause("MEM-050", "MEM-051", "MEM-062")
@pytest.mark.parametrize("pattern", DEAR_GLOBS)
@pytest.mark.parametrize("path", ["a" * 250, "/".join("a" * 2_000), "/".join(["a" * 250] * 16)])
def test_a_meter_bounds_the_work_of_matching(pattern: str, path: str, work: Work) -> None:
    """Stars against long names and deep paths: there is an answer, or it is refused, within work that is bounded."""

    def ask(match: Callable[[Meter], object]) -> None:
        try:
            match(Meter(20_000))
        except SpentError:
            return

    exclusion = parse_exclusion("/**/" + pattern, lambda _: None, DEFAULT.pattern_cap)
    rules = work(lambda: ask(lambda meter: matches_rule([pattern], path, meter)))
    exclusions = work(lambda: ask(lambda meter: exclusion.excludes("/" + path, meter)))

    assert max(rules, exclusions) < 2_000_000


@clause("MEM-062")
@pytest.mark.parametrize(
    "group",
    [
        *("*(*a)*(*a)", "+(+(+(a)))", "*(*(*(a)))", "!(!(!(a)))", "!(!(*b*)*)" * 5, "!(b)" * 300, "@(" * 5_000),
        *(
            "*(" + "|".join("a" * 2_000) + ")",
            "+(" + "|".join(["a", "aa", "aaa"] * 500) + ")",
            "?(a)" * 200,
            "*()" * 100,
        ),
    ],
    ids=lambda group: group[:16],
)
def test_a_meter_bounds_the_work_of_groups(group: str, work: Work) -> None:
    """Groups in one another, repeated and negated, against a long name: an answer, or none, within bounded work."""
    exclusion = parse_exclusion("/**/" + group + "z", lambda _: None, DEFAULT.pattern_cap)

    def ask() -> None:
        try:
            exclusion.excludes("/" + "a" * 250, Meter(20_000))
        except SpentError:
            return

    assert work(ask) < 1_000_000


@clause("MEM-062", "MEM-061", "MEM-020")
@pytest.mark.parametrize(
    ("patterns", "is_reported"),
    [
        (["/" + "{a,b}" * 40], True),
        (["/" + "{" * 200_000], True),
        (["/" + "{a," * 900 + "}" * 900], True),
        (["/" + "{}" * 1_000], True),
        (["/{1..1000000000}"], True),
        (["/{" + "a" * 1_000_000 + ",b}"], True),
        (["/" * 1_000_000], True),
        (["!" * 1_000_001 + "/x"], True),
        (["/" + "a" * 5_000_000], True),
        (["/a"] * 500_000, True),
        ([""] * 500_000, True),
        (["/" + "{a,b}" * 9 + "c" * 500] * 100, True),
        (["/" + "[" * 50_000, "**/" * 20_000 + "x", "/" + "*a" * 20_000], False),
        (["/a\0b/*", "\ud800/*", "/\udcff/x", "/é/\U0010ffff"], False),
    ],
    ids=lambda value: repr(value[0][:16]) if isinstance(value, list) else str(value),
)
def test_exclusions_without_end(place: Place, patterns: list[str], is_reported: bool) -> None:
    """What is too much is left out or taken literally, with a row about the settings file; everything loads."""
    place.write(".claude/settings.json", json.dumps({"claudeMdExcludes": patterns}))
    place.write("CLAUDE.md", "still here")
    plan = place.plan(memory=1 << 30)

    assert ["CLAUDE.md"] == plan.files
    assert ({".claude/settings.json": "settings-broken"} if is_reported else {}) == plan.rows


@clause("MEM-060", "MEM-062")
def test_a_file_that_there_is_no_time_to_compare_is_left_out() -> None:
    """When the patterns have used up their time the rest stays out, to be safe; what the organisation says loads."""
    files = {f"/r/.claude/rules/{'a' * 200}{i}.md": "R" for i in range(10)}
    excludes = json.dumps({"claudeMdExcludes": ["**/*" + "a" * 100 + "b"] * 10})
    tree = InMemoryTree.of({**files, "/r/.claude/settings.json": excludes, "/m/CLAUDE.md": "M", "/r/CLAUDE.md": "P"})
    constants = evolve(DEFAULT, load_cap_comparisons=300_000)
    load = load_memory(tree, MemoryRequest(cwd="/r", managed_dir="/m"), constants=constants)
    late = [row for row in load.skipped if "take too long" in row.detail]

    assert ["M", "P"] == [file.text for file in load.files if "rules" not in file.path]
    assert 0 < len(late) < 10
    assert {Reason.EXCLUDED} == {row.reason for row in late}
    assert 10 == len(late) + len([file for file in load.files if "rules" in file.path])


@clause("MEM-051", "MEM-141")
def test_a_rule_that_there_is_no_time_to_compare_is_not_attached() -> None:
    """It is reported, and a rule behind it that is cheap is attached."""
    dear = "---\npaths: '" + ",".join(f"*{'a' * 100}{i}" for i in range(500)) + "'\n---\nD"
    tree = InMemoryTree.of(
        {"/r/.claude/rules/a.md": dear, "/r/.claude/rules/b.md": "---\npaths: '*.ts'\n---\nB", "/r/x.ts": ""}
    )
    session = MemorySession(tree, MemoryRequest(cwd="/r"), constants=evolve(DEFAULT, load_cap_comparisons=20_000))
    load = session.touch(f"/r/{'a' * 200}.ts").load

    assert ["B"] == [file.text for file in load.files]
    assert [("/r/.claude/rules/a.md", Reason.BOUND_REACHED)] == [(row.path, row.reason) for row in load.skipped]


@clause("MEM-033")
def test_looking_for_idle_rules_ends(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand rules beside thousands of files: what there is no time for is said in one warning."""
    monkeypatch.setattr("keel_ref.memory.lint.MAX_COMPARISONS", 100_000)
    rules = {f"/r/.claude/rules/{i:04}.md": f"---\npaths: 'x{i}/**/*.zz'\n---\nR" for i in range(1_000)}
    files = {f"/r/src/{i:04}.ts": "" for i in range(2_000)}
    session = MemorySession(InMemoryTree.of({**rules, **files}), MemoryRequest(cwd="/r"))
    kinds = [notice.kind for notice in lint(session).notices]

    assert 1 == kinds.count("bound-reached")
    assert 0 < kinds.count("rule-matches-nothing") < 100
    assert work(lambda: lint(session)) < 5_000_000
