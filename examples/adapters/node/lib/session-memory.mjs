// What a compaction makes of the notes. [CMP-137 to CMP-147]

import { beginningOf } from './beginning.mjs';
import { cutNotice } from './attachments.mjs';
import { Documented } from './documented.mjs';
import { keptTail } from './kept-tail.mjs';
import { isEmpty, stretchesOf } from './notes.mjs';
import { LIMITS } from './notes-state.mjs';
import { decision, estimate } from './row-changes.mjs';
import { isBlank } from './text.mjs';
import { MAX_FILE_BYTES } from './tree.mjs';

const WAIT = 15_000;

export function sessionMemory(request) {
  const { gates, running, rows, threshold, attachments, choices } = request;
  const decisions = [];
  const report = (why, about, layer = 'compact') => decisions.push(decision(layer, why, about));
  const refuse = (why, about) => {
    report(why, about);
    return { used: false, why, decisions };
  };
  if (!gates.session_memory) return refuse('notes-off');
  if (!gates.sm_compact) return refuse('sm-compact-off');
  if (running !== null && running < WAIT) return { ...refuse('extraction-running'), wait_ms: WAIT - running };

  const file = readNotes(request);
  if (file.why) return refuse(file.why);
  const stretches = stretchesOf(file.text);
  if (isEmpty(stretches)) return refuse('notes-empty');

  if (running !== null) report('extraction-not-awaited');
  const { from, isKnown } = keptTail(rows, request.lastCovered, choices);
  if (!isKnown) report('covered-unknown');
  const { notes, summary } = cut(stretches, request, report);
  const tokens =
    new Documented(choices).text(notes) + estimate(rows.slice(from), choices) + estimate(attachments, choices);
  if (threshold !== null && tokens >= threshold) return refuse('still-above-threshold', { tokens });
  report('notes-used', { tokens });
  return { used: true, from, notes, summary, tokens, decisions };
}

/** {text}, or {why} it cannot be used. [CMP-139] */
function readNotes({ tree, path }) {
  const { state, node } = tree.find(path);
  if (state === 'missing') return { why: 'no-notes' };
  if (state !== 'file') return { why: 'notes-not-regular' };
  if (node.denied) return { why: 'notes-unreadable' };
  if (node.size > MAX_FILE_BYTES) return { why: 'notes-too-large' };
  const text = tree.text(node);
  return isBlank(text) ? { why: 'no-notes' } : { text };
}

/** [CMP-138] */
function cut(stretches, { choices, notesPath }, report) {
  const method = new Documented(choices);
  let notes = '';
  let summary = '';
  for (const { title, text } of stretches) {
    const kept = beginningOf(text, LIMITS.section, choices);
    notes += kept;
    summary += kept;
    if (kept === text) continue;
    report('section-cut', { id: title, path: notesPath, tokens: method.text(text) }, 'summary');
    summary += `\n[${cutNotice(notesPath)}]\n`;
  }
  return { notes, summary };
}
