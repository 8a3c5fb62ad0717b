// What fills the window, by category. [CTX-100 to CTX-111]

import { gridOf } from './grid.mjs';
import { partsOf } from './message-parts.mjs';
import { sectionsOf } from './prompt-sections.mjs';
import { toWire } from './usage.mjs';

const sum = (amounts) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);
const sumOf = (rows) => sum(rows.map(({ tokens }) => tokens));
const atLeast0 = (amount) => (amount > 0n ? amount : 0n);

/** The report; `limits` and `reported` are those of the window, `entries` the arguments by kind. */
export function usageReport({ entries, model, recorded, limits, reported }, method) {
  const prompt = entries.prompt.flatMap(sectionsOf).map(({ name, text }) => ({ name, tokens: method.text(text) }));
  const { parts, findings } = partsOf(entries.messages, method);
  const known = categoriesOf({ ...entries, prompt, parts });
  const estimated = sumOf(known.filter(({ deferred }) => !deferred));
  const missing = recorded === null ? 0n : BigInt(recorded) - estimated; // [CTX-107]
  const total = estimated + atLeast0(missing);
  const window = BigInt(limits.window);
  const buffer = limits.enabled ? window - BigInt(limits.auto) : null; // [CTX-109]
  const free = atLeast0(window - total - (buffer ?? 0n)); // [CTX-110]

  const categories = [...known, category('Unattributed', atLeast0(missing)), category('Free space', free)];
  if (buffer !== null) categories.push(category('Autocompact buffer', buffer));
  const always = ['Messages', 'Free space', 'Autocompact buffer'];
  const shown = categories.filter(({ name, tokens }) => tokens > 0n || always.includes(name)); // [CTX-100]
  const { columns, rows } = gridOf(shown, limits.window);
  const allReported = [...reported, ...(findings.reported ?? [])]; // [CTX-111]
  return {
    model,
    categories: shown.map(({ tokens, ...rest }) => ({ ...rest, tokens: toWire(tokens) })),
    total: toWire(total),
    maximum: limits.window,
    percentage: percentageOf(total, window),
    free: toWire(free),
    buffer: buffer === null ? null : toWire(buffer),
    excess: toWire(recorded === null ? 0n : atLeast0(-missing)),
    auto_compact: limits.enabled,
    grid: { columns, rows },
    system_prompt: prompt,
    tools: entries.tools.map(({ counts, ...tool }) => ({ ...tool, loaded: counts })),
    agents: entries.agents,
    skills: entries.skills,
    memory_files: entries.memory,
    messages: parts,
    ...(allReported.length > 0 && { reported: allReported }),
  };
}

const category = (name, tokens, deferred = false) => ({ name, tokens, deferred });

/** All that are estimated, in their order. [CTX-100, CTX-103] */
function categoriesOf({ prompt, tools, agents, memory, skills, parts }) {
  const definitions = (isMcp, doCount) =>
    sumOf(tools.filter(({ server, counts }) => (server !== null) === isMcp && counts === doCount));
  return [
    category('System prompt', sumOf(prompt)),
    category('System tools', definitions(false, true)),
    category('MCP tools', definitions(true, true)),
    category('MCP tools (deferred)', definitions(true, false), true),
    category('System tools (deferred)', definitions(false, false), true),
    category('Custom agents', sumOf(agents)),
    category('Memory files', sumOf(memory)),
    category('Skills', sumOf(skills)),
    category('Messages', sum(Object.values(parts))),
  ];
}

/** Half up, at most 100. [CTX-108] */
function percentageOf(total, window) {
  const percent = (total * 200n + window) / (window * 2n);
  return percent < 100n ? Number(percent) : 100;
}
