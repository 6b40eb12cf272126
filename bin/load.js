'use strict';

const fs = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** Milliseconds after which a command counts as long-running: the program may be replaced before it ends. */
const holdAfter = 1000;

/** @type {Map<string, Buffer>} Files that a long-running command may still load, as they were when it began. */
const held = new Map();

const before = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const after = Buffer.from('\n})');

/**
 * Returns the directory where the compiled code of a built program is kept.
 * @param {string} entry
 */
function compiledDirectory(entry) {
  return join(dirname(entry), '..', 'cache', `${process.version}-${process.arch}`);
}

/**
 * Loads a file of the built program, and what it requires, with the code that V8 compiled in an earlier run, because compiling
 * takes a third of a short command's time. If that code is missing, of another version, or cannot be written, V8 compiles.
 * @param {string} entry
 */
exports.load = (entry) => {
  const kept = openKept(compiledDirectory(entry), entry);
  /** @type {Map<string, { exports: any }>} */
  const modules = new Map();

  /** @param {string} path */
  function load(path) {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const directory = dirname(path);
    /**
     * Packages also resolve from this file, so its own `require` is used.
     * @param {string} id
     */
    const requireFrom = (id) => (id.startsWith('.') ? load(join(directory, id)) : require(id));
    const made = kept.compile(path).runInThisContext();
    made.call(module.exports, module.exports, requireFrom, module, path, directory);
    return module.exports;
  }

  const { main } = load(entry);
  setTimeout(
    () => ignoreFailure(() => hold(join(dirname(entry), '..', 'chunks'), modules)),
    holdAfter,
  ).unref();
  return { main: () => main(compiledDirectory(entry), kept.note) };
};

/**
 * Compiled code lies in the program's own directory. It is trusted only if nobody can write there who cannot also write the
 * program. It is never stale, because the names of the program's files contain a digest of their content.
 * @param {string} directory
 * @param {string} entry
 */
function openKept(directory, entry) {
  const { uid } = fs.statSync(entry);
  const isOwn = () => {
    const found = fs.statSync(directory, { throwIfNoEntry: false });
    const isOwners = found?.uid === uid || found?.uid === 0;
    return found !== undefined && (process.platform === 'win32' || (isOwners && (found.mode & 0o022) === 0));
  };
  const isReadable = isOwn();
  /** @type {{ script: Script, file: string, size: number }[]} */
  const loaded = [];
  /** @type {string | undefined} */
  let mark;

  /** @param {typeof loaded} chosen */
  function keep(chosen) {
    if (![uid, 0].includes(process.getuid?.() ?? uid)) return;
    fs.mkdirSync(directory, { recursive: true, mode: 0o755 });
    if (!isOwn()) return;
    for (const { script, file, size } of chosen) {
      const code = script.createCachedData();
      if (code.length <= size) continue;
      fs.writeFileSync(`${file}.${process.pid}`, code, { mode: 0o644 });
      fs.renameSync(`${file}.${process.pid}`, file);
    }
    if (mark) fs.writeFileSync(mark, '', { mode: 0o644 });
  }

  process.once('exit', (code) => {
    // A failed command keeps nothing, because it has used little of the program; exit code 7 (partly done) does not count as
    // failed. Kept code lacks functions that were not used; each command adds its own the first time that it runs.
    if (code !== 0 && code !== 7) return;
    const isFirst = mark !== undefined && !fs.existsSync(mark);
    const chosen = isFirst ? loaded : loaded.filter(({ size }) => size === 0);
    if (chosen.length > 0) ignoreFailure(() => keep(chosen));
  });
  return {
    /** @param {string} path */
    compile(path) {
      const file = join(directory, `${basename(path)}.code`);
      const cachedData =
        isReadable && path !== entry ? ignoreFailure(() => fs.readFileSync(file)) : undefined;
      const text = (held.get(path) ?? readWrapped(path)).latin1Slice();
      held.delete(path);
      const script = new Script(text, { filename: path, columnOffset: -before.length, cachedData });
      const isTaken = cachedData && !script.cachedDataRejected;
      if (path !== entry) loaded.push({ script, file, size: isTaken ? cachedData.length : 0 });
      return script;
    },
    /**
     * Called with the name of the command that runs.
     * @param {string} command
     */
    note(command) {
      mark = join(directory, `${command.replaceAll(' ', '.')}.kept`);
    },
  };
}

/**
 * Reads the chunks that are not loaded yet, 3 MB in all: an import of hours must still write its records when a reinstallation has
 * replaced the program's files.
 * @param {string} directory
 * @param {Map<string, unknown>} modules
 */
function hold(directory, modules) {
  for (const name of fs.readdirSync(directory)) {
    const path = join(directory, name);
    if (!modules.has(path)) held.set(path, readWrapped(path));
  }
}

/**
 * Reads a file and wraps it as a function body; in a buffer, because joining strings takes twice the memory.
 * @param {string} path
 * @returns {Buffer}
 */
function readWrapped(path) {
  return Buffer.concat([before, fs.readFileSync(path), after]);
}

/**
 * @template T
 * @param {() => T} work
 */
function ignoreFailure(work) {
  try {
    return work();
  } catch {
    // The program also runs without this work.
    return undefined;
  }
}
