// The limit of a tool, and of the results of one message. [CMP-021, CMP-030]

import { invalidArgument } from './errors.mjs';

const DEFAULT_LIMIT = 50_000;
const DECLARED = { Read: 'infinite', Bash: 30_000 };

export const MESSAGE_LIMIT = 200_000;

/** A function from the name of a tool, or null, to its limit. `report(name)` is told of an override that is ignored. */
export function limitsOfTools(declared, overrides, report) {
  for (const value of Object.values(declared)) {
    const isRight = value === 'infinite' || (Number.isSafeInteger(value) && value >= 0);
    if (!isRight) throw invalidArgument('declared holds what is neither infinite nor a whole number');
  }
  const isNumber = (value) => typeof value === 'number' && Number.isFinite(value) && value > 0;
  for (const [name, value] of Object.entries(overrides)) if (value !== null && !isNumber(value)) report(name);

  const all = new Map(Object.entries({ ...DECLARED, ...declared }));
  const remote = new Map(Object.entries(overrides).filter(([, value]) => isNumber(value)));
  return (tool) => {
    const own = all.get(tool);
    if (own === 'infinite') return Infinity;
    return remote.has(tool) ? Math.floor(remote.get(tool)) : Math.min(own ?? DEFAULT_LIMIT, DEFAULT_LIMIT);
  };
}
