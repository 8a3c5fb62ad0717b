// Where a use stands. [WIN-020 to WIN-024]

import { toWire } from './usage.mjs';

const isAmount = (value) => Number.isSafeInteger(value) && value >= 0;

/** The result of window.state; `reported` is what the limits reported, and is added to. */
export function stateOf({ limits, base, reported }, used, freed) {
  const amount = (value, name) => {
    if (isAmount(value)) return value;
    reported.push({ reason: 'bad-usage', name }); // [WIN-023]
    return 0;
  };
  const asked = amount(used, 'used');
  const saved = amount(freed ?? 0, 'freed');
  if (saved > asked) reported.push({ reason: 'clamped', name: 'used' }); // [WIN-022]
  const use = Math.max(0, asked - saved);
  const perMille = (of) => (of === 0 ? null : toWire(roundedRatio(use, 1_000n, of)));
  return {
    percent_left: percentLeft(base, use),
    above_warning: use >= limits.warning,
    above_error: use >= limits.error,
    above_auto: limits.enabled && use >= limits.auto,
    at_blocking: use >= limits.blocking,
    used_per_mille: {
      window: perMille(limits.window),
      effective: perMille(limits.effective),
      auto: perMille(limits.auto),
    },
  };
}

/** [WIN-021] */
export const percentLeft = (base, use) => (use >= base ? 0 : Number(roundedRatio(base - use, 100n, base)));

/** part × factor ÷ whole, rounded half up. */
export const roundedRatio = (part, factor, whole) =>
  (BigInt(part) * factor * 2n + BigInt(whole)) / (BigInt(whole) * 2n);
