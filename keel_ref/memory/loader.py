"""One candidate after the other: what may load is taken in, each with its includes. Spec: MEM-080 to MEM-093."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from keel_ref.choices import Identity, IncludeHops, IncludeOrder
from keel_ref.memory.approval import approval_record
from keel_ref.memory.extensions import is_text_name
from keel_ref.memory.includes import find_mentions, resolve_mention
from keel_ref.memory.index import cut_index
from keel_ref.memory.ledger import Ledger
from keel_ref.memory.meter import SpentError
from keel_ref.memory.reader import Document, Reader
from keel_ref.memory.rules import find_rules
from keel_ref.memory.values import Candidate, CandidateKind, HeldRule, Layer, LoadReason, MemoryFile
from keel_ref.memory.world import World
from keel_ref.paths import is_inside, join, key, name_of, parent
from keel_ref.ports import Refusal
from keel_ref.text import size_utf16
from keel_ref.trace import Reason


class Moment(StrEnum):
    """When a file loads."""

    START = "start"
    ON_DEMAND = "on-demand"


@frozen(kw_only=True)
class Visit:
    """One file about to be looked at."""

    path: str
    """The path it would be listed under."""
    layer: Layer
    """The layer it would have."""
    depth: int = 0
    """Hops below the file found directly. Spec: MEM-080."""
    parent: str | None = None
    """The file that mentions it."""
    base: str | None = None
    """The base of a file found through a rules folder; None for any other. Spec: MEM-042, MEM-057."""

    @property
    def is_rule(self) -> bool:
        """Was it found through a rules folder? Spec: MEM-042."""
        return self.base is not None


class Loader:
    """Takes in files for one load: the order comes from the candidates, the meaning from the leaves."""

    def __init__(self, world: World, ledger: Ledger, moment: Moment = Moment.START) -> None:
        """Work on one ledger."""
        self.world = world
        self.ledger = ledger
        self.moment = moment
        self.reader = Reader(world=world, meters=ledger.meters)
        self.hops = world.constants.max_include_depth - (1 if world.choices.include_hops is IncludeHops.FOUR else 0)
        self.real_folders: dict[str, str] = {}
        self.approval: bool | None = None

    def take(self, candidate: Candidate) -> None:
        """Load what lies at a place, or report why it does not. Spec: MEM-002, MEM-023."""
        if candidate.held_back is not None:
            self._report_held_back(candidate, candidate.held_back)
            return
        match candidate.kind:
            case CandidateKind.FILE:
                self.visit(Visit(path=candidate.path, layer=candidate.layer))
            case CandidateKind.RULES:
                for path in self.rule_paths(candidate):
                    self.visit(Visit(path=path, layer=candidate.layer, base=candidate.base))
            case CandidateKind.INDEX:
                self._take_index(candidate)

    def rule_paths(self, candidate: Candidate) -> tuple[str, ...]:
        """The rule files of a place; what is no rule is reported. Spec: MEM-030, MEM-031."""
        found = find_rules(self.world, candidate.path, candidate.layer)
        for row in found.skipped:
            if row.path != candidate.path or row.reason is not Reason.NOT_FOUND:
                self.ledger.skip(row.path, row.layer, row.reason, row.detail)
        return found.paths

    def visit(self, visit: Visit) -> None:
        """Load one file and what it includes. The checks are made in the order of MEM-023 and MEM-082."""
        document = self.admit(visit)
        if document is None:
            return
        if visit.is_rule and document.rule.patterns:
            self._hold_back(visit, document.rule.patterns)
            self._visit_includes(visit, document)  # [MEM-034] at its place; [MEM-033] itself it is not marked
            return
        self.mark(visit.path, document)
        record = MemoryFile(
            path=visit.path,
            layer=visit.layer,
            text=self._text(document),
            raw=document.raw,
            parent=visit.parent,
            depth=visit.depth,
            reason=self._reason(visit),
        )
        self._warn_of_size(record)
        if self.world.choices.include_order is IncludeOrder.CHILD_FIRST:  # [MEM-083]
            self._visit_includes(visit, document)
            self.ledger.add(record)
        else:
            self.ledger.add(record)
            self._visit_includes(visit, document)

    def admit(self, visit: Visit) -> Document | None:
        """The file taken apart, or None when a check refuses it; a refused file is not marked. Spec: MEM-086."""
        if not self._may_be_read(visit):
            return None
        document = self.reader.read(visit.path, is_rule=visit.is_rule)
        if isinstance(document, Refusal):
            self._report_unread(visit, document)
            return None
        if document.failure is not None:
            self.ledger.note("frontmatter-invalid", visit.path, document.failure)  # [MEM-045]
        for pattern in document.rule.literal:
            self.ledger.note("pattern-literal", visit.path, pattern)  # [MEM-056]
        if not document.is_searched:
            self.ledger.reach_bound(visit.path, "too much in it to be searched for comments, they stay")  # [MEM-103]
        if not document.text:
            waits = document.rule.patterns  # [MEM-023] asked before whether there is a text
            self._refuse(visit, Reason.CONDITIONAL if waits else Reason.EMPTY, ", ".join(waits))  # [MEM-107]
            return None
        return document

    def _may_be_read(self, visit: Visit) -> bool:
        """The checks that are made without a look at the file. Spec: MEM-023, MEM-082."""
        if self.is_known(visit.path):
            self._report_known(visit)
            return False
        pattern = self._excluded_by(visit.path) if visit.layer in EXCLUDABLE else None
        if pattern is not None:
            if visit.parent is not None or self._is_there(visit.path):
                self._refuse(visit, Reason.EXCLUDED, pattern)  # [MEM-060]
            return False
        if visit.parent is not None and self._is_forbidden(visit):
            self._refuse(visit, Reason.INCLUDE_EXTERNAL, _named_in(visit))
            return False
        return True

    def _excluded_by(self, path: str) -> str | None:
        """The pattern that leaves a file out, or the words for a file that there was no time to ask about."""
        try:
            return self.world.excluded_by(path, self.ledger.meters.comparisons)
        except SpentError:
            return "not compared with the patterns, which take too long; left out to be safe"  # [MEM-062]

    def _report_unread(self, visit: Visit, refusal: Refusal) -> None:
        """A file that the tree did not give. Spec: MEM-019, MEM-022."""
        is_missing = refusal.reason is Reason.NOT_FOUND
        if is_missing and visit.is_rule:
            self._refuse(visit, Reason.UNREADABLE, "gone since its folder was listed")  # [MEM-022]
        elif not is_missing or visit.parent is not None:  # [MEM-019] a place where nothing lies is no candidate
            self._refuse(visit, refusal.reason, refusal.detail or _named_in(visit))

    def _is_there(self, path: str) -> bool:
        """Does anything lie here? A place where nothing lies is no candidate. Spec: MEM-019."""
        kind = self.world.tree.kind_of(path)
        return not isinstance(kind, Refusal) or kind.reason is not Reason.NOT_FOUND

    def is_known(self, path: str) -> bool:
        """Has this file been loaded already? Spec: MEM-084, MEM-085."""
        return self._identity(path) in self.ledger.marks

    def mark(self, path: str, document: Document) -> None:
        """Remember a file that was loaded, a link under its real path, too. Spec: MEM-085."""
        self.ledger.marks.add(self._identity(path))
        self.ledger.marks.add(self._key(self.world.tree.spelling(self.real_path(path, is_link=document.is_link))))

    def real_path(self, path: str, *, is_link: bool) -> str:
        """The path with every link resolved; folders are looked up once."""
        if is_link:
            real = self.world.tree.real_path(path)
            return path if isinstance(real, Refusal) else real
        flavour = self.world.tree.flavour
        folder = parent(path, flavour)
        if folder not in self.real_folders:
            real = self.world.tree.real_path(folder)
            self.real_folders[folder] = folder if isinstance(real, Refusal) else real
        return join(self.real_folders[folder], name_of(path, flavour), flavour)

    def _text(self, document: Document) -> str:
        return document.text if self.moment is Moment.ON_DEMAND else document.trimmed  # [MEM-100] [MEM-144]

    def _visit_includes(self, visit: Visit, document: Document) -> None:
        """Follow the mentions of a text in order, depth first. Spec: MEM-080 to MEM-084."""
        mentions = find_mentions(self._text(document), self.world.constants, self.ledger.meters.scan)
        if not mentions.is_complete:
            self.ledger.reach_bound(visit.path, "too much in it to be searched for includes")  # [MEM-092]
        if not mentions.paths:
            return
        flavour = self.world.tree.flavour
        folder = parent(self.real_path(visit.path, is_link=document.is_link), flavour)  # [MEM-070]
        places: dict[str, str | None] = {}
        for mention in mentions.paths:
            if mention not in places:
                places[mention] = resolve_mention(mention, folder, self.world.request.home, flavour)
            if self.ledger.mentions_left == 0:
                self.ledger.reach_bound(visit.path, "no further mention is looked up")  # [MEM-092]
                return
            self.ledger.mentions_left -= 1
            path = places[mention]
            if path is not None and path not in self.ledger.listed:  # [MEM-084] a further mention is silent
                self._include(visit, path)

    def _include(self, includer: Visit, path: str) -> None:
        child = Visit(path=path, layer=includer.layer, depth=includer.depth + 1, parent=includer.path)  # [MEM-091]
        if child.depth > self.hops:  # [MEM-080] [MEM-081] what is loaded is not visited again by a shorter way
            self._refuse(child, Reason.INCLUDE_DEPTH, f"{_named_in(child)}, {self.hops} hops are allowed")
        elif self.is_known(path):
            self._report_known(child)
        elif not is_text_name(name_of(path, self.world.tree.flavour)):
            self._refuse(child, Reason.INCLUDE_TYPE, _named_in(child))  # [MEM-087]
        else:
            self.visit(child)

    def _is_forbidden(self, visit: Visit) -> bool:
        """Does the include lead outside without leave? Judged as written. Spec: MEM-088, MEM-089, MEM-147."""
        if is_inside(visit.path, self.world.cwd, self.world.tree.flavour):
            return False
        if self.moment is Moment.ON_DEMAND:
            return True  # [MEM-147]
        if visit.layer is Layer.USER:
            return False  # [MEM-089]
        if self.approval is None:
            record = approval_record(self.world)
            self.approval = record.is_approved
            if record.broken is not None:
                self.ledger.skip(record.broken.path, None, record.broken.reason, record.broken.detail)  # [MEM-090]
        return not self.approval

    def _hold_back(self, visit: Visit, patterns: tuple[str, ...]) -> None:
        """A path rule waits for a file. Spec: MEM-033."""
        held = HeldRule(path=visit.path, layer=visit.layer, base=visit.base or "", patterns=patterns)
        self.ledger.held.append(held)
        self._refuse(visit, Reason.CONDITIONAL, ", ".join(patterns))

    def _warn_of_size(self, record: MemoryFile) -> None:
        """A large text is sent whole; somebody should know. Spec: MEM-104."""
        size, limit = size_utf16(record.text), self.world.constants.warn_characters
        if self.moment is Moment.START and size > limit:  # [MEM-104]
            detail = f"{size} characters, recommended are at most {limit}; it is sent whole"
            self.ledger.note("over-40000-characters", record.path, detail)

    def _take_index(self, candidate: Candidate) -> None:
        """MEMORY.md: cut to its limits, its includes not followed. Spec: MEM-121, MEM-127."""
        visit = Visit(path=candidate.path, layer=candidate.layer)
        document = self.admit(visit)
        if document is None:
            return
        self.mark(visit.path, document)
        cut = cut_index(document.trimmed, self.world.choices.index_unit, self.world.constants)
        if cut.notice:
            self.ledger.note("index-cut", visit.path, cut.notice)
        self.ledger.add(
            MemoryFile(path=visit.path, layer=visit.layer, text=cut.text, raw=document.raw, notice=cut.notice)
        )

    def _report_held_back(self, candidate: Candidate, reason: Reason) -> None:
        """One row for each file that would have been looked at. Spec: MEM-023."""
        tree = self.world.tree
        if candidate.kind is CandidateKind.RULES:
            for path in self.rule_paths(candidate):
                self.ledger.skip(path, candidate.layer, reason)
            return
        kind = tree.kind_of(candidate.path)
        if not isinstance(kind, Refusal) or kind.reason is not Reason.NOT_FOUND:  # [MEM-023] of whatever kind it is
            self.ledger.skip(candidate.path, candidate.layer, reason)

    def _report_known(self, visit: Visit) -> None:
        """A mention of a listed path is silent; another name, or another layer, is a duplicate. Spec: MEM-023."""
        if visit.parent is None or visit.path not in self.ledger.listed:
            self._refuse(visit, Reason.DUPLICATE, _named_in(visit))

    def _refuse(self, visit: Visit, reason: Reason, detail: str) -> None:
        self.ledger.skip(visit.path, visit.layer, reason, detail)

    def _reason(self, visit: Visit) -> LoadReason:
        if visit.parent is not None:
            return LoadReason.INCLUDE  # [MEM-146]
        return LoadReason.SESSION_START if self.moment is Moment.START else LoadReason.NESTED_TRAVERSAL

    def _identity(self, path: str) -> str:
        tree = self.world.tree
        if self.world.choices.identity is Identity.REAL:  # [MEM-085]
            real = tree.real_path(path)
            path = path if isinstance(real, Refusal) else real
        return self._key(tree.spelling(path))  # [MEM-018]

    def _key(self, path: str) -> str:
        return key(path, self.world.tree.flavour)  # [MEM-112]


def _named_in(visit: Visit) -> str:
    return f"named in {visit.parent}" if visit.parent else ""


EXCLUDABLE = frozenset({Layer.USER, Layer.PROJECT, Layer.LOCAL})
"""Layers that `claudeMdExcludes` can leave out. Spec: MEM-060."""
