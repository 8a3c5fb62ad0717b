// What the reading of files attaches, in one session. [MEM-140 to MEM-148]

import { pathToWire } from './bytes.mjs';
import { Intake } from './intake.mjs';
import { recordToWire } from './records.mjs';

/** The rows of `reads`, in the order of the targets. */
export function touch(kit, targets) {
  return targets.map((target) => ({ p: pathToWire(target), files: attach(kit, target).map(recordToWire) }));
}

function attach(kit, written) {
  const { session } = kit;
  const { paths, cwd, sources, managed, configHome } = session;
  const target = paths.normalise(written);
  if (session.disabled || session.bare) return []; // [MEM-148]
  if (!paths.isInside(target, cwd)) return [];

  const intake = new Intake(kit, { onDemand: true });
  const rulesOf = (folder) => paths.join(folder, '.claude', 'rules');
  if (managed) intake.takeMatchingRules(rulesOf(managed), 'managed', cwd, target);
  if (configHome && sources.has('user')) intake.takeMatchingRules(paths.join(configHome, 'rules'), 'user', cwd, target);

  for (const folder of foldersBelow(paths, cwd, target)) {
    if (sources.has('project')) {
      intake.takeFile(paths.join(folder, 'CLAUDE.md'), 'project');
      intake.takeFile(paths.join(folder, '.claude', 'CLAUDE.md'), 'project');
    }
    if (sources.has('local')) intake.takeFile(paths.join(folder, 'CLAUDE.local.md'), 'local');
    intake.takeRules(rulesOf(folder), 'project'); // with any sources [MEM-142]
    intake.takeMatchingRules(rulesOf(folder), 'project', folder, target);
  }

  for (const folder of session.walk) {
    if (!session.isSuppressed(folder)) intake.takeMatchingRules(rulesOf(folder), 'project', folder, target);
  }
  return intake.records;
}

/** The folders from the one directly below cwd down to the target's own. */
function foldersBelow(paths, cwd, target) {
  if (target === cwd) return [];
  const own = paths.dirname(target);
  return paths.chain(own).filter((folder) => folder !== cwd && paths.isInside(folder, cwd));
}
