// The form of what is put back. [CMP-118]

/** A row about `what`; the texts follow, each in a block of its own, an empty one in none. */
export function attachment(type, keys, what, ...texts) {
  const content = [what, ...texts].filter((text) => text !== '').map((text) => ({ type: 'text', text }));
  return { role: 'attachment', attachment: type, ...keys, content };
}

export const cutNotice = (path) => `This is a part. The rest is in ${path}.`;
