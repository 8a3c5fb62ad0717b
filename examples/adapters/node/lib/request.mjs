// The arguments of memory.load and memory.touch, checked and given their defaults.

import { pathFromWire } from './bytes.mjs';
import { invalidArgument } from './errors.mjs';
import { posix, windows } from './paths.mjs';

const SOURCES = ['user', 'project', 'local'];
const FLAVOURS = { posix, windows };

export function readRequest(args) {
  const path = (name) => {
    const value = pathFromWire(args[name]);
    if (value === null) throw invalidArgument(`${name} is no path`);
    return value;
  };
  const optional = (name, read, otherwise) => (args[name] === undefined ? otherwise : read(name));
  const list = (name) => {
    if (!Array.isArray(args[name])) throw invalidArgument(`${name} is no list`);
    return args[name];
  };
  const pathList = (name) =>
    list(name).map((item) => {
      const value = pathFromWire(item);
      if (!value) throw invalidArgument(`${name} holds something that is no path`);
      return value;
    });
  const flag = (name) => {
    if (typeof args[name] !== 'boolean') throw invalidArgument(`${name} is neither true nor false`);
    return args[name];
  };
  const oneOf = (values) => (name) => {
    if (!values.includes(args[name])) throw invalidArgument(`${name} is none of ${values.join(', ')}`);
    return args[name];
  };

  if (args.cwd === undefined) throw invalidArgument('cwd is missing');
  const paths = FLAVOURS[optional('flavour', oneOf(Object.keys(FLAVOURS)), 'posix')];
  const request = {
    paths,
    cwd: path('cwd'),
    home: optional('home', path, ''),
    configDir: optional('config_dir', path, ''),
    managedDir: optional('managed_dir', path, ''),
    addDirs: optional('add_dirs', pathList, []),
    sources: optional('sources', list, SOURCES),
    settings: optional('settings', pathList, []),
    approveExternal: optional('approve_external', flag, false),
    bare: optional('bare', flag, false),
    env: optional('env', (name) => readEnvironment(args[name]), {}),
    insensitive: optional('case', oneOf(['sensitive', 'insensitive']), 'sensitive') === 'insensitive',
    entries: optional('tree', list, []),
    reads: optional('reads', pathList, []),
  };
  if (!paths.isAbsolute(request.cwd)) throw invalidArgument('cwd is not absolute'); // [MEM-008]
  const areKnown = request.sources.every((source) => SOURCES.includes(source));
  if (!areKnown) throw invalidArgument('an unknown source'); // [MEM-013]
  const areAbsolute = request.reads.every((read) => paths.isAbsolute(read));
  if (!areAbsolute) throw invalidArgument('a read is not absolute');
  return request;
}

function readEnvironment(env) {
  const isObject = env !== null && typeof env === 'object' && !Array.isArray(env);
  if (!isObject || !Object.values(env).every((value) => typeof value === 'string')) {
    throw invalidArgument('env is no object of texts');
  }
  return env;
}
