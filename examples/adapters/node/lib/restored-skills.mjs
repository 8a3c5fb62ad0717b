// The skills that come back. [CMP-119, CMP-120]

import { attachment, cutNotice } from './attachments.mjs';
import { beginningOf } from './beginning.mjs';
import { Documented } from './documented.mjs';

const MAX_TOKENS = 5_000;
const MAX_SUM = 25_000;

/** {rows, tokens}. `skills` are the uses, oldest first. */
export function restoreSkills({ skills, agent, choices }, report) {
  const method = new Documented(choices);
  const latest = new Map();
  for (const use of skills) {
    if ((use.agent ?? null) !== agent) {
      report('skill-of-other-agent', { id: use.name, path: use.path });
      continue;
    }
    latest.delete(use.name);
    latest.set(use.name, use);
  }
  const rows = [];
  let sum = 0;
  for (const { name, path, text } of [...latest.values()].reverse()) {
    const kept = beginningOf(text, MAX_TOKENS, choices);
    const tokens = method.text(kept);
    const isWhole = kept === text;
    const fits = sum + tokens <= MAX_SUM;
    report(!fits ? 'skills-sum' : isWhole ? 'skill-restored' : 'skill-cut', { id: name, path, tokens });
    if (!fits) continue;
    sum += tokens;
    rows.push(attachment('skill', { path, names: [name] }, `The skill ${name}:`, kept, isWhole ? '' : cutNotice(path)));
  }
  return { rows, tokens: sum };
}
