// The arguments of compaction.restore, checked and given their defaults.

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { posix } from './paths.mjs';
import { shownFiles } from './shown-files.mjs';
import { Tree } from './tree.mjs';
import { typed } from './typed.mjs';

export function readRestore(args, choices) {
  const plan = typed(args, 'plan', 'object', null);
  return {
    choices,
    passes: typed(args, 'passes', 'list', []).map(readsOf),
    planFiles: new Set(typed(args, 'plan_files', 'paths', [])),
    memoryFiles: new Set(typed(args, 'memory_files', 'paths', [])),
    shown: shownFiles(typed(args, 'kept', 'list', [])),
    tree: new Tree(posix, typed(args, 'tree', 'list', [])),
    skills: typed(args, 'skills', 'objects', []).map(useOf),
    agent: typed(args, 'agent', 'text', null),
    background: typed(args, 'background', 'objects', []).map(namedText),
    plan: plan && { path: typed(plan, 'path', 'path'), text: typed(plan, 'text', 'text') },
    planMode: typed(args, 'plan_mode', 'flag', false),
    deferredTools: typed(args, 'deferred_tools', 'texts', []),
    agents: typed(args, 'agents', 'texts', []),
    mcp: typed(args, 'mcp', 'objects', []).map(namedText),
  };
}

/** [path, bytes] of the reads of one pass. */
function readsOf(reads) {
  if (!Array.isArray(reads)) throw invalidArgument('passes holds what is no list');
  return reads.map((read) => {
    const item = isObject(read) ? read : { p: read };
    return [typed(item, 'p', 'path'), typed(item, 'bytes', 'amount', 0)];
  });
}

const namedText = (item) => ({ name: typed(item, 'name', 'text'), text: typed(item, 'text', 'text', '') });

const useOf = (item) => ({
  name: typed(item, 'name', 'text'),
  text: typed(item, 'text', 'text'),
  path: typed(item, 'path', 'path'),
  agent: typed(item, 'agent', 'text', null),
});
