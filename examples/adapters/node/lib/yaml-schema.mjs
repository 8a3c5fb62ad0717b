// The core schema of YAML 1.2: which plain scalars are no strings, and what tags do. [MEM-043]

const NULL = /^(?:~|null|Null|NULL|)$/;
const BOOL = /^(?:true|True|TRUE|false|False|FALSE)$/;
const INT = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NAN = /^\.(?:nan|NaN|NAN)$/;

/** Type and value of a plain scalar. */
export function resolvePlain(text) {
  if (NULL.test(text)) return { type: 'null', value: null };
  if (BOOL.test(text)) return { type: 'bool', value: /^t/i.test(text) };
  if (INT.test(text)) return { type: 'int', value: BigInt(text.replace(/^[-+]/, '')) * (text[0] === '-' ? -1n : 1n) };
  if (FLOAT.test(text)) return { type: 'float', value: Number(text) };
  if (INFINITE.test(text)) return { type: 'float', value: text[0] === '-' ? -Infinity : Infinity };
  if (NAN.test(text)) return { type: 'float', value: NaN };
  return { type: 'string', value: text };
}

const CORE = 'tag:yaml.org,2002:';
const SCALAR_TYPES = { str: 'string', int: 'int', float: 'float', bool: 'bool', null: 'null' };

/** Gives a node with content the type of its tag; false if the tag is unknown or does not fit. [MEM-046] */
export function applyTag(node, tag) {
  if (tag === undefined) return true;
  if (tag === '!') {
    if (node.kind === 'scalar') Object.assign(node, { type: 'string', value: node.source });
    return true;
  }
  const name = coreName(tag);
  if (node.kind !== 'scalar') return name === node.kind;
  const type = name !== null && Object.hasOwn(SCALAR_TYPES, name) ? SCALAR_TYPES[name] : null;
  if (type === null) return false;
  if (type === 'string') Object.assign(node, { type, value: node.source });
  else {
    const plain = resolvePlain(node.source);
    if (plain.type === 'int' && type === 'float') Object.assign(node, { type, value: Number(plain.value) });
    else if (plain.type === type) Object.assign(node, plain);
    else return false;
  }
  return true;
}

function coreName(tag) {
  if (tag.startsWith('!!')) return tag.slice(2);
  if (tag.startsWith(`!<${CORE}`)) return tag.slice(2 + CORE.length, -1);
  return null;
}
