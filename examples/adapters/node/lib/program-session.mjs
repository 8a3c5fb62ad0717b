// The state of one session of a program.

import { ReadState } from './read-state.mjs';
import { Costs, countOf } from './program-rows.mjs';
import { readWindow } from './window-arguments.mjs';
import { limitsOf } from './window-limits.mjs';
import { percentLeft } from './window-state.mjs';

export class Session {
  constructor(config) {
    this.config = config;
    this.under = config.under; // window, max_output, env, settings
    this.disk = new Map(); // path to {tokens, at}
    this.startAnew();
  }

  startAnew() {
    this.rows = []; // the view; nobody needs what stood before it
    this.appended = 0;
    this.replaced = new Set(); // pairs whose results are shown as a preview
    this.frozen = new Set(); // pairs that were seen and stay
    this.skills = new Map(); // name to tokens, the newest use last
    this.forget();
  }

  /** What is state of the process. [CMP-181] */
  forget() {
    this.failures = 0;
    this.refills = { count: 0, sent: null, isJudged: false }; // [CMP-076]
    this.readState = new ReadState();
    this.suppressed = false;
    this.cleared = new Set(); // pairs whose results were cleared since the last compaction
    this.hasReacted = false;
  }

  get costs() {
    return new Costs(this.config.preview, this.replaced, this.cleared);
  }

  get count() {
    return countOf(this.rows, this.costs, this.config.choices);
  }

  get known() {
    this.limitsNow ??= limitsOf(readWindow(this.under), this.config.choices, this.config.buffers);
    return this.limitsNow;
  }

  get limits() {
    return this.known.limits;
  }

  /** {used, band}: the highest that is reached. */
  standing(used = this.count) {
    const { enabled, auto, blocking, warning } = this.limits;
    if (used >= blocking) return { used, band: 'blocking' };
    if (enabled && used >= auto) return { used, band: 'auto' };
    return { used, band: used >= warning ? 'warning' : 'ok' };
  }

  percentLeft(used) {
    return percentLeft(this.known.base, used);
  }

  get ids() {
    return this.rows.map(({ id }) => id);
  }

  set(under) {
    this.under = under;
    this.limitsNow = null;
  }

  append(row) {
    this.rows = [...this.rows, { ...row, id: ++this.appended }];
    if (row.kind === 'user' || row.kind === 'image') this.hasReacted = false; // a new turn
  }

  clear() {
    this.startAnew();
  }

  /** The log holds results as they were, so what was cleared comes back. */
  resume() {
    this.forget();
  }

  copy() {
    const copy = Object.assign(Object.create(Session.prototype), this);
    for (const name of ['disk', 'skills']) copy[name] = new Map(this[name]);
    for (const name of ['replaced', 'frozen', 'cleared']) copy[name] = new Set(this[name]);
    copy.refills = { ...this.refills };
    copy.readState = this.readState.copy();
    return copy;
  }
}
