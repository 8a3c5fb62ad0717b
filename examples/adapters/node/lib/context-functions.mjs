// The functions of the area context. [CTX-001 to CTX-125]

import { ContextCaches } from './context-caches.mjs';
import { deferral } from './deferral.mjs';
import { Documented } from './documented.mjs';
import { invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { gitSnapshot } from './git-snapshot.mjs';
import { gridOf } from './grid.mjs';
import { cutMemory, readFolder, relevantMemories } from './relevant-memories.mjs';
import { reminderOf } from './reminders.mjs';
import { skillListing } from './skill-listing.mjs';
import { checkDate, firstMessage, systemBlocks, systemEntries, userEntries } from './surroundings.mjs';
import { searchTools } from './tool-search.mjs';
import { typed } from './typed.mjs';
import { readEntries, readGrid, readRecorded } from './usage-arguments.mjs';
import { usageReport } from './usage-report.mjs';
import { environmentOf, Variables } from './variables.mjs';
import { readWindow } from './window-arguments.mjs';
import { limitsOf } from './window-limits.mjs';

const DEFAULT_WINDOW = 200_000;
const MODES = ['plan', 'auto'];
const RESULTS = 5;

function sentOf(args) {
  const sent = typed(args, 'sent', 'object', {});
  return Object.fromEntries(Object.keys(sent).map((agent) => [agent, typed(sent, agent, 'texts', [])]));
}

const flag = (args, name) => typed(args, name, 'flag', false);

export const CONTEXT_FUNCTIONS = {
  'context.git_snapshot'(args, choices) {
    return gitSnapshot(args, choices);
  },

  'context.system_context'(args, _choices, config) {
    const entries = systemEntries({
      git: typed(args, 'git', 'text', null),
      injection: typed(args, 'injection', 'text', null),
      gates: makeGates(config.gates),
    });
    return { entries, blocks: systemBlocks(typed(args, 'system_prompt', 'texts', []), entries) };
  },

  'context.user_context'(args) {
    const date = checkDate(typed(args, 'date', 'text'));
    const entries = userEntries({ memory: typed(args, 'memory', 'text', null), date });
    return { entries, first: firstMessage(entries), rest: typed(args, 'messages', 'list', []) };
  },

  'context.caches'(args, _choices, config) {
    const caches = new ContextCaches(typed(args, 'world', 'object', {}), makeGates(config.gates));
    return { outcomes: typed(args, 'events', 'objects', []).map((event) => caches.step(event)) };
  },

  'context.reminders'(args) {
    const rows = typed(args, 'messages', 'list', []);
    const modes = typed(args, 'modes', 'texts', []);
    if (!modes.every((mode) => MODES.includes(mode))) throw invalidArgument('modes holds an unknown mode');
    const memory = typed(args, 'memory', 'object', null);
    if (memory !== null) typed(memory, 'path', 'text');
    return {
      reminders: modes.map((mode) => reminderOf(mode, rows)),
      memory: memory === null ? null : cutMemory(typed(memory, 'text', 'text')),
    };
  },

  'context.relevant_memories'(args) {
    return relevantMemories({
      rows: typed(args, 'messages', 'list', []),
      folders: typed(args, 'folders', 'list', []).map(readFolder),
      read: typed(args, 'read', 'texts', []),
    });
  },

  'context.skill_listing'(args, choices) {
    const skills = typed(args, 'skills', 'objects', []).map((skill) => ({
      name: typed(skill, 'name', 'text'),
      description: typed(skill, 'description', 'text', ''),
      bundled: flag(skill, 'bundled'),
    }));
    const [window, env] = [typed(args, 'window', 'amount', null), environmentOf(args)];
    const [agent, sent] = [typed(args, 'agent', 'text', ''), sentOf(args)];
    return skillListing({ window, env, skills, agent, sent }, choices);
  },

  'context.deferral'(args, choices) {
    const tools = typed(args, 'tools', 'objects', []).map((tool) => ({
      name: typed(tool, 'name', 'text'),
      server: typed(tool, 'server', 'text', null),
      alwaysLoad: flag(tool, 'always_load'),
      featureBound: flag(tool, 'feature_bound'),
      defer: flag(tool, 'defer'),
      tokens: typed(tool, 'tokens', 'amount', null),
      definition: tool.definition ?? null,
    }));
    const request = {
      tools,
      window: typed(args, 'window', 'amount', DEFAULT_WINDOW),
      model: typed(args, 'model', 'text', ''),
      baseUrl: typed(args, 'base_url', 'text', ''),
      variables: new Variables(environmentOf(args), choices, () => {}),
    };
    return deferral(request, new Documented(choices), choices);
  },

  'context.tool_search'(args) {
    const tools = typed(args, 'tools', 'objects', []).map((tool) => ({
      name: typed(tool, 'name', 'text'),
      server: typed(tool, 'server', 'text', null),
      hint: typed(tool, 'hint', 'text', ''),
      description: typed(tool, 'description', 'text', ''),
    }));
    return searchTools(typed(args, 'query', 'text'), tools, typed(args, 'limit', 'amount', RESULTS));
  },

  'context.usage'(args, choices) {
    const method = new Documented(choices);
    const { limits, reported } = limitsOf(readWindow(args), choices);
    const entries = readEntries(args, method);
    return usageReport({ entries, model: args.model ?? null, recorded: readRecorded(args), limits, reported }, method);
  },

  'context.grid'(args) {
    const { categories, window } = readGrid(args);
    return gridOf(categories, window);
  },
};
