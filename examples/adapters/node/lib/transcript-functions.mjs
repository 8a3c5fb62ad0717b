// What a session file says: transcript.read and transcript.responses. [TRN-001 to TRN-034]

import { compareNames } from './bytes.mjs';
import { Documented } from './documented.mjs';
import { findConversation, findSideChains } from './session-conversation.mjs';
import { findKept, hang } from './session-kept.mjs';
import { fileOf } from './session-lines.mjs';
import { groupResponses } from './session-responses.mjs';
import { readRows } from './session-rows.mjs';
import { contextOfView, totalsOf, usageOfResponses, usagesOfRows } from './session-size.mjs';
import { findView, reportPairs } from './session-view.mjs';
import { readUsage, toWire } from './usage.mjs';

const lineOf = ({ line }) => line;

/** All that both functions ask about. */
function readSession(args) {
  const file = readRows(fileOf(args));
  const report = ({ line }, reason) => file.problems.push({ line, reason });
  const kept = findKept(file);
  hang(file, kept);
  const responses = groupResponses(file.rows);
  const conversation = findConversation(file.rows, report);
  return { ...file, responses, conversation, ...findView(conversation, kept), report };
}

export const TRANSCRIPT_FUNCTIONS = {
  'transcript.read'(args) {
    const { lines, rows, copies, other, problems, conversation, view, kept, report } = readSession(args);
    reportPairs(view, report);
    const sides = findSideChains(rows, report);
    for (const row of [...rows, ...copies]) {
      if (row.isAnswer && readUsage(row.usage).isBad) report(row, 'bad-usage'); // [TRN-032]
    }
    problems.sort((one, other) => one.line - other.line || compareNames(one.reason, other.reason));
    return {
      lines,
      conversation: conversation.map(lineOf),
      view: view.map(lineOf),
      kept: kept.map(lineOf).sort((one, other) => one - other),
      side_chains: sides.map(({ agent, rows: own }) => ({ agent, lines: own.map(lineOf) })),
      boundaries: rows
        .filter(({ isBoundary }) => isBoundary)
        .map(({ line, metadata: { trigger, preTokens } }) => ({
          line,
          trigger,
          pre_tokens: preTokens === null ? null : toWire(BigInt(preTokens)), // [TRN-020]
        })),
      other,
      problems,
    };
  },

  'transcript.responses'(args, choices) {
    const { rows, copies, responses, conversation, view, kept } = readSession(args);
    const used = usageOfResponses(responses, conversation);
    return {
      responses: used.map(({ row }) => row),
      totals: totalsOf(used.map(({ usage }) => usage)),
      naive: totalsOf(usagesOfRows([...rows, ...copies])),
      context: contextOfView({ view, kept }, new Documented(choices), choices),
    };
  },
};
