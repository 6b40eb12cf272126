'use strict';

// Loaded before the program. When the program ends, it writes which modules of Node and which of its own files were
// loaded.
const fs = require('node:fs');
const vm = require('node:vm');
const { basename } = require('node:path');

const before = new Set(namesOfModules());
/** @type {Set<string>} */
const chunks = new Set();
const { Script } = vm;
// A command that takes longer than a second also reads the files that it has not loaded, so reading a file is not loading it.
vm.Script = class extends Script {
  /** @param {[string, import('node:vm').ScriptOptions]} args */
  constructor(...args) {
    super(...args);
    const chunk = /[\\/]chunks[\\/](.+)-[\w-]{8}\.cjs$/.exec(args[1].filename ?? '')?.[1];
    if (chunk) chunks.add(basename(chunk));
  }
};

process.on('exit', () => {
  const builtIns = namesOfModules().filter((name) => !before.has(name));
  fs.writeFileSync(process.env.TELL_LOADED ?? '', JSON.stringify({ builtIns, chunks: [...chunks] }));
});

/** The names of all modules that a program can load. */
function namesOfModules() {
  const { moduleLoadList } = /** @type {{ moduleLoadList: string[] }} */ (/** @type {unknown} */ (process));
  return moduleLoadList.flatMap((line) => /^NativeModule (?!internal\/)(.+)$/.exec(line)?.[1] ?? []);
}
