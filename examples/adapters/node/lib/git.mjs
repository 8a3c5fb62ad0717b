// Git root and main root, read from three small files; git itself is never run. [MEM-010, MEM-011]

import { MAX_FILE_BYTES } from './tree.mjs';

/** {root, main} for a real folder, or null outside git. */
export function findGitRoots(tree, folder) {
  const { paths } = tree;
  for (const root of paths.chain(folder).reverse()) {
    const path = paths.join(root, '.git');
    const { state, spelled } = tree.find(path);
    if (state !== 'folder' && state !== 'file') continue; // anything else counts as absent
    if (paths.basename(spelled) !== '.git') continue; // named exactly so, on any tree
    return { root, main: state === 'folder' ? root : (mainRoot(tree, root, path) ?? root) };
  }
  return null;
}

/** The folder of the main checkout if `.git` leads to a worktree's data; else null. */
function mainRoot(tree, root, gitFile) {
  const { paths } = tree;
  const text = readPathFile(tree, gitFile);
  if (!text?.startsWith('gitdir:')) return null;
  const target = text.slice('gitdir:'.length).split('\n', 1)[0].trim();
  if (target === '') return null;
  const data = paths.resolve(root, target);

  const common = readPathFile(tree, paths.join(data, 'commondir'))?.trim();
  if (!common) return null; // a submodule, or data that cannot be used
  const { state, real } = tree.find(paths.resolve(data, common));
  if (state !== 'folder') return null;
  return paths.basename(real) === '.git' ? paths.dirname(real) : real;
}

function readPathFile(tree, path) {
  const { state, node } = tree.find(path);
  const readable = state === 'file' && node.size <= MAX_FILE_BYTES && !node.denied;
  return readable ? tree.pathText(node) : null;
}
