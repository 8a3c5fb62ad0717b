// What a compaction of a program puts back: files and skills. [CMP-110 to CMP-124]

import { ReadState } from './read-state.mjs';
import { UNITS_A_TOKEN } from './program-rows.mjs';

/** {rows, readState}: rows that are put back, and what counts as read afterwards. */
export function restore(session) {
  const { rows, whole } = files(session);
  const readState = new ReadState();
  for (const { path, tokens } of whole.reverse()) readState.read(path, tokens * UNITS_A_TOKEN);
  return { rows: [...rows, ...skills(session)], readState };
}

function files({ config, disk, readState }) {
  const { restore_files: places, restore_file_tokens: limit, choices } = config;
  const byTime = choices['compaction.restore_recency'] === 'mtime';
  const time = (path) => disk.get(path)?.at ?? -1; // what is gone stands behind all others
  const candidates = byTime ? readState.paths.sort((one, other) => time(other) - time(one)) : readState.latest;
  const isCut = choices['compaction.oversize_restore'] === 'truncate';

  const found = candidates.filter((path) => disk.has(path)).slice(0, places);
  const rows = [];
  const whole = [];
  for (const path of found) {
    const { tokens } = disk.get(path);
    const isNamed = tokens > limit && !isCut;
    if (isNamed) rows.push({ id: `ref:${path}`, kind: 'file', tokens: 0 });
    else rows.push({ id: `file:${path}`, kind: 'file', tokens: Math.min(tokens, limit) });
    if (tokens <= limit) whole.push({ path, tokens });
  }
  return { rows, whole };
}

/** The newest use first, each once. [CMP-119, CMP-120] */
function skills({ config, skills: uses }) {
  const rows = [];
  let sum = 0;
  for (const [name, used] of [...uses].reverse()) {
    const tokens = Math.min(used, config.skill_tokens);
    if (sum + tokens > config.skills_tokens) continue;
    sum += tokens;
    rows.push({ id: `skill:${name}`, kind: 'skill', tokens });
  }
  return rows;
}
