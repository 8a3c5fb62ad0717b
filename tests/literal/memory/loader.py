"""Taking up candidates one by one: the checks, the includes, the list."""

from typing import Any

import attrs

from tests.literal.memory.braces import Patterns, find_patterns
from tests.literal.memory.content import Content, Moment, cut_attached, read_content
from tests.literal.memory.frontmatter import read_paths
from tests.literal.memory.index import cut_index
from tests.literal.memory.mentions import find_mentions, find_target, has_too_much_markup, may_be_included
from tests.literal.memory.paths import Path
from tests.literal.memory.rule_patterns import matches_rule
from tests.literal.memory.rules import RuleSearch
from tests.literal.memory.session import Candidate, Session
from tests.literal.memory.settings import MAX_FILE_BYTES
from tests.literal.memory.space import estimate_tokens, is_blank, size_utf16_units
from tests.literal.memory.tree import Kind, Look, State, read_bytes
from tests.literal.memory.wire import show_path

MAX_INCLUDE_DEPTH = 5
"""Depth from which on an include is refused; one more under `memory.include_hops` `5`. [MEM-080]"""

MAX_MEMORY_CHARACTER_COUNT = 40_000
"""UTF-16 units of a start-up text above which there is a warning. [MEM-104]"""

MAX_MENTIONS = 100_000
"""Mentions that are looked up in one load. [MEM-092]"""


@attrs.frozen(kw_only=True)
class Record:
    """A file that loads. [MEM-001]."""

    path: Path
    """The path of the list."""
    layer: str
    """Whose file it is."""
    text: str
    """As it is sent."""
    parent: Path | None
    """The file that includes it."""
    globs: tuple[str, ...]
    """Effective patterns of a conditional rule that was attached."""
    is_warned: bool
    """Whether it is an index that was cut."""
    differs: bool
    """Whether the text is not that of the file."""

    def show(self) -> dict[str, Any]:
        """The record as it travels."""
        shown: dict[str, Any] = {
            "p": show_path(str(self.path)),
            "layer": self.layer,
            "text": self.text,
            "tokens": estimate_tokens(self.text),  # [MEM-001]
        }
        if self.parent is not None:
            shown["parent"] = show_path(str(self.parent))
        if self.globs:
            shown["globs"] = list(self.globs)
        shown |= {key: True for key, holds in (("warned", self.is_warned), ("differs", self.differs)) if holds}
        return shown


