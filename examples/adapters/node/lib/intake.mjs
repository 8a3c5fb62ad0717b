// Takes up one candidate after the other: checks it, makes a record of it, follows its mentions.
// The start-up load and each read on demand have an intake of their own; both fill the same set.

import { includedPath, isTextFile } from './includes.mjs';
import { refusalOf } from './file-text.mjs';
import { findMentions } from './mentions.mjs';
import { cutIndex } from './memory-index.mjs';
import { cutAttached } from './nested-cut.mjs';
import { matchesPatterns } from './path-patterns.mjs';
import { estimateTokens, isBlank } from './text.mjs';

/** Mentions that are looked up in one load. [MEM-092] */
const MAX_MENTIONS = 100_000;

/** UTF-16 units of a start-up text above which a person is warned. [MEM-104] */
const MAX_MEMORY_CHARACTER_COUNT = 40_000;

/** The patterns of a rule for a person to read; no test compares a detail. [MEM-033] */
const abbreviate = (globs) => globs.slice(0, 20).map((glob) => glob.slice(0, 100)).join(', ');

const EXISTS_NOT = new Set(['missing', 'dangling']);

export class Intake {
  records = [];
  #session;
  #texts;
  #rules;
  #loaded;
  #onDemand;
  #mentionsLeft = MAX_MENTIONS;

  constructor({ session, texts, rules, loaded }, { onDemand = false } = {}) {
    this.#session = session;
    this.#texts = texts;
    this.#rules = rules;
    this.#loaded = loaded;
    this.#onDemand = onDemand;
  }

  /** A file at a fixed place. `off` is the reason for which its segment does not load. [MEM-023] */
  takeFile(path, layer, off = null) {
    const found = this.#session.tree.find(path);
    if (EXISTS_NOT.has(found.state)) return; // [MEM-019]
    const refusal = off ?? this.#refusal(path, layer, found);
    if (refusal) return this.#leaveOut(path, layer, refusal);
    const file = this.#fileOf(path, layer, found);
    if (isBlank(file.text)) return this.#leaveOut(path, layer, 'empty');
    this.#takeUp(file);
  }

