// The rows of a session's list, and where the view begins. [MSG-001, MSG-002]

import { isObject } from './json.mjs';

// In all of this area a key is missing where it is not there or null, which is what `??` asks.

export const isAssistant = (row) => isObject(row) && row.role === 'assistant';

/** A string that is not empty; anything else is no id, of a response or of a call. */
export const isId = (value) => typeof value === 'string' && value !== '';

/** Are these rows of one response? A row without an id is a response of its own. [EST-028, MSG-012] */
export const isSameResponse = (one, other) => isId(one.id) && one.id === other.id;

export const contentOf = (row) => row.content ?? row.text;

export const isBoundary = (row) => isObject(row) && row.role === 'system' && row.subtype === 'compact_boundary';

/** The index of the first row of the view. */
export const viewStart = (rows) => Math.max(0, rows.findLastIndex(isBoundary));
