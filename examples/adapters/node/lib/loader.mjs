// The start-up list: segments in their order, and what is told about the rest. [MEM-002]

import { FileTexts } from './file-text.mjs';
import { Intake } from './intake.mjs';
import { LoadedSet } from './loaded-set.mjs';
import { reportLookAlikes } from './look-alikes.mjs';
import { recordToWire } from './records.mjs';
import { Rules } from './rules.mjs';

/** {kit, result}: what a session starts with; `kit` serves its reads. */
export function load(session) {
  const texts = new FileTexts(session.tree, session.choices);
  const kit = {
    session,
    texts,
    rules: new Rules(session, texts),
    loaded: new LoadedSet(session.tree, session.choices['memory.identity']),
  };
  const intake = new Intake(kit);
  loadManaged(session, intake);
  loadUser(session, intake);
  loadChain(session, intake);
  loadAdded(session, intake);
  loadIndexes(session, intake);
  reportLookAlikes(session);

  const records = filterInjected(session, intake.records);
  const result = () => ({
    files: records.map(recordToWire),
    skipped: session.report.rows(records),
    warnings: session.report.warnings(),
  });
  return { kit, result };
}

/** The reason for which nothing of a segment loads, added folders and indexes aside. [MEM-014, MEM-015] */
function offAsAWhole({ disabled, bare, added, choices }) {
  if (disabled) return 'disabled';
  if (!bare) return null;
  return added.length === 0 || choices['memory.bare_added'] === 'added-only' ? 'bare' : null;
}

function loadManaged(session, intake) {
  const { managed, paths } = session;
  if (!managed) return;
  const off = offAsAWhole(session);
  intake.takeFile(paths.join(managed, 'CLAUDE.md'), 'managed', off); // [MEM-003]
  intake.takeRules(paths.join(managed, '.claude', 'rules'), 'managed', off);
}

function loadUser(session, intake) {
  const { configHome, paths, sources } = session;
  if (!configHome) return;
  const off = offAsAWhole(session) ?? (sources.has('user') ? null : 'source-off'); // [MEM-013]
  intake.takeFile(paths.join(configHome, 'CLAUDE.md'), 'user', off); // [MEM-004]
  intake.takeRules(paths.join(configHome, 'rules'), 'user', off);
}

function loadChain(session, intake) {
  const { paths, sources } = session;
  for (const folder of session.chain) {
    const root = session.isSkippedRoot(folder) ? 'root-not-read' : null; // [MEM-006]
    const suppressed = session.isSuppressed(folder) ? 'worktree-suppressed' : null; // [MEM-009]
    const off = (source) => offAsAWhole(session) ?? (sources.has(source) ? root : 'source-off');
    const project = off('project') ?? suppressed;
    intake.takeFile(paths.join(folder, 'CLAUDE.md'), 'project', project); // [MEM-005]
    intake.takeFile(paths.join(folder, '.claude', 'CLAUDE.md'), 'project', project);
    intake.takeRules(paths.join(folder, '.claude', 'rules'), 'project', project);
    intake.takeFile(paths.join(folder, 'CLAUDE.local.md'), 'local', off('local'));
  }
}

function loadAdded(session, intake) {
  const { added, paths, disabled, addedGiveMemory } = session;
  const off = disabled ? 'disabled' : addedGiveMemory ? null : 'add-dir-off'; // [MEM-012]
  for (const folder of added) {
    intake.takeFile(paths.join(folder, 'CLAUDE.md'), 'project', off);
    intake.takeFile(paths.join(folder, '.claude', 'CLAUDE.md'), 'project', off);
    intake.takeRules(paths.join(folder, '.claude', 'rules'), 'project', off);
  }
}

function loadIndexes(session, intake) {
  const { memoryFolder, paths, gates } = session;
  if (memoryFolder === null) return;
  const off = indexOff(session);
  intake.takeIndex(paths.join(memoryFolder, 'MEMORY.md'), 'auto', off); // [MEM-127]
  const teamOff = off ?? (gates.team_memory ? null : 'team-off'); // [MEM-128]
  intake.takeIndex(paths.join(memoryFolder, 'team', 'MEMORY.md'), 'team', teamOff);
}

/** [MEM-126] */
function indexOff({ disabled, autoMemoryDisabled, bare, added, settings }) {
  if (disabled) return 'disabled';
  if (bare && added.length === 0) return 'bare';
  return autoMemoryDisabled || bare || settings.first('autoMemoryEnabled') === false ? 'auto-memory-off' : null;
}

/** [MEM-111] */
function filterInjected({ gates, choices, report }, records) {
  if (!gates.memory_prefetch || choices['memory.injected_filter'] === 'off') return records;
  const isInjected = ({ layer }) => layer === 'auto' || layer === 'team';
  for (const { path, layer } of records.filter(isInjected)) report.candidate(path, layer, 'injected-filter');
  return records.filter((record) => !isInjected(record));
}
