// The functions about what is put back, and about the notes. [CMP-110 to CMP-148]

import { contextSize } from './context-size.mjs';
import { Documented } from './documented.mjs';
import { invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { TEMPLATE } from './notes.mjs';
import { notesState } from './notes-state.mjs';
import { posix } from './paths.mjs';
import { readRestore } from './restore-arguments.mjs';
import { restore } from './restore.mjs';
import { sessionMemory } from './session-memory.mjs';
import { Tree } from './tree.mjs';
import { typed } from './typed.mjs';

const NOTES_PATH = '/session-memory/summary.md';

/** The size of the context. [CMP-135] */
function sizeOf(args, choices) {
  const tokens = typed(args, 'tokens', 'amount', null);
  const messages = typed(args, 'messages', 'list', null);
  if (tokens !== null && messages !== null) throw invalidArgument('tokens and messages exclude each other');
  if (messages === null) return tokens ?? 0;
  return Number(contextSize(messages, new Documented(choices), choices).tokens);
}

/** The file of the notes, in a tree of its own. [CMP-139] */
function treeOf(notes) {
  if (notes === null) return new Tree(posix, []);
  if ('p' in notes || 'link' in notes) throw invalidArgument('notes has a path or is a link');
  return new Tree(posix, [{ ...notes, p: NOTES_PATH }]);
}

export const MEMORY_FUNCTIONS = {
  'compaction.restore'(args, choices) {
    return restore(readRestore(args, choices));
  },

  'compaction.notes'(args, choices, config) {
    const since = typed(args, 'since', 'object', {});
    const isOn = typed(args, 'auto_compact', 'flag', true) && makeGates(config.gates).session_memory;
    return notesState({
      text: typed(args, 'text', 'text', TEMPLATE),
      before: typed(args, 'before', 'text', null),
      folder: typed(args, 'session_folder', 'text', null),
      size: sizeOf(args, choices),
      since: {
        tokens: typed(since, 'tokens', 'amount', null),
        calls: typed(since, 'calls', 'amount', 0),
        lastTurnHasCall: typed(since, 'last_turn_has_call', 'flag', false),
      },
      source: typed(args, 'source', 'text', null),
      isOn,
      choices,
    });
  },

  'compaction.session_memory'(args, choices, config) {
    return sessionMemory({
      rows: typed(args, 'messages', 'list'),
      tree: treeOf(typed(args, 'notes', 'object', null)),
      path: NOTES_PATH,
      notesPath: typed(args, 'notes_path', 'text', NOTES_PATH),
      lastCovered: typed(args, 'last_covered', 'text', null),
      running: typed(args, 'running_ms', 'amount', null),
      attachments: typed(args, 'attachments', 'list', []),
      threshold: typed(args, 'threshold', 'amount', null),
      gates: makeGates(config.gates),
      choices,
    });
  },
};
