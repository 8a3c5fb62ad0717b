// The state of a repository, told once. [CTX-001 to CTX-008]

import { invalidArgument } from './errors.mjs';
import { cutAtUnits, isBlank } from './text.mjs';
import { typed } from './typed.mjs';
import { environmentOf, Variables } from './variables.mjs';

const MAX_STATUS_CHARS = 2_000;
const COMMITS = 5;
const FAILURES = ['no-repository', 'git-missing', 'timed-out', 'failed'];
const NOTHING = { parts: [], branch: null, main_branch: null, user: null, status: null, cut: null, commits: null };

export function gitSnapshot(args, choices) {
  const printed = (name) => typed(args, name, 'text', '').trim();
  const [branch, main, user, status] = ['branch', 'main_branch', 'user', 'status'].map(printed);
  const lines = typed(args, 'commits', 'text', '').split('\n');
  const absent = absenceOf(args, choices);
  if (absent !== null) return { absent, ...NOTHING };

  const shown = status === '' ? '(clean)' : status; // [CTX-006]
  const isCut = shown.length > MAX_STATUS_CHARS; // [CTX-007]
  const blocks = ['remark', 'branch', 'main_branch', 'user', 'status', 'commits'];
  return {
    absent,
    parts: user === '' ? blocks.filter((block) => block !== 'user') : blocks, // [CTX-005]
    branch: branch === '' ? 'HEAD' : branch, // [CTX-004]
    main_branch: main === '' ? 'main' : main,
    user: user === '' ? null : user,
    status: shown.slice(0, cutAtUnits(shown, MAX_STATUS_CHARS)),
    cut: isCut,
    commits: lines.filter((line) => !isBlank(line)).slice(0, COMMITS), // [CTX-008]
  };
}

/** Why there is none, or null. [CTX-002, CTX-003] */
function absenceOf(args, choices) {
  const variables = new Variables(environmentOf(args), choices, () => {});
  const settings = typed(args, 'settings', 'object', {});
  const failed = typed(args, 'failed', 'text', null);
  if (failed !== null && !FAILURES.includes(failed)) throw invalidArgument('failed is no known failure');
  if (variables.isOn('CLAUDE_CODE_REMOTE')) return 'remote';
  return settings.includeGitInstructions === false ? 'switched-off' : failed;
}
