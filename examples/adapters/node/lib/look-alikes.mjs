// Files that a person may take for memory and that are none. [MEM-005, MEM-017, MEM-018]

const IN_FOLDER = ['CLAUDE.md', 'CLAUDE.local.md'];
const IN_DOT_CLAUDE = ['CLAUDE.md'];
const SETTINGS = ['settings.json', 'settings.local.json'];

export function reportLookAlikes(session) {
  const { paths, managed, configHome, cwd } = session;
  for (const folder of session.walk) {
    const dotClaude = paths.join(folder, '.claude');
    reportCase(session, folder, IN_FOLDER);
    reportCase(session, dotClaude, folder === cwd ? [...IN_DOT_CLAUDE, ...SETTINGS] : IN_DOT_CLAUDE);
    reportPresence(session, paths.join(folder, 'AGENTS.md'), 'agents-file');
    reportPresence(session, paths.join(dotClaude, 'CLAUDE.local.md'), 'wrong-place');
  }
  if (configHome) reportCase(session, configHome, ['CLAUDE.md', 'settings.json']);
  if (managed) reportCase(session, managed, ['CLAUDE.md', 'managed-settings.json']);
}

function reportPresence({ tree, paths, report }, path, reason) {
  const { spelled } = tree.find(path);
  if (tree.exists(path) && (spelled === undefined || paths.basename(spelled) === paths.basename(path))) {
    report.lookAlike(path, reason);
  }
}

/** Names that differ from a wanted one in the case of ASCII letters alone. */
function reportCase({ tree, paths, report }, folder, wanted) {
  if (tree.insensitive) return; // there such a name is found
  const { state, node } = tree.find(folder);
  if (state !== 'folder') return;
  const lower = wanted.map(asciiLower);
  for (const name of tree.list(node) ?? []) {
    const differs = !wanted.includes(name) && lower.includes(asciiLower(name));
    if (differs) report.lookAlike(paths.join(folder, name), 'name-case');
  }
}

const asciiLower = (name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