  /** MEMORY.md and team memory: cut, and searched for no mentions. [MEM-127] */
  takeIndex(path, layer, off = null) {
    const found = this.#session.tree.find(path);
    if (EXISTS_NOT.has(found.state)) return;
    const refusal = off ?? this.#refusal(path, layer, found);
    if (refusal) return this.#leaveOut(path, layer, refusal);
    const file = this.#fileOf(path, layer, found);
    const { text, cut } = cutIndex(file.text, this.#session.choices['memory.index_unit']);
    if (text === '') return this.#leaveOut(path, layer, 'empty');
    this.#loaded.add(path);
    if (cut.length > 0) this.#session.report.warn('index-cut', path, cut.join(', ')); // [MEM-122]
    this.#addRecord({ ...file, text, warned: cut.length > 0 });
  }

  /** The unconditional rules of a folder, and the includes of conditional ones. [MEM-033, MEM-034] */
  takeRules(folder, layer, off = null) {
    const { rules, rows } = this.#rules.search(folder);
    for (const { path, reason, lookAlike } of rows) {
      if (this.#onDemand) break; // rows tell about the start
      if (lookAlike) this.#session.report.lookAlike(path, reason);
      else this.#session.report.candidate(path, layer, reason);
    }
    for (const rule of rules) this.#takeRule(rule, layer, off);
  }

  #takeRule(rule, layer, off) {
    const { path } = rule;
    const found = this.#session.tree.find(path);
    const refusal = off ?? this.#refusal(path, layer, found);
    if (refusal) return this.#leaveOut(path, layer, refusal);
    const file = this.#fileOf(path, layer, found);
    const globs = this.#rules.patternsOf(rule);
    if (globs.length > 0) {
      this.#leaveOut(path, layer, 'conditional', abbreviate(globs));
      if (!isBlank(file.text)) this.#followMentions(file);
    } else if (isBlank(file.text)) this.#leaveOut(path, layer, 'empty');
    else this.#takeUp(file);
  }

  /** The conditional rules of a folder that match a target, each alone. [MEM-141] */
  takeMatchingRules(folder, layer, base, target) {
    const relative = this.#session.paths.relative(target, base); // [MEM-057]
    for (const rule of this.#rules.search(folder).rules) {
      const { path } = rule;
      const found = this.#session.tree.find(path);
      if (this.#refusal(path, layer, found)) continue;
      const globs = this.#rules.patternsOf(rule);
      if (!matchesPatterns(globs, relative)) continue;
      const file = this.#fileOf(path, layer, found);
      if (isBlank(file.text)) continue;
      this.#loaded.add(path);
      this.#addRecord({ ...file, globs });
    }
  }

  // --- includes ------------------------------------------------------------------------------------

  #followMentions(file) {
    const mentions = findMentions(file.text);
    if (mentions === null) this.#reachBound(file.path);
    const folder = this.#session.paths.dirname(file.real); // where the file really lies [MEM-070]
    for (const mention of mentions ?? []) {
      if (this.#mentionsLeft === 0) return this.#reachBound(file.path);
      this.#mentionsLeft--;
      const path = includedPath(mention, folder, this.#session);
      if (path !== null) this.#takeInclude(path, file);
    }
  }

  /** The checks of a mention, in their order. [MEM-082] */
  #takeInclude(path, includer) {
    const { layer } = includer;
    const depth = includer.depth + 1;
    const deepest = Number(this.#session.choices['memory.include_hops']); // [MEM-080]
    if (depth > deepest) return this.#leaveOut(path, layer, 'include-depth');
    if (this.#loaded.has(path)) {
      if (!this.#loaded.lists(path)) this.#leaveOut(path, layer, 'duplicate');
      return;
    }
    if (!isTextFile(this.#session.paths.basename(path))) return this.#leaveOut(path, layer, 'include-type');
    if (this.#session.isExcluded(path, layer)) return this.#leaveOut(path, layer, 'excluded');
    if (!this.#mayInclude(path, layer)) return this.#leaveOut(path, layer, 'include-external');

    const found = this.#session.tree.find(path);
    const refusal = refusalOf(found);
    if (refusal) return this.#leaveOut(path, layer, refusal);
    const file = { ...this.#fileOf(path, layer, found), depth, parent: includer.path };
    if (isBlank(file.text)) return this.#leaveOut(path, layer, 'empty');
    this.#takeUp(file);
  }

  /** Inside cwd, or from the user at start, or approved at start. [MEM-088, MEM-089, MEM-147] */
  #mayInclude(path, layer) {
    if (this.#session.paths.isInside(path, this.#session.cwd)) return true;
    return !this.#onDemand && (layer === 'user' || this.#session.approved);
  }

  #reachBound(path) {
    if (!this.#onDemand) this.#session.report.notice(path, 'bound-reached');
    this.#session.report.warn('bound-reached', path);
  }

  // --- records -------------------------------------------------------------------------------------

  /** The checks that all direct candidates share, but for those of their segment. */
  #refusal(path, layer, found) {
    if (this.#loaded.has(path)) return 'duplicate';
    if (this.#session.isExcluded(path, layer)) return 'excluded';
    return refusalOf(found);
  }

  #leaveOut(path, layer, reason, detail) {
    if (!this.#onDemand) this.#session.report.candidate(path, layer, reason, detail);
  }

  #fileOf(path, layer, { node, real }) {
    const { disk, text } = this.#texts.of(node);
    return { path, layer, real, depth: 0, disk, text: this.#onDemand ? text : text.trim() }; // [MEM-144]
  }

  #takeUp(file) {
    this.#loaded.add(file.path); // before its includes, so that cycles end
    const parentFirst = this.#session.choices['memory.include_order'] === 'parent-first';
    if (parentFirst) this.#addRecord(file);
    this.#followMentions(file);
    if (!parentFirst) this.#addRecord(file);
  }

  #addRecord({ path, layer, disk, text, parent, globs, warned }) {
    const { choices, report } = this.#session;
    const sent = this.#onDemand && choices['memory.nested_cut'] === 'on' ? cutAttached(text) : text;
    const isLarge = !this.#onDemand && sent.length > MAX_MEMORY_CHARACTER_COUNT;
    if (isLarge) report.warn('over-40000-characters', path, `${sent.length}`);
    const tokens = estimateTokens(sent);
    this.records.push({ path, layer, text: sent, tokens, parent, globs, warned, differs: sent !== disk });
  }
}
