"""Points on which implementations may differ, each named, with a default. Spec: choices.json."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from attrs import Attribute, field, fields, frozen

from keel_ref.errors import UnknownChoiceError
from keel_ref.text import trim_white_space


class Root(StrEnum):
    """Are the files of the file-system root loaded? Spec: MEM-006."""

    SKIP = "skip"
    READ = "read"


class IncludeOrder(StrEnum):
    """Where an included file stands. Spec: MEM-083."""

    PARENT_FIRST = "parent-first"
    CHILD_FIRST = "child-first"


class IncludeHops(StrEnum):
    """Include hops below the top file. Spec: MEM-080."""

    FOUR = "4"
    FIVE = "5"


class Unit(StrEnum):
    """The unit in which a text is measured."""

    UTF16 = "utf16"
    UTF8 = "utf8"


class Identity(StrEnum):
    """When two names are one file. Spec: MEM-085."""

    PATH = "path"
    REAL = "real"


class BraceNesting(StrEnum):
    """How nested braces expand. Spec: MEM-055."""

    FIRST_CLOSE = "first-close"
    NESTED = "nested"


class Bom(StrEnum):
    """Does a byte order mark hide frontmatter? Spec: MEM-101."""

    HIDES = "hides"
    IGNORED = "ignored"


class BareAdded(StrEnum):
    """What bare mode with an added folder loads. Spec: MEM-015."""

    ALL = "all"
    ADDED_ONLY = "added-only"


class Switch(StrEnum):
    """A rule that is off or on."""

    OFF = "off"
    ON = "on"


class Truthy(StrEnum):
    """Which texts switch a variable on."""

    WIDE = "wide"
    STRICT = "strict"


class NumberForm(StrEnum):
    """How much of a variable's text has to be the number. Spec: WIN-031, WIN-032."""

    PREFIX = "prefix"
    STRICT = "strict"


class WarningBase(StrEnum):
    """From which amount warning and error are counted down. Spec: WIN-015."""

    SWITCH = "switch"
    AUTO = "auto"


class JsonResults(StrEnum):
    """The ratio of a result text that as a whole is JSON. Spec: EST-004."""

    FOUR = "4"
    TWO = "2"


class Fragments(StrEnum):
    """Are later fragments of the anchor's response estimated? Spec: EST-018."""

    COUNT = "count"
    SKIP = "skip"


class MessagePad(StrEnum):
    """What is put on a padded sum. Spec: EST-021."""

    FOUR_THIRDS = "four-thirds"
    NONE = "none"


class RestoreRecency(StrEnum):
    """Which files come first when they are put back. Spec: CMP-113."""

    MTIME = "mtime"
    READ = "read"


class OversizeRestore(StrEnum):
    """What becomes of a file that is too large to be put back in full. Spec: CMP-116."""

    REFERENCE = "reference"
    TRUNCATE = "truncate"


class AbortCounts(StrEnum):
    """Does an attempt that the user aborted count as a failure? Spec: CMP-074."""

    YES = "yes"
    NO = "no"


class InflatedSummary(StrEnum):
    """What becomes of a summary that is larger than what it replaces. Spec: CMP-094."""

    ACCEPT = "accept"
    REFUSE = "refuse"


class RefillGuard(StrEnum):
    """Do compactions that refill at once end the session? Spec: CMP-076."""

    ON = "on"
    OFF = "off"


class DeferEdge(StrEnum):
    """Are tools deferred whose definitions reach the threshold exactly? Spec: CTX-072."""

    ABOVE = "above"
    AT = "at"


def _choice(name: str, default: StrEnum) -> Any:
    kind = type(default)
    return field(default=default, converter=kind, metadata={"choice": name, "values": tuple(kind)})


