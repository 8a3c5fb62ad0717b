// Which assistant rows are one response, in the order of the file. [TRN-030]

/** Gives each assistant row its `response`, an array of rows; all responses by their first row. */
export function groupResponses(rows) {
  const prompts = promptsAbove(rows);
  const groups = new Map();
  const responses = [];
  for (const row of rows) {
    if (!row.isAnswer) continue;
    const { isSide, agent, messageId, requestId } = row;
    const isAlone = messageId === null && requestId === null;
    const thread = isSide ? agent : null;
    const key = JSON.stringify([thread, messageId, requestId, prompts.get(row)]);
    const group = isAlone ? undefined : groups.get(key);
    row.response = group ?? [];
    row.response.push(row);
    if (group !== undefined) continue;
    responses.push(row.response);
    if (!isAlone) groups.set(key, row.response);
  }
  return responses;
}

/** The line of the nearest prompt or boundary above each row along the parents; 0 where there is none. */
function promptsAbove(rows) {
  const found = new Map();
  for (const row of rows) {
    const way = [];
    let at = row;
    let line;
    const onWay = new Set();
    while (line === undefined) {
      onWay.add(at);
      way.push(at);
      const { above } = at;
      if (above === null) line = 0;
      else if (above.isPrompt || above.isBoundary) line = above.line;
      else if (onWay.has(above)) line = 0;
      else {
        line = found.get(above);
        at = above;
      }
    }
    for (const passed of way) if (!found.has(passed)) found.set(passed, line);
  }
  return found;
}
