// pi under the suite: loadProjectContextFiles, as its package exports it, over the tree of a call on a real disk.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NOBODY = 65534;
const LONGEST = 2 ** 21; // in UTF-16 units, as sent
const here = path.dirname(fileURLToPath(import.meta.url));
const installed = process.env.KEEL_PI_MODULES ?? path.join(here, "../../../.venv-third-party/node/node_modules");
const home = path.join(installed, "@mariozechner/pi-coding-agent");
const about = JSON.parse(fs.readFileSync(path.join(home, "package.json"), "utf8"));
console.log = console.error; // stdout is for answers
const { loadProjectContextFiles } = await import(pathToFileURL(path.join(home, about.main)).href);

const HELLO = {
  wire: 1,
  impl: {
    name: "pi",
    version: about.version,
    language: "javascript",
    runtime: `node ${process.versions.node.split(".")[0]}`,
    binding: "in_process",
    source: "https://github.com/badlogic/pi-mono",
  },
  capabilities: { memory: {}, "memory.text": {} },
  choices: { "memory.root": "read" },
};

class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** Where an absolute path of the call lies: text, or bytes where it is no UTF-8. */
function place(root, p) {
  if (typeof p?.b64 === "string") return Buffer.concat([Buffer.from(root), Buffer.from(p.b64, "base64")]);
  if (typeof p !== "string" || !p.startsWith("/")) throw new Refused("invalid_argument", "an absolute path is wanted");
  return path.join(root, p).replace(/\/$/, "");
}

/** One entry of a tree; a socket stays open until the call is over. */
function put(root, entry, open) {
  const at = place(root, entry.p);
  fs.mkdirSync(entry.kind === "dir" ? at : at.slice(0, at.lastIndexOf("/")), { recursive: true });
  if (entry.link !== undefined) {
    const target = typeof entry.link === "string" ? entry.link : Buffer.from(entry.link.b64, "base64");
    fs.symlinkSync(typeof target === "string" && target.startsWith("/") ? place(root, target) : target, at);
  } else if (entry.kind === "fifo") execFileSync("mkfifo", [at]);
  else if (entry.kind === "socket") open.push(net.createServer().listen(at));
  else if (entry.kind === "device") fs.symlinkSync("/dev/null", at); // making a device is a matter of privilege
  else if (entry.kind !== "dir") {
    const data = entry.b64 === undefined ? Buffer.from(entry.t ?? "") : Buffer.from(entry.b64, "base64");
    fs.writeFileSync(at, data);
    fs.truncateSync(at, Math.max(data.length, entry.size ?? 0));
  }
}

/** What `work` gives with the tree on the disk; where it denies something, without the rights of root. */
function onDisk(args, work) {
  const tree = args.tree ?? [];
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "keel-")));
  const open = [];
  const denied = tree.filter((entry) => entry.deny).map((entry) => place(root, entry.p));
  const drop = denied.length > 0 && process.geteuid() === 0;
  try {
    for (const entry of [...tree].sort((a, b) => ("link" in a) - ("link" in b))) put(root, entry, open);
    const cwd = place(root, args.cwd);
    if (!fs.existsSync(cwd)) fs.mkdirSync(cwd, { recursive: true });
    for (const at of denied) fs.chmodSync(at, fs.statSync(at).isDirectory() ? 0o311 : 0);
    if (drop) fs.chmodSync(root, 0o755);
    if (drop) process.seteuid(NOBODY);
    return work(root);
  } finally {
    if (drop) process.seteuid(0);
    for (const at of denied) fs.chmodSync(at, 0o755);
    for (const server of open) server.close();
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** The context files of pi; its own folder is the config home of the call. */
function load(args) {
  return onDisk(args, (root) => {
    const config = args.config_dir || args.env?.CLAUDE_CONFIG_DIR || (args.home && `${args.home}/.claude`);
    const agentDir = config ? place(root, config) : path.join(root, "no home");
    const found = loadProjectContextFiles({ cwd: place(root, args.cwd), agentDir });
    const files = found
      .filter((file) => file.path.startsWith(`${root}/`)) // its walk goes on above the tree
      .map((file) => ({
        p: file.path.slice(root.length),
        layer: path.dirname(file.path) === agentDir ? "user" : "project",
        text: file.content,
      }));
    return { files, skipped: [], warnings: [] };
  });
}

function outcome(one) {
  try {
    if (one.fn !== "memory.load") throw new Refused("unknown_function", `${one.fn} is not implemented`);
    const result = load(one.args ?? {});
    if (result.files.some((file) => file.text.length > LONGEST)) throw new Error("a text too long for a line of the wire");
    return { ok: result };
  } catch (fault) {
    if (fault instanceof Refused) return { error: { kind: fault.kind, message: fault.message } };
    return { internal: { message: String(fault) } };
  }
}

function answer(request) {
  if (request.op === "hello") return { ok: { ...HELLO, nonce: request.nonce, revision: request.revisions.at(-1) } };
  if (request.op === "call") return { ok: { results: request.calls.map(outcome) } };
  if (request.op === "ping" || request.op === "bye") return { ok: {} };
  return { error: { kind: "malformed_request", message: `no operation ${request.op}` } };
}

function reply(line) {
  let request = {};
  let said;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line)) ?? {};
    said = answer(request);
  } catch (fault) {
    said = { error: { kind: "malformed_request", message: String(fault) } };
  }
  fs.writeSync(1, `${JSON.stringify({ id: request.id ?? null, ...said })}\n`);
  if (request.op === "bye") process.exit(0);
}

let waiting = [];
for await (const chunk of process.stdin) {
  let start = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
    reply(Buffer.concat([...waiting, chunk.subarray(start, end)])); // only LF ends a line
    waiting = [];
    start = end + 1;
  }
  waiting.push(chunk.subarray(start));
}