@frozen(kw_only=True)
class Choices:
    """One value for each choice; the defaults are what was observed, else what is documented."""

    root: Root = _choice("memory.root", Root.SKIP)
    """`memory.root`. Spec: MEM-006."""
    include_order: IncludeOrder = _choice("memory.include_order", IncludeOrder.PARENT_FIRST)
    """`memory.include_order`. Spec: MEM-083."""
    include_hops: IncludeHops = _choice("memory.include_hops", IncludeHops.FOUR)
    """`memory.include_hops`. Spec: MEM-080."""
    index_unit: Unit = _choice("memory.index_unit", Unit.UTF16)
    """`memory.index_unit`. Spec: MEM-123."""
    identity: Identity = _choice("memory.identity", Identity.PATH)
    """`memory.identity`. Spec: MEM-085."""
    brace_nesting: BraceNesting = _choice("memory.brace_nesting", BraceNesting.FIRST_CLOSE)
    """`memory.brace_nesting`. Spec: MEM-055."""
    bom: Bom = _choice("memory.bom", Bom.HIDES)
    """`memory.bom`. Spec: MEM-101."""
    bare_added: BareAdded = _choice("memory.bare_added", BareAdded.ALL)
    """`memory.bare_added`. Spec: MEM-015."""
    injected_filter: Switch = _choice("memory.injected_filter", Switch.OFF)
    """`memory.injected_filter`. Spec: MEM-111."""
    nested_cut: Switch = _choice("memory.nested_cut", Switch.OFF)
    """`memory.nested_cut`. Spec: MEM-145."""
    truthy: Truthy = _choice("env.truthy", Truthy.WIDE)
    """`env.truthy`. Spec: MEM-014."""
    number: NumberForm = _choice("env.number", NumberForm.PREFIX)
    """`env.number`. Spec: WIN-031, WIN-032."""
    unit: Unit = _choice("tokens.unit", Unit.UTF16)
    """`tokens.unit`. Spec: EST-001."""
    json_results: JsonResults = _choice("tokens.json_results", JsonResults.FOUR)
    """`tokens.json_results`. Spec: EST-004."""
    fragments: Fragments = _choice("tokens.fragments", Fragments.COUNT)
    """`tokens.fragments`. Spec: EST-018."""
    message_pad: MessagePad = _choice("tokens.message_pad", MessagePad.FOUR_THIRDS)
    """`tokens.message_pad`. Spec: EST-021."""
    warning_base: WarningBase = _choice("window.warning_base", WarningBase.SWITCH)
    """`window.warning_base`. Spec: WIN-015."""
    restore_recency: RestoreRecency = _choice("compaction.restore_recency", RestoreRecency.MTIME)
    """`compaction.restore_recency`. Spec: CMP-113."""
    oversize_restore: OversizeRestore = _choice("compaction.oversize_restore", OversizeRestore.REFERENCE)
    """`compaction.oversize_restore`. Spec: CMP-116."""
    result_unit: Unit = _choice("results.unit", Unit.UTF16)
    """`results.unit`. Spec: CMP-026."""
    abort_counts: AbortCounts = _choice("compaction.abort_counts", AbortCounts.YES)
    """`compaction.abort_counts`. Spec: CMP-074."""
    inflated_summary: InflatedSummary = _choice("compaction.inflated_summary", InflatedSummary.ACCEPT)
    """`compaction.inflated_summary`. Spec: CMP-094."""
    refill_guard: RefillGuard = _choice("compaction.refill_guard", RefillGuard.ON)
    """`compaction.refill_guard`. Spec: CMP-076."""
    defer_edge: DeferEdge = _choice("tools.defer_edge", DeferEdge.ABOVE)
    """`tools.defer_edge`. Spec: CTX-072."""

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Self:
        """Choices from wire names; unknown names or values raise `UnknownChoiceError`."""
        known = registered()
        for name, value in values.items():
            if name not in known or value not in known[name]:
                raise UnknownChoiceError(name, value, known.get(name, ()))
        picked: dict[str, Any] = {
            f.name: values[f.metadata["choice"]] for f in _fields(cls) if f.metadata["choice"] in values
        }
        return cls(**picked)

    def names(self) -> dict[str, str]:
        """The wire name and value of every choice."""
        return {f.metadata["choice"]: str(getattr(self, f.name).value) for f in _fields(type(self))}


def _fields(cls: type[Any]) -> tuple[Attribute[Any], ...]:
    return tuple(fields(cls))


def registered() -> dict[str, tuple[str, ...]]:
    """Every registered choice with its values, the default first."""
    return {f.metadata["choice"]: tuple(str(v.value) for v in f.metadata["values"]) for f in _fields(Choices)}


@frozen(kw_only=True)
class Gates:
    """Layers that can be off as a whole: inputs of a scenario, never declared. Spec: choices.json, `gates`."""

    memory_prefetch: bool = False
    """Relevant memories are searched ahead, so the index may be left out. Spec: MEM-111."""
    team_memory: bool = False
    """A team's memory beside the user's own. Spec: MEM-128."""
    token_budget: bool = False
    """A turn goes on by itself until the tokens that its user allowed are spent. Spec: WIN-042."""
    session_memory: bool = True
    """Notes are taken in the background. Spec: CMP-136."""
    sm_compact: bool = True
    """The notes can take the place of a summary. Spec: CMP-141."""
    cache_break_detection: bool = False
    """Whoever watches the prompt cache is told of a compaction. Spec: CMP-160."""
    message_sum: bool = True
    """The results of one message are limited together. Spec: CMP-035."""
    time_micro: bool = False
    """Old results are cleared after a long pause. Spec: CMP-052."""
    cached_micro: bool = False
    """Old results are deleted in the provider's cache. Spec: CMP-060."""
    snip: bool = False
    """Rows are taken out by a layer whose inner working is not known. Spec: CMP-040."""
    collapse: bool = False
    """Requests show a projection of the list. Spec: CMP-042."""
    reactive: bool = False
    """A compaction runs after a request that was refused. Spec: CMP-171."""
    reactive_only: bool = False
    """It runs only then. Spec: CMP-070, CMP-171."""
    break_cache: bool = False
    """A string can be injected to break the prompt cache on purpose. Spec: CTX-011."""

    @classmethod
    def of(cls, values: Mapping[str, bool]) -> Self:
        """The gates of this area out of those of a whole scenario."""
        return cls(**{f.name: values[f.name] for f in _fields(cls) if f.name in values})

    @classmethod
    def released(cls) -> Self:
        """The gates as the released client has them: preset `released`. Spec: choices.json, `gates`."""
        return cls(session_memory=False, sm_compact=False, message_sum=False)


def is_truthy(text: str | None, truthy: Truthy) -> bool:
    """Does the text of a variable switch it on? Unset and empty are off. Spec: MEM-014."""
    wide = ("1", "true", "yes", "on")
    accepted = wide if truthy is Truthy.WIDE else wide[:2]
    return text is not None and trim_white_space(text).lower() in accepted  # [MEM-014]
