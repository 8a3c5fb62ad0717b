// What is kept, and what clears it. [CTX-030 to CTX-037]

import { invalidArgument } from './errors.mjs';
import { checkDate, systemEntries, userEntries } from './surroundings.mjs';
import { typed } from './typed.mjs';

const FIRST_DATE = '1970-01-01';
const SESSION = ['messages', 'read_state', 'surfaced', 'attached'];
const FORGET_MEMORY = ['memory_files'];

/** What is new behind each event. [CTX-037] */
const FRESH = {
  ask: [],
  load: [],
  change: [],
  inject: ['system_context', 'user_context'],
  compact: ['user_context', 'memory_files', ...SESSION],
  microcompact: ['messages'],
  clear: [
    ...['system_context', 'git_snapshot', 'user_context', 'memory_files', ...SESSION],
    ...['sent_skill_names', 'tracking', 'breaker', 'layer_state'],
  ],
  worktree_entered: FORGET_MEMORY,
  worktree_left: FORGET_MEMORY,
  settings_synced: FORGET_MEMORY,
  memory_dialog: FORGET_MEMORY,
  model: ['window', 'tool_definitions'],
  tool_search: ['tool_schemas'],
  mcp: ['mcp_definitions'],
};

const ARMS = { compact: 'compact', clear: 'session_start' }; // [CTX-034]

/** [CMP-158] */
const isMainThread = (source) => source === null || source.startsWith('repl_main_thread') || source === 'sdk';

export class ContextCaches {
  #world;
  #gates;
  #injection = null;
  #armed = 'session_start';
  #kept = new Map();

  constructor(world, gates) {
    this.#world = { git: null, memory: null, date: FIRST_DATE, ...partOfWorld(world) };
    this.#gates = gates;
  }

  /** The outcome of one event. */
  step(event) {
    const name = typed(event, 'do', 'text');
    if (!Object.hasOwn(FRESH, name)) throw invalidArgument(`no event ${name}`);
    const isOfAgent = name === 'compact' && !isMainThread(typed(event, 'source', 'text', null));
    const fresh = isOfAgent ? [] : FRESH[name]; // [CTX-033]
    if (name === 'change') Object.assign(this.#world, partOfWorld(event));
    if (name === 'inject') this.#injection = typed(event, 'text', 'text', null); // [CTX-032]
    if (!isOfAgent && name in ARMS) this.#armed = ARMS[name];
    for (const value of fresh) this.#kept.delete(value);
    return { fresh: [...fresh], ...this.#answer(name) };
  }

  #answer(name) {
    const made = [];
    let reason = null;
    const keep = (value, make) => {
      if (!this.#kept.has(value)) {
        const thing = make(); // its parts are made before it
        made.push(value);
        this.#kept.set(value, thing);
      }
      return this.#kept.get(value);
    };
    const memoryFiles = () =>
      keep('memory_files', () => {
        reason = this.#armed; // [CTX-035]
        this.#armed = null;
        return this.#world.memory;
      });
    switch (name) {
      case 'ask': {
        // [CTX-031]
        const snapshot = () => keep('git_snapshot', () => this.#world.git);
        const parts = { injection: this.#injection, gates: this.#gates };
        const system = keep('system_context', () => systemEntries({ git: snapshot(), ...parts }));
        const user = keep('user_context', () => userEntries({ memory: memoryFiles(), date: this.#world.date }));
        return { made, reason, system, user };
      }
      case 'load': {
        const memory = memoryFiles();
        return { made, reason, memory };
      }
      default:
        return {};
    }
  }
}

/** What is said of the world: a text or null; of the date nothing but a date. */
function partOfWorld(given) {
  const part = {};
  for (const name of ['git', 'memory']) if (given[name] !== undefined) part[name] = typed(given, name, 'text', null);
  if ((given.date ?? null) !== null) part.date = checkDate(typed(given, 'date', 'text'));
  return part;
}
