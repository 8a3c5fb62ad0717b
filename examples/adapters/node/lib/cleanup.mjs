// What is forgotten beside the list, after every compaction. [CMP-156 to CMP-160]

const ALWAYS = [
  'microcompact_state',
  'system_prompt_sections',
  'classifier_approvals',
  'speculative_checks',
  'tracing_state',
  'session_message_cache',
];
const MAIN_ALONE = ['collapse_store', 'user_context', 'memory_files'];
const NEVER = ['sent_skill_names'];

/** [CMP-158] */
const isMain = (source) => source === null || source === 'sdk' || source.startsWith('repl_main_thread');

export function cleanup({ source, agent, isWatched }) {
  const forgets = isMain(source);
  return {
    cleared: forgets ? [...ALWAYS, ...MAIN_ALONE] : ALWAYS,
    kept: forgets ? NEVER : [...MAIN_ALONE, ...NEVER],
    memory_reason: forgets ? 'compact' : null,
    baseline: isWatched ? { source: source ?? 'compact', agent } : null,
    failures: 0,
    suppressed: true,
  };
}
