// What a request for a summary does without: media and listings. [CMP-100 to CMP-102]

import { isObject } from './json.mjs';
import { blocksOf, decision, withContent } from './row-changes.mjs';
import { isId } from './rows.mjs';

const LISTINGS = ['skill_listing', 'skill_discovery'];
const MEDIA = ['image', 'document'];

export function strip(rows) {
  const decisions = [];
  const messages = [];
  for (const [row, item] of rows.entries()) {
    if (isObject(item) && item.role === 'attachment' && LISTINGS.includes(item.attachment)) {
      decisions.push(decision('summary', 'listing-left-out', { row, id: item.attachment }));
    } else {
      messages.push(stripRow(item, (id) => decisions.push(decision('summary', 'media-marked', { row, id }))));
    }
  }
  return { messages, decisions };
}

function stripRow(row, report) {
  const blocks = blocksOf(row);
  const stripped = stripBlocks(blocks, null, report);
  return stripped === blocks ? row : withContent(row, stripped);
}

/** The same list where nothing in it was replaced; `id` is that of the innermost result around it that names one. */
function stripBlocks(blocks, id, report) {
  let isChanged = false;
  const stripped = blocks.map((block) => {
    const next = stripBlock(block, id, report);
    isChanged ||= next !== block;
    return next;
  });
  return isChanged ? stripped : blocks;
}

function stripBlock(block, id, report) {
  if (!isObject(block)) return block;
  if (MEDIA.includes(block.type)) {
    report(id);
    return { type: 'text', text: `[${block.type}]` };
  }
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
  const content = stripBlocks(block.content, isId(block.tool_use_id) ? block.tool_use_id : id, report);
  return content === block.content ? block : { ...block, content };
}
