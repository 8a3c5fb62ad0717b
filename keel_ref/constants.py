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
    line_cap_bytes: int = field(default=67_108_864, validator=ge(1))
    """The longest line of a session file that is read. Spec: TRN-002."""
    segment_walk_factor: int = field(default=4, validator=ge(1))
    """All that boundaries kept is followed for so many times the rows of a file. Spec: TRN-015."""
    kept_cap_boundaries: int = field(default=100, validator=ge(1))
    """What was kept again and again is followed back over so many boundaries. Spec: TRN-022."""
    media_cap_blocks: int = field(default=100, validator=ge(0))
    """Images and documents of one request. Spec: MSG-005."""
    read_default_lines: int = field(default=2_000, validator=ge(1))
    """Lines that a read gives when nothing else is asked for. Spec: MSG-021."""
    read_state_cap_entries: int = field(default=100, validator=ge(1))
    """Files that the read-state remembers. Spec: CMP-110."""
    read_state_cap_bytes: int = field(default=25 * 1024 * 1024, validator=ge(1))
    """Bytes of all files that the read-state remembers. Spec: CMP-110."""
    restore_cap_files: int = field(default=5, validator=ge(0))
    """Files that a compaction puts back, in full, in part or by name. Spec: CMP-114."""
    restore_file_cap_tokens: int = field(default=5_000, validator=ge(1))
    """Tokens of one file above which it is not put back in full. Spec: CMP-116."""
    restore_cap_tokens: int = field(default=50_000, validator=ge(0))
    """Tokens of all attachments of files, serialised. Spec: CMP-117."""
    skill_cap_tokens: int = field(default=5_000, validator=ge(1))
    """Tokens of the beginning of one skill that is put back. Spec: CMP-119."""
    skills_cap_tokens: int = field(default=25_000, validator=ge(0))
    """Tokens of all skills that are put back. Spec: CMP-120."""
    section_cap_tokens: int = field(default=2_000, validator=ge(1))
    """Tokens of one section of the notes. Spec: CMP-134, CMP-138."""
    notes_cap_tokens: int = field(default=12_000, validator=ge(1))
    """Tokens of the notes above which they are condensed. Spec: CMP-134."""
    extraction_start_tokens: int = field(default=10_000, validator=ge(0))
    """Size of the context from which the first notes are taken. Spec: CMP-135."""
    extraction_growth_tokens: int = field(default=5_000, validator=ge(0))
    """Growth of the context between two extractions. Spec: CMP-135."""
    extraction_calls: int = field(default=3, validator=ge(0))
    """Calls of tools between two extractions, unless the last turn made none. Spec: CMP-135."""
    extraction_wait_ms: int = field(default=15_000, validator=ge(0))
    """Milliseconds for which a compaction waits for an extraction. Spec: CMP-137."""
    tail_min_tokens: int = field(default=10_000, validator=ge(0))
    """Tokens that the kept tail has at least, where there are so many. Spec: CMP-142."""
    tail_min_messages: int = field(default=5, validator=ge(0))
    """Messages with text that the kept tail has at least, where there are so many. Spec: CMP-142, CMP-143."""
    tail_max_tokens: int = field(default=40_000, validator=ge(0))
    """Tokens beyond which no row is added to the kept tail. Spec: CMP-142."""

    default_window_tokens: int = field(default=200_000, validator=ge(1))
    """Window of a model of which nothing else is known. Spec: WIN-001."""
    large_window_tokens: int = field(default=1_000_000, validator=ge(1))
    """Window that the suffix of a model's name asks for. Spec: WIN-002, WIN-005."""
    reserve_cap_tokens: int = field(default=20_000, validator=ge(1))
    """Most that is kept free for the summary. Spec: WIN-011."""
    auto_buffer_tokens: int = field(default=13_000, validator=ge(0))
    """Automatic compaction comes due this far below the effective window. Spec: WIN-013."""
    warning_buffer_tokens: int = field(default=20_000, validator=ge(0))
    """The warning comes this far below its base. Spec: WIN-015."""
    error_buffer_tokens: int = field(default=20_000, validator=ge(0))
    """The error comes this far below the same base. Spec: WIN-015."""
    blocking_buffer_tokens: int = field(default=3_000, validator=ge(0))
    """Requests are refused from this far below the effective window on. Spec: WIN-016."""
    number_cap: int = field(default=2**53 - 1, validator=ge(1))
    """Largest whole number that a variable can give. Spec: WIN-031."""
    number_cap_characters: int = field(default=100, validator=ge(20))
    """Characters of the text of a variable that is read as a number. Spec: WIN-031, WIN-032."""
    continue_share_percent: int = field(default=90, validator=ge(1))
    """Share of a budget from which a turn no longer goes on by itself. Spec: WIN-043."""
    diminishing_continuations: int = field(default=3, validator=ge(1))
    """Continuations from which small increments end a turn. Spec: WIN-044."""
    diminishing_tokens: int = field(default=500, validator=ge(0))
    """Tokens below which an increment is small. Spec: WIN-044."""
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
    compact_cap_failures: int = field(default=3, validator=ge(1))
    """Failed attempts in a row after which none is made automatically. Spec: CMP-073."""
    classifier_cap_denials: int = field(default=3, validator=ge(1))
    """Denials in a row after which the classifier gives way to the user. Spec: CMP-077."""
    classifier_cap_total_denials: int = field(default=20, validator=ge(1))
    """Denials in all after which it does. Spec: CMP-077."""
    cut_output_cap_nudges: int = field(default=3, validator=ge(0))
    """Times that the model is told to go on with an answer that was cut off. Spec: CMP-077, CMP-173."""
    output_slot_tokens: int = field(default=8_000, validator=ge(1))
    """The small slot for an answer. Spec: CMP-173."""
    escalated_slot_tokens: int = field(default=64_000, validator=ge(1))
    """The slot that is asked for once when an answer was cut off. Spec: CMP-173."""
    refill_cap_requests: int = field(default=3, validator=ge(0))
    """Requests since a compaction up to which the next one is a refill. Spec: CMP-076."""
    refill_cap_rises: int = field(default=3, validator=ge(1))
    """Refills in a row after which no compaction is tried. Spec: CMP-076."""
    collapse_commit_percent: int = field(default=90, validator=ge(0))
    """Share of the effective window at which collapse commits. Spec: CMP-043."""
    collapse_block_percent: int = field(default=95, validator=ge(0))
    """Share of the effective window at which collapse blocks. Spec: CMP-043."""
    clearing_trigger_tokens: int = field(default=180_000, validator=ge(1))
    """Tokens of input from which the provider clears tool use. Spec: CMP-044."""
    clearing_target_tokens: int = field(default=40_000, validator=ge(1))
    """Tokens of input down to which it does. Spec: CMP-044."""

    status_cap_units: int = field(default=2_000, validator=ge(1))
    """UTF-16 units of the status that are shown. Spec: CTX-007."""
    commits_cap_lines: int = field(default=5, validator=ge(0))
    """Newest commits that are shown. Spec: CTX-008."""
    git_wait_ms: int = field(default=5_000, validator=ge(0))
    """Milliseconds that all commands of git may take together. Spec: CTX-003."""
    git_cap_bytes: int = field(default=1024 * 1024, validator=ge(1))
    """Bytes of the output of one command that are read. Spec: CTX-009."""
    reminder_gap_turns: int = field(default=5, validator=ge(1))
    """Turns from one reminder of a mode to the next. Spec: CTX-040."""
    reminder_full_every: int = field(default=5, validator=ge(1))
    """Of so many reminders of a mode one is full. Spec: CTX-041."""
    surfaced_cap_files: int = field(default=5, validator=ge(1))
    """Relevant memories of one turn, and names that one selector may give. Spec: CTX-052, CTX-054."""
    surfaced_cap_bytes: int = field(default=60 * 1024, validator=ge(0))
    """UTF-8 bytes of all relevant memories of a view. Spec: CTX-055."""
    selector_output_tokens: int = field(default=256, validator=ge(1))
    """Tokens that a selector may answer with. Spec: CTX-057."""
    listing_share_percent: int = field(default=1, validator=ge(0))
    """Share of the window that the listing of skills may take. Spec: CTX-060."""
    listing_ratio_units: int = field(default=4, validator=ge(1))
    """UTF-16 units of the listing for one token of that share. Spec: CTX-060."""
    listing_default_units: int = field(default=8_000, validator=ge(1))
    """UTF-16 units of the listing where no window is known. Spec: CTX-060."""
    description_cap_units: int = field(default=250, validator=ge(1))
    """UTF-16 units of one description in the listing. Spec: CTX-062."""
    description_least_units: int = field(default=20, validator=ge(1))
    """Share of a description below which names stand alone. Spec: CTX-065."""
    defer_default_percent: int = field(default=10, validator=ge(0))
    """Share of the window from which tools are deferred under `auto`. Spec: CTX-071."""
    search_cap_tools: int = field(default=5, validator=ge(1))
    """Tools that a search by words finds. Spec: CTX-083."""

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
        assert self.reserve_cap_tokens < self.default_window_tokens, "a reserve leaves something"
        assert self.default_window_tokens <= self.large_window_tokens
        assert self.blocking_buffer_tokens <= self.auto_buffer_tokens, "compaction has its chance before requests fail"
        assert self.warning_buffer_tokens == self.error_buffer_tokens, "both flags change together"
        assert (
            self.auto_buffer_tokens + self.warning_buffer_tokens < self.default_window_tokens - self.reserve_cap_tokens
        )
        assert len(str(self.number_cap)) <= self.number_cap_characters, "every number in range can be written"
        assert self.restore_cap_tokens >= self.restore_file_cap_tokens, "one file must fit"
        assert self.skills_cap_tokens >= self.skill_cap_tokens, "one skill must fit"
        assert self.notes_cap_tokens >= self.section_cap_tokens, "one section must fit"
        assert self.tail_max_tokens >= self.tail_min_tokens, "the minimum must be within reach"
        assert self.shell_cap_units <= self.result_cap_units <= self.message_cap_units
        assert self.preview_cap_units < self.shell_cap_units, "a preview is a part"
        assert self.classifier_cap_denials <= self.classifier_cap_total_denials
        assert self.output_slot_tokens <= self.escalated_slot_tokens, "a larger slot is larger"
        assert self.collapse_commit_percent <= self.collapse_block_percent
        assert self.description_least_units <= self.description_cap_units, "a share below the cap can be shown"
        assert self.git_cap_bytes > LARGEST_CHARACTER_BYTES * self.status_cap_units, "a long status is seen to be long"


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
    default_window_tokens=1_000,
    large_window_tokens=5_000,
    reserve_cap_tokens=200,
    auto_buffer_tokens=80,
    warning_buffer_tokens=60,
    error_buffer_tokens=60,
    blocking_buffer_tokens=40,
    diminishing_tokens=5,
    read_state_cap_entries=3,
    read_state_cap_bytes=150,
    restore_cap_files=2,
    restore_file_cap_tokens=5,
    restore_cap_tokens=30,
    skill_cap_tokens=5,
    skills_cap_tokens=12,
    section_cap_tokens=8,
    notes_cap_tokens=40,
    extraction_start_tokens=10,
    extraction_growth_tokens=5,
    extraction_calls=2,
    extraction_wait_ms=15,
    tail_min_tokens=10,
    tail_min_messages=2,
    tail_max_tokens=40,
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
