"""Whatever there is to choose from, what is chosen keeps the limits and the order."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, DeferEdge
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.context.deferral import Ground, Mode, Offer, decide_deferral, is_haiku, is_known
from keel_ref.context.relevant_memories import (
    Folder,
    LeftOut,
    Surfaced,
    can_be_used,
    candidates_of,
    select_memories,
    surfaced_in,
)
from keel_ref.context.skills import Cascade, SentNames, Skill, list_skills, listing_budget, shortened
from keel_ref.context.tool_search import Searchable, name_parts, score_of, search_tools
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.text import any_text
from keel_ref.text import size_utf16

NAMES = st.text("abcdé", min_size=1, max_size=4)
PATHS = st.sampled_from([f"/m/{name}" for name in "abcdefgh"])
SKILLS = st.lists(
    st.builds(
        lambda name, text, count, bundled: Skill(name=name, description=text * count, is_bundled=bundled),
        NAMES,
        any_text(),
        st.sampled_from([1, 5, 60]),
        st.booleans(),
    ),
    max_size=12,
)
FOLDERS = st.lists(
    st.builds(
        lambda files, picks: Folder(files=files, picks=picks),
        st.dictionaries(PATHS, any_text().map(lambda text: text * 40), max_size=8),
        st.none() | st.lists(PATHS, max_size=9),
    ),
    max_size=3,
)
OFFERS = st.lists(
    st.builds(
        lambda name, server, flags, tokens: Offer(
            name=name,
            server=server,
            is_always_loaded=flags[0],
            is_feature_bound=flags[1],
            is_own_flag=flags[2],
            tokens=tokens,
        ),
        NAMES | st.just("ToolSearch"),
        st.none() | NAMES,
        st.tuples(st.booleans(), st.booleans(), st.booleans()),
        st.integers(0, 9_000),
    ),
    max_size=6,
)
WORDS = st.sampled_from([None, "true", "false", "auto", "auto:0", "auto:5", "auto:99", "auto:100", "auto:101", "so"])


@clause("CTX-060", "CTX-061", "CTX-062", "CTX-063", "CTX-064", "CTX-065", "CTX-066")
@given(skills=SKILLS, budget=st.integers(1, 2_000))
def test_a_listing_names_everybody_and_shares_equally(skills: list[Skill], budget: int) -> None:
    """Bundled lines are whole, no description is above 250, and the budget holds whenever something was shared."""
    env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(budget)}
    found = list_skills(skills, None, env=env)

    assert [skill.name for skill in skills] == list(found.names)
    assert budget == found.budget_units == listing_budget(200_000, env, Choices())[0]
    for skill, line in zip(skills, found.lines, strict=True):
        told = line.removeprefix(f"- {skill.name}").removeprefix(": ")
        assert 250 >= size_utf16(told)
        assert told in {"", skill.description} or skill.description.startswith(told.removesuffix("…"))
        if found.cascade is Cascade.SHARED and not skill.is_bundled:
            assert found.share_units is not None
            assert told == shortened(told, found.share_units)
        assert found.cascade is not Cascade.NAMES or skill.is_bundled or told == ""
    assert found.cascade is not Cascade.SHARED or budget >= size_utf16(found.text)
    assert found.share_units is None or (found.share_units < 20) == (found.cascade is Cascade.NAMES)


@clause("CTX-060")
@given(window=st.integers(0, 10_000_000))
def test_the_budget_is_a_hundredth_of_the_window_in_units(window: int) -> None:
    """Four units for a token, rounded down once."""

    assert window // 25 == listing_budget(window, {}, Choices())[0]
    assert 8_000 == listing_budget(None, {}, Choices())[0]


@clause("CTX-067")
@given(
    rounds=st.lists(
        st.tuples(st.sampled_from(["", "x"]), st.lists(st.builds(Skill, name=NAMES), max_size=4)), max_size=4
    )
)
def test_no_agent_is_told_twice(rounds: list[tuple[str, list[Skill]]]) -> None:
    """And each is told of everything."""
    sent, told = SentNames(), {"": set[str](), "x": set[str]()}
    for agent, skills in rounds:
        new = sent.unsent(agent, skills)
        assert not told[agent] & {skill.name for skill in new}
        sent = sent.with_sent(agent, [skill.name for skill in new])
        told[agent] |= {skill.name for skill in skills}
        assert () == sent.unsent(agent, skills)


@clause("CTX-050", "CTX-051", "CTX-052", "CTX-053", "CTX-054", "CTX-055", "CTX-056")
@given(
    folders=FOLDERS,
    shown=st.frozensets(PATHS, max_size=3),
    read=st.frozensets(PATHS, max_size=3),
    used=st.integers(0, 62_000),
)
def test_what_is_surfaced_is_new_and_within_every_limit(
    folders: list[Folder], shown: frozenset[str], read: frozenset[str], used: int
) -> None:
    """At most five, none that was read or is shown, in the order of the selectors, and nothing is lost in silence."""
    surfaced = Surfaced(paths=shown, size_bytes=used)
    found = select_memories(folders, surfaced, read)
    chosen = [memory.path for memory in found.memories]
    order = [path for folder in folders for path in folder.picks or ()]
    total = used + sum(memory.size_bytes for memory in found.memories)

    assert 5 >= len(set(chosen)) == len(chosen)
    assert not set(chosen) & (shown | read)
    assert sorted(chosen, key=order.index) == chosen
    assert total <= max(used, DEFAULT.surfaced_cap_bytes)
    assert len(order) == len(chosen) + sum(one.why is not LeftOut.SELECTOR_FAILED for one in found.dropped)
    assert not any(set(candidates_of(folder, surfaced)) & shown for folder in folders)


@clause("CTX-050")
@given(rows=json_rows(2))
def test_any_rows_have_a_surfaced_set(rows: list[Any]) -> None:
    """Of at least nothing, and never less than nothing."""

    assert 0 <= surfaced_in(rows).size_bytes


@clause("CTX-057")
@given(flags=st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_a_search_is_used_once_behind_tools(flags: tuple[bool, bool, bool]) -> None:
    """When it is there, when tools have run, and when it was not used."""
    is_found, have_run, was_used = flags

    assert (flags == (True, True, False)) is can_be_used(is_found=is_found, have_tools_run=have_run, was_used=was_used)


@clause("CTX-070", "CTX-071", "CTX-072", "CTX-073", "CTX-074", "CTX-075")
@given(tools=OFFERS, word=WORDS, window=st.integers(0, 100_000), url=st.sampled_from([None, "https://proxy.example"]))
def test_deferral_keeps_its_order_of_rules(tools: list[Offer], word: str | None, window: int, url: str | None) -> None:
    """No mode defers what is always loaded, all that can be deferred go together, and the edge is the only choice."""
    env = {} if word is None else {"ENABLE_TOOL_SEARCH": word}
    above, at = (
        decide_deferral(tools, window=window, model=None, base_url=url, env=env, choices=Choices(defer_edge=edge))
        for edge in DeferEdge
    )

    assert all(not verdict.is_deferred for verdict in above.tools if verdict.ground is Ground.ALWAYS_LOAD)
    assert {above.is_on} >= {verdict.is_deferred for verdict in above.tools if verdict.can_be_deferred}
    assert above.tokens == sum(tool.tokens for tool, one in zip(tools, above.tools, strict=True) if one.can_be_deferred)
    assert above.is_on <= at.is_on
    assert above.is_on == at.is_on or above.tokens == above.threshold
    assert (word in {"auto:101", "so"}) == bool(above.reports)
    assert url is None or word not in {None, "auto:101", "so"} or above.mode is Mode.NEVER


@clause("CTX-074")
@given(model=any_text(), url=any_text())
def test_any_name_and_address_can_be_judged(model: str, url: str) -> None:
    """A name that holds the word is one of them; an address that is no address is nobody's."""

    assert is_haiku(f"{model}Haiku{model}")
    assert is_known(url) == (url == "")


@clause("CTX-080", "CTX-081", "CTX-082", "CTX-083")
@given(names=st.lists(NAMES | any_text(), max_size=8), query=any_text(), limit=st.integers(0, 9))
def test_a_search_finds_the_best_first(names: Sequence[str], query: str, limit: int) -> None:
    """As many as are asked for, each worth something, and what is required is there."""
    tools = [Searchable(name=name, server="s" if place % 2 else None) for place, name in enumerate(names)]
    found = search_tools(query, tools, limit)
    scores = [match.score for match in found.matches if match.score is not None]
    required = search_tools(" ".join(f"+{word}" for word in query.split() if word != "+"), tools, limit)

    assert len(scores) <= limit
    assert sorted(scores, reverse=True) == scores
    assert 0 not in scores
    assert len(required.matches) <= len(tools)
    for tool in tools:
        assert all(part == part.lower() for part in name_parts(tool.name))
        assert score_of("abc", evolve(tool, hint="abc")) == score_of("abc", tool) + 4
