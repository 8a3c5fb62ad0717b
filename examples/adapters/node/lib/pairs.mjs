// Calls and their results: no half of a pair is sent. [MSG-006, MSG-007]

const NO_RESULT = 'There is no result: the call was interrupted, or its result was lost.';

/** Takes out what is too much, puts results directly behind their calls, and stands in for those that never came. */
export function pairUp(messages, pending, report) {
  const { kept, results } = takeResults(messages, report);
  const paired = [];
  let behind = []; // what the message before asked for
  for (const { role, parts } of kept) {
    if (role === 'assistant') {
      paired.push({ role: 'user', parts: behind }, { role, parts });
      behind = answersTo(parts, results, pending, report);
    } else {
      paired.push({ role, parts: [...behind, ...parts] });
      behind = [];
    }
  }
  paired.push({ role: 'user', parts: behind });
  return paired; // messages without a block are left out later
}

/**
 * {kept, results}: the messages without any result and without second calls; the first result of
 * each call, by its id, as {part, order}.
 */
function takeResults(messages, report) {
  const calls = new Set();
  const results = new Map();
  const staysInPlace = (part) => {
    const { block, row } = part;
    if (block.type === 'tool_use') {
      const isFirst = !calls.has(block.id);
      calls.add(block.id);
      if (!isFirst) report('duplicate-call', row, block.id);
      return isFirst;
    }
    if (block.type !== 'tool_result') return true;
    const id = block.tool_use_id;
    if (!calls.has(id)) report('orphan-result', row, id);
    else if (results.has(id)) report('duplicate-result', row, id);
    else results.set(id, { part, order: results.size });
    return false;
  };
  const kept = messages.map(({ role, parts }) => ({ role, parts: parts.filter(staysInPlace) }));
  return { kept, results };
}

/** What comes behind the calls of one message: results in the order in which they stood, then stand-ins. */
function answersTo(parts, results, pending, report) {
  const found = [];
  const standIns = [];
  for (const { block, row } of parts) {
    if (block.type !== 'tool_use') continue;
    const { id } = block;
    if (results.has(id)) found.push(results.get(id));
    else if (pending.has(id)) report('pending-call', row, id);
    else {
      report('missing-result', row, id);
      standIns.push({ row, block: { type: 'tool_result', tool_use_id: id, is_error: true, content: NO_RESULT } });
    }
  }
  found.sort((one, other) => one.order - other.order);
  return [...found.map(({ part }) => part), ...standIns];
}
