// What one call knows before it looks for memory: the tree, the folders, the switches, the settings.

import { notAFolder } from './errors.mjs';
import { Exclusions } from './exclusions.mjs';
import { findGitRoots } from './git.mjs';
import { Report } from './report.mjs';
import { readJsonObject, Settings } from './settings.mjs';
import { Tree } from './tree.mjs';

const ON = { wide: ['1', 'true', 'yes', 'on'], strict: ['1', 'true'] };
const EXCLUDABLE = new Set(['user', 'project', 'local']);

export class Session {
  constructor(request, choices, gates) {
    const { paths } = request;
    this.choices = choices;
    this.gates = gates;
    this.paths = paths;
    this.report = new Report();
    this.tree = new Tree(paths, request.entries, { insensitive: request.insensitive });

    // [MEM-008] cwd is resolved, and exists on the wire; the other folders are only normalised
    this.cwd = this.tree.ensureFolder(request.cwd);
    if (this.cwd === null) throw notAFolder('cwd is no folder, or cannot be reached');
    this.home = request.home && this.#folder(request.home);
    this.managed = request.managedDir && this.#folder(request.managedDir);
    this.added = request.addDirs.map((path) => this.#folder(path));
    this.#findConfigHome(request);

    this.sources = new Set(request.sources);
    this.bare = request.bare;
    this.disabled = this.#isOn(request.env.CLAUDE_CODE_DISABLE_CLAUDE_MDS);
    this.autoMemoryDisabled = this.#isOn(request.env.CLAUDE_CODE_DISABLE_AUTO_MEMORY);
    this.addedGiveMemory = this.#isOn(request.env.CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD);

    this.git = findGitRoots(this.tree, this.cwd);
    this.projectRoot = this.git?.main ?? this.cwd;
    this.settings = new Settings(this.tree, this.#settingsFiles(request.settings), this.report);
    this.exclusions = new Exclusions(this.settings.excludes, this.tree);
    this.approved = this.#readApproval() || request.approveExternal;
  }

  /** The folders of the walk, outermost first. Under `skip` the root is none of them. [MEM-006] */
  get walk() {
    return this.chain.filter((folder) => !this.isSkippedRoot(folder));
  }

  get chain() {
    return this.paths.chain(this.cwd);
  }

  isSkippedRoot(folder) {
    return this.choices['memory.root'] === 'skip' && this.paths.isRoot(folder);
  }

  /** Does the worktree give this folder's project files already? [MEM-009] */
  isSuppressed(folder) {
    if (!this.git || this.git.root === this.git.main) return false;
    const { root, main } = this.git;
    const inside = (path, outer) => this.paths.isInside(path, outer);
    return inside(root, main) && inside(folder, main) && !inside(folder, root);
  }

  isExcluded(path, layer) {
    return EXCLUDABLE.has(layer) && this.exclusions.matches(path); // [MEM-060]
  }

  /** Where the index lies, or null. [MEM-124, MEM-125] */
  get memoryFolder() {
    const { paths } = this;
    const named = this.settings.first('autoMemoryDirectory', { except: 'project' });
    if (named?.startsWith('~/') && this.home) return paths.resolve(this.home, `.${named.slice(1)}`);
    if (named !== undefined && paths.isAbsolute(named)) return paths.normalise(named);
    if (!this.configHome) return null;
    const slug = this.projectRoot.replace(/[^A-Za-z0-9]/g, '-');
    return paths.join(this.configHome, 'projects', slug, 'memory');
  }

  /** A folder as it was named; a relative one is taken from cwd. */
  #folder(path) {
    return this.paths.resolve(this.cwd, path);
  }

  #findConfigHome({ configDir, env }) {
    const named = configDir || env.CLAUDE_CONFIG_DIR;
    this.configHome = '';
    if (named) this.configHome = this.#folder(named); // [MEM-004]
    else if (this.home) this.configHome = this.paths.join(this.home, '.claude');
    this.recordsFolder = named ? this.configHome : this.home;
  }

  #isOn(value) {
    return value !== undefined && ON[this.choices['env.truthy']].includes(value.trim().toLowerCase()); // [MEM-014]
  }

  #settingsFiles(named) {
    const { paths } = this;
    const files = [];
    if (this.managed) files.push({ layer: 'managed', path: paths.join(this.managed, 'managed-settings.json') });
    for (const path of named) files.push({ layer: 'named', path: this.#folder(path), required: true });
    const inCwd = (name) => paths.join(this.cwd, '.claude', name);
    if (this.sources.has('local')) files.push({ layer: 'local', path: inCwd('settings.local.json') });
    if (this.sources.has('project')) files.push({ layer: 'project', path: inCwd('settings.json') });
    if (this.sources.has('user') && this.configHome) {
      files.push({ layer: 'user', path: paths.join(this.configHome, 'settings.json') });
    }
    return files;
  }

  /** [MEM-090] */
  #readApproval() {
    if (!this.recordsFolder) return false;
    const path = this.paths.join(this.recordsFolder, '.claude.json');
    const found = readJsonObject(this.tree, path);
    if (found?.broken) this.report.notice(path, 'settings-broken', found.broken);
    const projects = own(found?.value, 'projects');
    const keys = Object.keys(projects ?? {}).filter((key) => this.#isProjectRoot(key));
    return keys.some((key) => own(projects[key], 'hasClaudeMdExternalIncludesApproved') === true);
  }

  #isProjectRoot(key) {
    if (key === this.projectRoot) return true;
    const isWindows = this.paths.separator === '\\';
    return isWindows && this.paths.isAbsolute(key) && this.paths.normalise(key) === this.projectRoot; // [MEM-112]
  }
}

function own(object, key) {
  const isObject = object !== null && typeof object === 'object' && !Array.isArray(object);
  return isObject && Object.hasOwn(object, key) ? object[key] : undefined;
}
