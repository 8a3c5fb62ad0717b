"""The words of session files themselves, which an anonymous copy keeps: rule N5 of spec/guides/recordings.md.

Everything that is not in these lists is somebody's own and gives way to filler.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ID_KEYS: Final = _words(
    """
    agentId anchorUuid anchor_uuid headUuid head_uuid id leafUuid logicalParentUuid messageId message_id
    parentToolUseID parentUuid promptId requestId request_id sessionId session_id slug sourceToolAssistantUUID
    tailUuid tail_uuid toolUseID tool_use_id uuid gitBranch
    """
)
"""Their values are names: the same one everywhere for the same one."""
PATH_KEYS: Final = _words(
    """
    cwd displayPath file_path filePath filename globs notebook_path originalPath path persistedOutputPath planFilePath
    root
    """
)
"""Their values are paths, name by name."""
WORD_KEYS: Final = _words(
    """
    entrypoint level media_type operation permissionMode role service_tier speed stop_reason subtype trigger type
    userType
    """
)
"""Their values stay if they are among the words."""
NUMBER_KEYS: Final = _words(
    """
    cache_creation_input_tokens cache_read_input_tokens ephemeral_1h_input_tokens ephemeral_5m_input_tokens
    input_tokens limit numFiles numLines offset output_tokens persistedOutputSize preTokens pre_tokens startLine
    totalLines web_fetch_requests web_search_requests durationMs totalDurationMs totalTokens totalToolUseCount
    """
)
"""Their values are amounts of the record, and stay."""
KEYS: Final = (
    ID_KEYS
    | PATH_KEYS
    | WORD_KEYS
    | NUMBER_KEYS
    | _words(
        """
        agentType attachment attempts attempt boundaries cache_creation calls caller citations cleanupResult code
        command compactMetadata compact_metadata container content context_management data description diff
        discoveredTools edits encoding error errorDetails event file files gitDiff hookCount hookErrors hookName how
        image inference_geo input interrupted isApiErrorMessage isCompactSummary isImage isMeta isSidechain
        isSnapshotUpdate isVisibleInTranscriptOnly is_error iterations lastPrompt lines main_requests matches message
        mode model mtimes_ns name names new_string newLines newString noOutputExpected oldLines oldString old_string
        oldStart newStart originalFile output_mode partial_json pattern plan planContent preCompactDiscoveredTools
        preservedSegment preserved_segment preventedContinuation prompt query queries replaceAll replace_all restored
        result results resolvedModel run_in_background schema server_tool_use signature skills snapshot source status
        stderr stdout stop_details stop_sequence structuredPatch subject succeeded summary system text thinking
        thinkingMetadata timeout timestamp title todos toolName toolUseResult tool_name tools assistant_messages_sent
        trackedFileBackups url usage userModified user_modified value version backupFileName backupTime
        """
    )
)
"""Keys that stay."""
WORDS: Final = _words(
    """
    acceptEdits agent agent_listing_delta ai-title all assistant attachment auto base64 bypassPermissions citations
    cli client compact compact_boundary compact_file_reference command_permissions content create
    custom-title date_change default deferred_tools_delta dequeue diagnostics directory document
    dontAsk edited_text_file end_turn enqueue error external fast file file-history-snapshot file_reference
    file_unchanged hook_additional_context hook_success image info informational init inlined instructions
    invoked_skills last-prompt local_command manual max_tokens mcp_instructions_delta message microcompact_boundary
    model_context_window_exceeded named nested_memory notebook one opened_file_in_ide parts pause_turn pdf plan
    plan_file_reference plan_mode popAll priority progress queue-operation queued_command
    redacted_thinking refusal remove sdk sdk-cli sdk-py sdk-ts selected_lines_in_ide server_tool_use skill_listing
    standard stop_hook_summary stop_sequence suggestion summary system task_reminder text thinking todo todo_reminder
    tool tool_deferred tool_reference tool_result tool_use turn_duration update url user warning
    web_search_tool_result image/png image/jpeg image/gif image/webp application/pdf text/plain
    Managed User Project Local AutoMem TeamMem managed user project local automem teammem
    """
)
"""Values of the word keys that stay."""
TOOLS: Final = _words(
    """
    Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS LSP
    ListMcpResourcesTool MultiEdit NotebookEdit NotebookRead Read ReadMcpResourceTool Skill SlashCommand Task TaskCreate
    TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch WebFetch WebSearch Write
    """
)
"""Names of tools that stay."""
PATH_NAMES: Final = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "MEMORY.md", ".claude", "rules", "memory"})
"""Parts of paths that stay, since rules go by them."""
EXTENSIONS: Final = _words(
    """
    c cc cpp cs css csv gif go h hpp html ini ipynb java jpeg jpg js json jsonc jsonl jsx kt lock log lua md mdx mjs pdf
    php png py pyi rb rs scala sh sql svg swift toml ts tsx txt vue webp xml yaml yml zip
    """
)
"""Extensions of files that stay, since measures go by them."""
