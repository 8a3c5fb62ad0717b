"""Every number of the model, with its unit in its name. Spec: the Constants tables of the chapters."""

from __future__ import annotations

from attrs import field, frozen
from attrs.validators import ge

LARGEST_CHARACTER_BYTES = 4


@frozen(kw_only=True)
class Constants:
    """The limits and ratios that the rules use; `DEFAULT` is the described client, `TINY` is for machines."""

    max_include_depth: int = field(default=5, validator=ge(1))
    """Depth from which an include is refused; the top file has depth 0. Spec: MEM-080."""
    warn_characters: int = field(default=40_000, validator=ge(0))
    """UTF-16 units above which a memory file draws a warning; nothing is cut. Spec: MEM-104."""
    index_cap_lines: int = field(default=200, validator=ge(1))
    """Lines of MEMORY.md that are sent. Spec: MEM-121."""
    index_cap_units: int = field(default=25_000, validator=ge(1))
    """Size of MEMORY.md that is sent, in the unit of `memory.index_unit`. Spec: MEM-121."""
    nested_cap_lines: int = field(default=200, validator=ge(1))
    """Lines of a file attached on demand, under `memory.nested_cut` on. Spec: MEM-145."""
    nested_cap_bytes: int = field(default=4_096, validator=ge(1))
    """UTF-8 bytes of a file attached on demand, under `memory.nested_cut` on. Spec: MEM-145."""
    topic_head_lines: int = field(default=30, validator=ge(1))
    """Lines at the head of a topic file that are searched for frontmatter. Spec: MEM-130."""
    topic_cap_files: int = field(default=200, validator=ge(1))
    """Topic files that a scan keeps. Spec: MEM-130."""
    max_file_bytes: int = field(default=64 * 1024 * 1024, validator=ge(1))
    """Size on disk above which a file is left unread. Spec: MEM-024."""
    rules_cap_files: int = field(default=10_000, validator=ge(1))
    """Rule files of one rules folder that are considered. Spec: MEM-036."""
    pattern_cap: int = field(default=1_000, validator=ge(1))
    """Patterns that one brace pattern may expand to. Spec: MEM-056."""
    yaml_cap_nodes: int = field(default=10_000, validator=ge(1))
    """Nodes of a frontmatter block, aliases expanded. Spec: MEM-046."""
    yaml_cap_levels: int = field(default=200, validator=ge(1))
    """Nesting of a frontmatter block. Spec: MEM-046."""
    yaml_cap_units: int = field(default=65_536, validator=ge(1))
    """UTF-16 units of a frontmatter block. Spec: MEM-046."""
    mention_cap: int = field(default=100_000, validator=ge(1))
    """Include mentions that one load looks up. Spec: MEM-092."""
    markup_cap: int = field(default=100_000, validator=ge(1))
    """Characters with a meaning inside a line that one file may hold and still be scanned. Spec: MEM-092."""
    block_cap: int = field(default=100_000, validator=ge(1))
    """Line ends and marks of blocks that one file may hold and still be scanned. Spec: MEM-092, MEM-103."""
    load_cap_scan: int = field(default=1_000_000, validator=ge(1))
    """Both together, in all files of one load. Spec: MEM-092."""
    load_cap_bytes: int = field(default=256 * 1024 * 1024, validator=ge(1))
    """Bytes of all memory files that one load reads. Spec: MEM-024."""
    load_cap_yaml_units: int = field(default=2_000_000, validator=ge(1))
    """UTF-16 units of all frontmatter blocks that one load parses. Spec: MEM-046."""
    load_cap_pattern_characters: int = field(default=5_000_000, validator=ge(1))
    """Characters of the patterns to which braces expand, in all rules of one load. Spec: MEM-056."""
    load_cap_comparisons: int = field(default=20_000_000, validator=ge(1))
    """Steps of one load, or one touch, in comparing paths with patterns. Spec: MEM-051, MEM-060."""
    exclusions_cap_patterns: int = field(default=1_000, validator=ge(1))
    """Exclusion patterns of all settings together. Spec: MEM-062."""
    exclusions_cap_characters: int = field(default=200_000, validator=ge(1))
    """Characters of all exclusion patterns, after expansion. Spec: MEM-062."""
    tokens_ratio_units: int = field(default=4, validator=ge(1))
    """Units of `tokens.unit` counted as one token by the documented rule. Spec: EST-001."""
    json_ratio_units: int = field(default=2, validator=ge(1))
    """The same for JSON. Spec: EST-003, EST-004."""
    image_tokens: int = field(default=2_000, validator=ge(0))
    """Tokens of an image or document under the documented rule. Spec: EST-011."""
    pad_dividend: int = field(default=4, validator=ge(1))
    """Dividend of the factor on a padded sum. Spec: EST-021."""
    pad_divisor: int = field(default=3, validator=ge(1))
    """Divisor of the factor on a padded sum. Spec: EST-021."""
    nesting_cap_levels: int = field(default=200, validator=ge(1))
    """Levels of objects and lists that are walked. Spec: EST-004, EST-027, EST-033."""
    media_cap_blocks: int = field(default=100, validator=ge(0))
    """Images and documents of one request. Spec: MSG-005."""
    read_default_lines: int = field(default=2_000, validator=ge(1))
    """Lines that a read gives when nothing else is asked for. Spec: MSG-021."""
    result_cap_units: int = field(default=50_000, validator=ge(1))
    """Size of one result that stays whole, in the unit of `results.unit`. Spec: CMP-021."""
    shell_cap_units: int = field(default=30_000, validator=ge(1))
    """What the shell declares. Spec: CMP-021."""
    message_cap_units: int = field(default=200_000, validator=ge(0))
    """Size of all results of one message together, in the unit of `results.unit`. Spec: CMP-030."""
    preview_cap_units: int = field(default=2_000, validator=ge(LARGEST_CHARACTER_BYTES))
    """Size of the beginning that is shown of a saved result, in the unit of `results.unit`. Spec: CMP-025."""
    preview_line_end_percent: int = field(default=50, validator=ge(0))
    """Part of that beginning, in per cent, before which a line end is not used. Spec: CMP-025."""
    micro_gap_minutes: int = field(default=60, validator=ge(0))
    """Minutes since the last answer after which old results are cleared. Spec: CMP-052."""
    micro_keep_results: int = field(default=5, validator=ge(1))
    """Newest calls whose results are not cleared. Spec: CMP-054."""
    head_cap_retries: int = field(default=3, validator=ge(0))
    """Times that the head is dropped in one attempt. Spec: CMP-108."""
    head_share_percent: int = field(default=20, validator=ge(0))
    """Part of the rounds, in per cent, that goes where nothing names the excess. Spec: CMP-105."""

    def __attrs_post_init__(self) -> None:
        """Relations between the numbers that the rules rely on."""
        assert self.nested_cap_bytes >= LARGEST_CHARACTER_BYTES, "a cap must hold at least one character"
        assert self.index_cap_units >= LARGEST_CHARACTER_BYTES, "a cap must hold at least one character"
        assert self.mention_cap >= self.max_include_depth
        assert self.load_cap_bytes >= self.max_file_bytes, "a load must be able to read any one file"
        assert self.load_cap_scan >= max(self.markup_cap, self.block_cap)
        assert self.load_cap_yaml_units >= self.yaml_cap_units
        assert self.load_cap_pattern_characters >= self.pattern_cap
        assert self.json_ratio_units <= self.tokens_ratio_units, "JSON never costs less than other text"
        assert self.pad_dividend >= self.pad_divisor, "padding never takes anything away"
        assert self.shell_cap_units <= self.result_cap_units <= self.message_cap_units
        assert self.preview_cap_units < self.shell_cap_units, "a preview is a part"


DEFAULT = Constants()
"""The described client."""

TINY = Constants(
    warn_characters=20,
    index_cap_lines=3,
    index_cap_units=24,
    nested_cap_lines=2,
    nested_cap_bytes=12,
    topic_head_lines=4,
    topic_cap_files=3,
    max_file_bytes=400,
    rules_cap_files=4,
    pattern_cap=4,
    yaml_cap_nodes=12,
    yaml_cap_levels=4,
    yaml_cap_units=120,
    mention_cap=40,
    markup_cap=200,
    result_cap_units=300,
    shell_cap_units=200,
    message_cap_units=500,
    preview_cap_units=8,
    micro_gap_minutes=2,
    micro_keep_results=2,
    head_cap_retries=2,
    head_share_percent=40,
)
"""The same relations in small, so that machines meet every limit."""