class Loader:
    """Takes up candidates at one moment, into one list."""

    def __init__(self, session: Session, moment: Moment) -> None:
        self.session = session
        """What holds for the session."""
        self.moment = moment
        """Start or on demand."""
        self.records: list[Record] = []
        """What has been loaded, in order."""
        self._mentions = 0

    # --------------------------------------------------------------------------------------------- direct candidates
    def take_file(self, own: Path, layer: str, off: str | None) -> None:
        """A file that is found by its place. Spec: MEM-023."""
        self._take_direct(Candidate(own=own, listed=own, layer=layer), off, None)

    def take_rules(self, folder: Path, layer: str, base: Path, off: str | None) -> None:
        """The unconditional pass over a rules folder. Spec: MEM-030, MEM-033, MEM-035."""
        for candidate, reason in self._find_rules(folder, layer, base, off):
            self._take_direct(candidate, reason, None)

    def take_matching_rules(self, folder: Path, layer: str, base: Path, target: Path) -> None:
        """The conditional pass over a rules folder. Spec: MEM-035, MEM-141."""
        for candidate, reason in self._find_rules(folder, layer, base, None):
            self._take_direct(candidate, reason, target)

    def _find_rules(self, folder: Path, layer: str, base: Path, off: str | None) -> list[tuple[Candidate, str | None]]:
        session = self.session
        found = RuleSearch(session.tree, session.report, layer).search(folder)
        return [
            (
                Candidate(own=rule.own, listed=rule.node.path, layer=layer, base=base),
                off or ("rules-bound" if rule.is_beyond_bound else None),
            )
            for rule in found
        ]

    def _take_direct(self, candidate: Candidate, off: str | None, target: Path | None) -> None:
        """The checks of a direct candidate, in their order. A target is given in the conditional pass. [MEM-023]."""
        session, report = self.session, self.session.report
        look = session.tree.look(candidate.own)
        if look.state is State.MISSING:
            return  # [MEM-019]
        reason = off
        if reason is None and session.find_loaded(candidate, look) is not None:
            reason = "duplicate"
        if reason is None and session.excludes(candidate):
            reason = "excluded"
        if reason is None:
            reason = refuse_to_read(look)
        if reason is not None:
            report.skip(candidate.listed, reason, candidate.layer)
            return
        content = self._read(look)
        patterns = self._find_patterns(candidate, content)
        if patterns:
            self._take_conditional(candidate, look, content, patterns, target)
        elif target is None:
            self._take(candidate, look, content, ())

    def _find_patterns(self, candidate: Candidate, content: Content) -> tuple[str, ...]:
        """The effective patterns of a rule; none for any other file. Spec: MEM-042, MEM-045, MEM-049, MEM-056."""
        if candidate.base is None or content.block is None:
            return ()
        paths = read_paths(content.block)
        if paths.is_invalid:
            self.session.report.warn("frontmatter-invalid", candidate.listed, "the block is no YAML")  # [MEM-045]
        patterns: Patterns = find_patterns(paths.strings, self.session.choices["memory.brace_nesting"])
        for piece in patterns.literal_pieces:
            self.session.report.warn("pattern-literal", candidate.listed, piece)  # [MEM-056]
        return patterns.effective

    def _take_conditional(
        self, candidate: Candidate, look: Look, content: Content, patterns: tuple[str, ...], target: Path | None
    ) -> None:
        assert candidate.base is not None
        if target is not None and matches_rule(patterns, target.relative_to(candidate.base)):
            self._take(candidate, look, content, patterns)
            return
        detail = ", ".join(patterns)
        self.session.report.skip(candidate.listed, "conditional", candidate.layer, detail)  # [MEM-033]
        if target is None:
            self._follow_mentions(candidate, look, content)  # [MEM-034, MEM-035]

    # ------------------------------------------------------------------------------------------------------- records
    def _read(self, look: Look) -> Content:
        assert look.node is not None
        return read_content(read_bytes(look.node), self.moment, self.session.choices["memory.bom"])

    def _take(self, candidate: Candidate, look: Look, content: Content, globs: tuple[str, ...]) -> None:
        """A file that loads, with its includes, unless its text is blank. Spec: MEM-083, MEM-084, MEM-107."""
        report = self.session.report
        if is_blank(content.text):
            report.skip(candidate.listed, "empty", candidate.layer)  # [MEM-107]
            return
        self.session.enter(candidate, look)  # before its includes [MEM-084]
        record = self._make_record(candidate, content, globs)
        is_parent_first = self.session.choices["memory.include_order"] == "parent-first"
        if is_parent_first:
            self.records.append(record)
        if not globs and candidate.layer not in {"auto", "team"}:  # [MEM-035, MEM-127]
            self._follow_mentions(candidate, look, content)
        if not is_parent_first:
            self.records.append(record)  # [MEM-083]

    def _make_record(self, candidate: Candidate, content: Content, globs: tuple[str, ...]) -> Record:
        choices, report = self.session.choices, self.session.report
        text = content.text
        is_warned = False
        if candidate.layer in {"auto", "team"}:
            cut = cut_index(text, choices["memory.index_unit"])
            text, is_warned = cut.text, bool(cut.cut)
            if cut.cut:
                report.warn("index-cut", candidate.listed, " and ".join(cut.cut))  # [MEM-122]
        if self.moment is Moment.ON_DEMAND and choices["memory.nested_cut"] == "on":
            text = cut_attached(text)  # [MEM-145]
        if self.moment is Moment.START and size_utf16_units(text) > MAX_MEMORY_CHARACTER_COUNT:
            units = f"{size_utf16_units(text)} UTF-16 units"
            report.warn("over-40000-characters", candidate.listed, units)  # [MEM-104]
        return Record(
            path=candidate.listed,
            layer=candidate.layer,
            text=text,
            parent=candidate.parent,
            globs=globs,
            is_warned=is_warned,
            differs=text != content.decoded,  # [MEM-108]
        )

    # ------------------------------------------------------------------------------------------------------ includes
    def _follow_mentions(self, candidate: Candidate, look: Look, content: Content) -> None:
        """The includes of a file, in the order of its text. Spec: MEM-070, MEM-092, MEM-093."""
        if has_too_much_markup(content.text):
            self.session.report.warn("bound-reached", candidate.listed, "not searched for mentions")
            return
        assert look.node is not None
        folder = look.node.path.parent  # [MEM-070]
        for mentioned in find_mentions(content.text):
            if self._mentions > MAX_MENTIONS:
                return
            self._mentions += 1
            path = find_target(mentioned, folder, self.session.home, self.session.request.flavour)
            if path is None:
                continue  # [MEM-070]
            include = Candidate(
                own=path, listed=path, layer=candidate.layer, parent=candidate.listed, depth=candidate.depth + 1
            )
            if self._mentions > MAX_MENTIONS:
                self.session.report.skip(path, "bound-reached", candidate.layer)  # [MEM-092]
                return
            self._take_include(include)

    def _take_include(self, candidate: Candidate) -> None:
        """The checks of an include, in their order. Spec: MEM-082."""
        session, report = self.session, self.session.report
        extra_hops = 1 if session.choices["memory.include_hops"] == "5" else 0
        look = session.tree.look(candidate.own)
        reason = "include-depth" if candidate.depth >= MAX_INCLUDE_DEPTH + extra_hops else None
        if reason is None:
            listed = session.find_loaded(candidate, look)
            if listed is not None and listed.key == candidate.listed.key:
                return  # [MEM-023]
            reason = "duplicate" if listed is not None else self._refuse_include(candidate, look)
        if reason is not None:
            report.skip(candidate.listed, reason, candidate.layer)
            return
        self._take(candidate, look, self._read(look), ())

    def _refuse_include(self, candidate: Candidate, look: Look) -> str | None:
        if not may_be_included(candidate.own.name):
            return "include-type"  # [MEM-087]
        if self.session.excludes(candidate):
            return "excluded"  # [MEM-060]
        if self.session.is_external(candidate.own, candidate.layer, self.moment):
            return "include-external"  # [MEM-088]
        return "not-found" if look.state is State.MISSING else refuse_to_read(look)


def refuse_to_read(look: Look) -> str | None:
    """Why something that exists is not read. Spec: MEM-019, MEM-022, MEM-024."""
    if look.state is State.LOOP or look.node is None:
        return "link-loop"  # [MEM-019]
    if look.node.kind is not Kind.FILE:
        return "not-regular"  # [MEM-019]
    if look.node.size > MAX_FILE_BYTES:
        return "too-large"  # [MEM-024]
    return "unreadable" if look.node.is_denied else None  # [MEM-022]
