// Why a turn goes on, or ends. [CMP-170 to CMP-173]

const MAX_NUDGES = 3;
const ENDS = new Set(['done', 'cut-accepted', 'overflow-error']);

/** {next, goes_on} of what a request came to. */
export function nextOf(facts) {
  const next = NEXT[facts.outcome](facts);
  return { next, goes_on: !ENDS.has(next) };
}

const NEXT = {
  stop({ calls, hook_blocks: hookBlocks, budget }) {
    if (calls > 0) return 'next-turn';
    if (hookBlocks) return 'stop-hook';
    return budget ? 'token-budget' : 'done';
  },

  cut({ capped, escalated, nudges }) {
    if (capped && !escalated) return 'output-escalation';
    return nudges < MAX_NUDGES ? 'output-recovery' : 'cut-accepted';
  },

  overflow(facts) {
    return facts.can_drain && !facts.drained ? 'collapse-retry' : NEXT.media(facts);
  },

  media({ can_react: canReact, reacted }) {
    return canReact && !reacted ? 'reactive-retry' : 'overflow-error';
  },
};

export const OUTCOMES = Object.keys(NEXT);
