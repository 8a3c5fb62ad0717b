// Records as they travel. [MEM-001]

import { pathToWire } from './bytes.mjs';

export function recordToWire({ path, layer, text, tokens, parent, globs, warned, differs }) {
  return {
    p: pathToWire(path),
    layer,
    text,
    tokens,
    ...(parent !== undefined && { parent: pathToWire(parent) }),
    ...(globs !== undefined && { globs }),
    ...(warned && { warned }),
    ...(differs && { differs }),
  };
}
