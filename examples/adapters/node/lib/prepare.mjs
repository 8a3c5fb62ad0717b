// What is sent: the steps from a list of rows to the messages of a request. [MSG-007]
//
// A message is {role, parts} on the way, a part {block, row}: the block and the index of the row it
// came from. Blocks are never changed, only replaced.

import { joinNeighbours, joinRows } from './joining.mjs';
import { pairUp } from './pairs.mjs';
import { fillEmptyResults, limitMedia } from './results.mjs';
import { isId } from './rows.mjs';
import { moveAttachments, readBlocks, sentRows } from './sent-rows.mjs';

export function prepare(rows, pending) {
  const reported = [];
  const report = (reason, row, id) => reported.push({ reason, row, ...(isId(id) && { id }) });

  const sent = moveAttachments(sentRows(rows, report)).map((row) => readBlocks(row, report));
  const paired = pairUp(joinNeighbours(joinRows(sent)), new Set(pending), report);
  const filled = fillEmptyResults(limitMedia(paired, report), report);
  const toMessage = ({ role, parts }) => ({ role, content: parts.map(({ block }) => block) });
  return { messages: joinNeighbours(filled).map(toMessage), reported };
}
