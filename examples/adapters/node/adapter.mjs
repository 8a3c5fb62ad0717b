#!/usr/bin/env node
// Speaks keel-wire/1 for everything that can be claimed. Answers go to stdout, everything else to stderr.
//
//   node adapter.mjs [--choice NAME=VALUE ...]        also: KEEL_CHOICES="NAME=VALUE NAME=VALUE"

import { parseArgs } from 'node:util';
import { CAPABILITIES } from './lib/capabilities.mjs';
import { makeChoices } from './lib/choices.mjs';
import { serve } from './lib/wire.mjs';

function choicesFromOutside() {
  const { values } = parseArgs({ options: { choice: { type: 'string', multiple: true, default: [] } } });
  const fromEnvironment = (process.env.KEEL_CHOICES ?? '').split(/\s+/).filter(Boolean);
  return makeChoices([...fromEnvironment, ...values.choice]);
}

let choices;
try {
  choices = choicesFromOutside();
} catch (error) {
  console.error(`adapter: ${error.message}`);
  process.exit(2);
}

process.stdout.on('error', () => process.exit(0)); // nobody listens any more

await serve({
  input: process.stdin,
  output: process.stdout,
  choices,
  hello: {
    impl: {
      name: 'keel-example-node',
      version: '0.1.0',
      language: 'JavaScript',
      runtime: `node ${process.version}`,
      binding: 'in_process',
    },
    capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, {}])),
  },
});
process.exit(0); // the wire is done; stdout to a pipe is written at once
