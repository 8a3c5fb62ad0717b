// What is put back after a compaction. [CMP-110 to CMP-124]

import { attachment } from './attachments.mjs';
import { ReadState } from './read-state.mjs';
import { candidatesOf, restoreFiles } from './restored-files.mjs';
import { restoreSkills } from './restored-skills.mjs';
import { decision } from './row-changes.mjs';

export function restore(request) {
  const decisions = [];
  const report = (why, about) => decisions.push(decision('restore', why, about));
  const readState = readStateOf(request.passes, report);
  const candidates = candidatesOf({ ...request, readState }, report);
  const files = restoreFiles(candidates, request, report);
  const skills = restoreSkills(request, report);
  return {
    attachments: [...files.rows, ...statesOf(request), ...skills.rows, ...announcementsOf(request)],
    candidates,
    read: files.read.map(([path]) => path),
    file_tokens: files.tokens,
    skill_tokens: skills.tokens,
    decisions,
  };
}

/** `passes`: for each pass [path, bytes] of its reads. */
function readStateOf(passes, report) {
  const state = new ReadState();
  for (const reads of passes) {
    state.turn();
    const forgotten = reads.flatMap(([path, bytes]) => state.read(path, bytes));
    for (const path of forgotten) report('read-state-full', { path });
  }
  return state;
}

/** Each name at its first place, with its last text. [CMP-122] */
const once = (items) => [...new Map(items.map(({ name, text }) => [name, text])).entries()];

function statesOf({ background, plan, planMode }) {
  const rows = once(background).map(([name, text]) =>
    attachment('agent_state', { names: [name] }, `The agent ${name} works in the background:`, text),
  );
  if (plan !== null) rows.push(attachment('plan_file', { path: plan.path }, `The plan ${plan.path}:`, plan.text));
  if (planMode) rows.push(attachment('plan_mode', {}, 'Plan mode is on: no file may be changed.'));
  return rows;
}

function announcementsOf({ deferredTools, agents, mcp }) {
  const listed = (type, names, what) =>
    names.length > 0 ? [attachment(type, { names }, what, names.join('\n'))] : [];
  const servers = once(mcp);
  const instructions = attachment(
    'mcp_instructions',
    { names: servers.map(([name]) => name) },
    'What servers say of themselves:',
    ...servers.map(([, text]) => text),
  );
  return [
    ...listed('deferred_tools', [...new Set(deferredTools)], 'Tools that are given on demand:'),
    ...listed('agent_listing', [...new Set(agents)], 'Agents that can be started:'),
    ...(servers.length > 0 ? [instructions] : []),
  ];
}
