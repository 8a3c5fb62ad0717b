// Where a mention leads, and which files may be included at all.

const TEXT_EXTENSIONS = new Set(
  [
    'md markdown txt text rst adoc org tex py js jsx mjs cjs ts tsx vue svelte rs go java kt scala swift c h cc cpp',
    'hpp cs rb php lua r sh bat ps1 fish zsh yml yaml toml json xml html css csv sql ini cfg conf env properties',
    'gradle cmake log lock proto graphql diff patch',
  ]
    .join(' ')
    .split(' '),
);

/** The path that a file in `folder` mentions, or null below a home folder that is not known. [MEM-070] */
export function includedPath(mention, folder, { paths, home }) {
  if (!mention.startsWith('~/')) return paths.resolve(folder, mention);
  return home ? paths.resolve(home, `.${mention.slice(1)}`) : null;
}

/** By the extension of its name: one of the list, or none. [MEM-087] */
export function isTextFile(name) {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || TEXT_EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
