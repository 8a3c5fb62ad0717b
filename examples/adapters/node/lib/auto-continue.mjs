// Turns that go on by themselves until a budget is spent. [WIN-042 to WIN-045]

import { toWire } from './usage.mjs';
import { roundedRatio } from './window-state.mjs';

const MIN_CONTINUATIONS = 3;
const SMALL_INCREMENT = 500;

export function autoContinue({ totals, budget, isSubAgent, isGateOpen }) {
  const reported = [];
  const amount = (value, name) => {
    if (Number.isSafeInteger(value) && value >= 0) return value;
    reported.push({ reason: 'bad-usage', name });
    return 0;
  };
  const allowed = amount(budget ?? 0, 'budget');
  const refusal = !isGateOpen ? 'gate-off' : isSubAgent ? 'sub-agent' : allowed === 0 ? 'no-budget' : null;
  const decisions = [];
  let before = { total: 0, increment: Infinity };
  for (const item of totals) {
    const total = amount(item, 'totals');
    const increment = total - before.total;
    const isSmall = increment < SMALL_INCREMENT && before.increment < SMALL_INCREMENT;
    const continuations = decisions.length;
    const isDiminishing = continuations >= MIN_CONTINUATIONS && isSmall; // [WIN-044]
    decisions.push(decide({ refusal, allowed, total, isDiminishing, continuations }));
    if (decisions.at(-1).action === 'stop') break;
    before = { total, increment };
  }
  return { decisions, ...(reported.length > 0 && { reported }) };
}

function decide({ refusal, allowed, total, isDiminishing, continuations }) {
  if (refusal !== null) return { action: 'stop', verdict: refusal, completion: false }; // [WIN-042]
  const percent = toWire(roundedRatio(total, 100n, allowed)); // [WIN-045]
  const isBelow = BigInt(total) * 100n < BigInt(allowed) * 90n; // [WIN-043]
  if (isBelow && !isDiminishing) return { action: 'continue', verdict: 'below-budget', percent };
  const verdict = isDiminishing ? 'diminishing' : 'budget-reached';
  return { action: 'stop', verdict, percent, completion: continuations > 0 };
}
