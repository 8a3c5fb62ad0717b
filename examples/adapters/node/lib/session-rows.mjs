// The rows of a session file: their kinds, what is read of them, and each uuid once. [TRN-003, TRN-004]

import { compareNames } from './bytes.mjs';
import { isObject } from './json.mjs';
import { isBlankByte, linesOf } from './session-lines.mjs';

const GRAPH = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);
const NEVER = new Set(['summary', 'file-history-snapshot', 'queue-operation']);

const nameOf = (value) => (typeof value === 'string' && value !== '' ? value : null);
const objectOf = (value) => (isObject(value) ? value : {});

/**
 * {lines, rows, byUuid, copies, other, problems} of a file.
 *
 * `rows` are those of the graph, each uuid once, in the order of the file; `copies` are what was written again.
 */
export function readRows(file) {
  const problems = [];
  const rows = [];
  const copies = [];
  const byUuid = new Map();
  const kinds = new Map();
  let lines = 0;
  for (const { line, bytes, object, reason } of linesOf(file)) {
    lines = line;
    const report = (why) => problems.push({ line, reason: why });
    if (reason !== undefined) report(reason);
    if (object === undefined) continue;
    if (typeof object.type !== 'string') report('no-kind');
    else if (!isOfGraph(object)) kinds.set(object.type, (kinds.get(object.type) ?? 0) + 1);
    else {
      const row = makeRow(line, object);
      const first = byUuid.get(row.uuid);
      if (row.uuid === null) report('no-uuid');
      if (first === undefined) {
        rows.push(row);
        if (row.uuid !== null) byUuid.set(row.uuid, row);
        row.bytes = bytes;
      } else {
        copies.push(row);
        report(withoutEnd(bytes).equals(withoutEnd(first.bytes)) ? 'duplicate-uuid' : 'changed-duplicate');
      }
    }
  }
  const other = [...kinds].map(([kind, count]) => ({ kind, rows: count }));
  other.sort((one, two) => compareNames(one.kind, two.kind));
  return { lines, rows, byUuid, copies, other, problems };
}

/** A kind of the graph, or one that is not known and takes part in it. */
function isOfGraph({ type, uuid, ...rest }) {
  if (GRAPH.has(type)) return true;
  return !NEVER.has(type) && nameOf(uuid) !== null && Object.hasOwn(rest, 'parentUuid');
}

/** The bytes without blanks, tabs and CR at their end. [TRN-004] */
function withoutEnd(bytes) {
  let end = bytes.length;
  while (end > 0 && isBlankByte(bytes[end - 1])) end--;
  return bytes.subarray(0, end);
}

function makeRow(line, object) {
  const message = objectOf(object.message);
  const kind = object.type;
  const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  const isUser = kind === 'user';
  const isBoundary = kind === 'system' && object.subtype === 'compact_boundary';
  const isSummary = object.isCompactSummary === true;
  const isForScreen = object.isVisibleInTranscriptOnly === true && !isSummary;
  const results = isUser ? idsOf(blocks, 'tool_result', 'tool_use_id') : [];
  const isResult = isUser && blocks.some(({ type }) => type === 'tool_result');
  return {
    line,
    kind,
    uuid: nameOf(object.uuid),
    // What the walk goes on with: of a boundary its logical parent alone. [TRN-013]
    parent: nameOf(isBoundary ? object.logicalParentUuid : object.parentUuid),
    isSide: object.isSidechain === true,
    agent: nameOf(object.agentId) ?? '',
    isSaid: isUser || kind === 'assistant',
    isAnswer: kind === 'assistant',
    isBoundary,
    isSummary,
    isForScreen,
    isResult,
    isPrompt: isUser && !isResult && !isSummary && object.isMeta !== true && !isForScreen,
    isError: object.isApiErrorMessage === true,
    results,
    calls: kind === 'assistant' ? idsOf(blocks, 'tool_use', 'id') : [],
    requestId: nameOf(object.requestId),
    messageId: nameOf(message.id),
    model: nameOf(message.model),
    content: message.content,
    usage: message.usage,
    attachment: objectOf(object.attachment),
    metadata: isBoundary ? metadataOf(object) : null,
  };
}

/** The ids of the blocks of a type, each once. */
function idsOf(blocks, type, key) {
  const ids = blocks.filter((block) => block.type === type).map((block) => nameOf(block[key]));
  return [...new Set(ids)].filter((id) => id !== null);
}

/** What a boundary says, in either spelling. [TRN-015, TRN-020] */
function metadataOf({ compactMetadata, compact_metadata: snake }) {
  const { trigger, preTokens, preservedSegment } = isObject(compactMetadata)
    ? compactMetadata
    : { ...objectOf(snake), preTokens: objectOf(snake).pre_tokens };
  const { headUuid, tailUuid, anchorUuid } = objectOf(preservedSegment);
  return {
    trigger: typeof trigger === 'string' ? trigger : null,
    preTokens: Number.isInteger(preTokens) || typeof preTokens === 'bigint' ? preTokens : null,
    segment: { head: nameOf(headUuid), tail: nameOf(tailUuid), anchor: nameOf(anchorUuid) },
  };
}
