import { createRequire } from 'node:module';

/** @import { Plugin } from 'rolldown' */

const require = createRequire(import.meta.url);

/** The parts of undici that the client uses. Code that needs more loads undici with `import()`. */
const parts = `
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { default as errors } from 'undici/lib/core/errors.js';
  export { default as Pool } from 'undici/lib/dispatcher/pool.js';`;

const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js');

/** @param {string} what */
const notBuiltIn = (what) => `() => { throw new Error('${what} is not built in'); }`;

/**
 * Modules that undici requires, their replacements, and a pattern of uses that a replacement would break.
 * @type {Record<string, { code: string, otherUses: RegExp }>}
 */
const replaced = {
  './client-h2.js': { code: `module.exports = ${notBuiltIn('HTTP/2')};`, otherUses: /\bconnectH2\./ },
  // Needed only for bodies that are neither text nor bytes; a third of the remaining code.
  '../web/fetch/body.js': {
    code: `exports.extractBody = ${notBuiltIn('fetch')};`,
    otherUses: /fetch\/body\.js'\)(?!\.extractBody\b)/,
  },
  // Building the other tables takes longer than the rest of the pool.
  '../llhttp/constants.js': {
    code: `module.exports = ${JSON.stringify({ ERROR, TYPE })};`,
    otherUses: /\bconstants\.(?!(ERROR|TYPE|js)\b)/,
  },
  // Node's default, and a class that no body here is an instance of.
  'node:http': {
    code: 'module.exports = { maxHeaderSize: 16 * 1024, IncomingMessage: undefined };',
    otherUses: /\bhttp\.(?!maxHeaderSize\b)|\{(?! IncomingMessage )[^}]*\} = require\('node:http'\)/,
  },
};

/** Modules that contain the HTTP parser (WebAssembly) as text; undici uses the first one where the machine supports it. */
const parsers = ['llhttp_simd-wasm', 'llhttp-wasm'];

const prefix = '\0undici:';

/**
 * Bundles only the pool of undici, and of that only what HTTP/1.1 needs. All of undici, with `fetch`, web sockets, caches and
 * mocks, takes twice as long to load.
 * @returns {Plugin}
 */
export function undiciInParts() {
  return {
    name: 'undici-in-parts',
    resolveId(source, importer = '', { kind }) {
      if (source === 'undici' && kind === 'import-statement') return `${prefix}parts`;
      return isOfUndici(importer) && Object.hasOwn(replaced, source) ? prefix + source : null;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      return id === `${prefix}parts` ? parts : replaced[id.slice(prefix.length)]?.code;
    },
    transform(code, id) {
      if (!isOfUndici(id)) return null;
      for (const [source, { otherUses }] of Object.entries(replaced)) {
        if (code.includes(`require('${source}')`) && otherUses.test(code))
          throw new Error(`${id} uses ${source} in another way now`);
      }
      const parser = parsers.find((name) => id.endsWith(`/${name}.js`));
      if (parser) return readingParser(parser);
      return id.endsWith('/client-h1.js') ? withoutTiers(code) : null;
    },
    generateBundle() {
      for (const name of parsers) {
        this.emitFile({
          type: 'asset',
          fileName: parserFile(name),
          source: require(`undici/lib/llhttp/${name}.js`),
        });
      }
    },
  };
}

/** @param {string} id */
function isOfUndici(id) {
  return id.replaceAll('\\', '/').includes('/node_modules/undici/lib/');
}

/** @param {string} name */
function parserFile(name) {
  return `parsers/${name.replace('-wasm', '')}.wasm`;
}

/**
 * Reads a parser from its own file. As texts, the parsers would be three quarters of the remaining code, loaded by every command.
 * @param {string} name
 */
function readingParser(name) {
  return `
    const { readFileSync } = require('node:fs');
    const { join } = require('node:path');
    module.exports = readFileSync(join(__dirname, '..', '${parserFile(name)}'));`;
}

/**
 * Compiles the HTTP parser at once and without optimization. Otherwise V8 would optimize it after one answer, which takes 35 MB and
 * delays the end of a short command. Every changed flag is set back, because V8 rejects cached code, ours and that of Node's own
 * modules, that was compiled with other flags.
 * @param {string} code
 */
function withoutTiers(code) {
  const statement = "mod = new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))";
  if (!code.includes(statement)) throw new Error('undici compiles its parser in another way now');
  return code.replace(
    statement,
    `const { cachedDataVersionTag, setFlagsFromString } = require('node:v8');
    const parser = require('../llhttp/llhttp_simd-wasm.js');
    const changed = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up'].filter((flag) => {
      const before = cachedDataVersionTag();
      setFlagsFromString('--no-' + flag);
      return cachedDataVersionTag() !== before;
    });
    try {
      mod = new WebAssembly.Module(parser);
    } finally {
      for (const flag of changed) setFlagsFromString('--' + flag);
    }`,
  );
}
