"""One memory file: from its bytes to the text that may be sent. Spec: MEM-100, MEM-101, MEM-105 to MEM-107."""

from __future__ import annotations

from attrs import frozen

from keel_ref.choices import Bom
from keel_ref.memory.comments import strip_comments
from keel_ref.memory.frontmatter import read_paths, split_frontmatter
from keel_ref.memory.meter import Meters, SpentError, share
from keel_ref.memory.patterns import RulePatterns, rule_patterns
from keel_ref.memory.world import World
from keel_ref.memory.yaml_block import BlockFailure, BlockValue
from keel_ref.ports import FileContent, Refusal
from keel_ref.text import is_blank, trim_white_space
from keel_ref.trace import Reason

BYTE_ORDER_MARK = "\ufeff"
UNCONDITIONAL = RulePatterns(patterns=())


@frozen(kw_only=True)
class Document:
    """A memory file, taken apart."""

    raw: str
    """The file, decoded."""
    text: str
    """Without frontmatter and block comments, not trimmed; empty when blank."""
    rule: RulePatterns
    """What it waits for; nothing for a file that was not found through a rules folder."""
    failure: str | None
    """Why its frontmatter could not be used. Spec: MEM-045."""
    is_link: bool
    """Was the last part of its path a link?"""
    is_searched: bool
    """Was it looked through for comments? Otherwise it would have taken too long. Spec: MEM-103."""

    @property
    def trimmed(self) -> str:
        """The text as it is sent at start. Spec: MEM-100."""
        return trim_white_space(self.text)


def read_document(world: World, path: str, *, is_rule: bool) -> Document | Refusal:
    """Read one file by itself and take it apart."""
    return Reader(world=world, meters=Meters.of(world.constants)).read(path, is_rule=is_rule)


@frozen(kw_only=True)
class Reader:
    """Reads the memory files of one load, within its bounds. Spec: MEM-024, MEM-092, MEM-100."""

    world: World
    """Where, and under which choices."""
    meters: Meters
    """What this load may still do."""

    def read(self, path: str, *, is_rule: bool) -> Document | Refusal:
        """Read one file and take it apart, in the order of MEM-100."""
        constants, left = self.world.constants, self.meters.read_bytes.left
        content = self.world.tree.read_file(path, min(constants.max_file_bytes, left))
        if isinstance(content, FileContent):
            self.meters.read_bytes.spend(len(content.data))
            return self._parse(content, is_rule=is_rule)
        if content.reason is Reason.TOO_LARGE and left < constants.max_file_bytes:  # [MEM-024]
            return Refusal(Reason.TOO_LARGE, f"{content.detail}; one load reads {constants.load_cap_bytes} bytes")
        return content

    def _parse(self, content: FileContent, *, is_rule: bool) -> Document:
        world = self.world
        raw = content.data.decode("utf-8", "replace")  # [MEM-106]
        text = raw
        if world.choices.bom is Bom.IGNORED:
            text = text.removeprefix(BYTE_ORDER_MARK)  # [MEM-101]
        split = split_frontmatter(text)
        rule, failure = UNCONDITIONAL, None
        if is_rule and split.block is not None:  # [MEM-042]
            value = self._read_paths(split.block)
            if isinstance(value, BlockFailure):
                failure = value.why
            else:
                rule = rule_patterns(value, world.choices.brace_nesting, world.constants, self.meters.patterns)
        body = self._strip_comments(split.body)
        is_searched = body is not None
        body = split.body if body is None else body
        return Document(
            raw=raw,
            text="" if is_blank(body) else body,  # [MEM-107]
            rule=rule,
            failure=failure,
            is_link=content.is_link,
            is_searched=is_searched,
        )

    def _read_paths(self, block: str) -> BlockValue | BlockFailure:
        try:
            self.meters.frontmatter.spend(min(len(block), self.world.constants.yaml_cap_units))  # [MEM-046]
        except SpentError:
            return BlockFailure("more frontmatter than one load looks at")
        return read_paths(block, self.world.constants)

    def _strip_comments(self, text: str) -> str | None:
        """The text without comments; None for one that would take too long. Spec: MEM-103."""
        with share(self.meters.scan, self.world.constants.block_cap) as meter:
            try:
                return strip_comments(text, meter)
            except SpentError:
                return None  # [MEM-103]
