import { createRequire } from 'node:module';

/** @import { Plugin } from 'rolldown' */

const require = createRequire(import.meta.url);

/** What the client is built on. Code that needs more of undici loads it with `import()`. */
const parts = `
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { default as errors } from 'undici/lib/core/errors.js';
  export { default as Pool } from 'undici/lib/dispatcher/pool.js';`;

const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js');

/** @param {string} what */
const notBuiltIn = (what) => `() => { throw new Error('${what} is not built in'); }`;

/**
 * Modules that undici asks for, what it gets in their place, and uses of them that would not work with that.
 * @type {Record<string, { code: string, otherUses: RegExp }>}
 */
const replaced = {
  './client-h2.js': { code: `module.exports = ${notBuiltIn('HTTP/2')};`, otherUses: /\bconnectH2\./ },
  // Only bodies that are neither text nor bytes need it: a third of what is left.
  '../web/fetch/body.js': {
    code: `exports.extractBody = ${notBuiltIn('fetch')};`,
    otherUses: /fetch\/body\.js'\)(?!\.extractBody\b)/,
  },
  // The other tables take longer to make than the rest of the pool.
  '../llhttp/constants.js': {
    code: `module.exports = ${JSON.stringify({ ERROR, TYPE })};`,
    otherUses: /\bconstants\.(?!(ERROR|TYPE|js)\b)/,
  },
  // Node's default, and a class that no body is of here.
  'node:http': {
    code: 'module.exports = { maxHeaderSize: 16 * 1024, IncomingMessage: undefined };',
    otherUses: /\bhttp\.(?!maxHeaderSize\b)|\{(?! IncomingMessage )[^}]*\} = require\('node:http'\)/,
  },
};

/** Modules that hold a program of WebAssembly as a text, of which the first is taken where it runs. */
const parsers = ['llhttp_simd-wasm', 'llhttp-wasm'];

const prefix = '\0undici:';

/**
 * undici as a whole brings `fetch`, web sockets, caches and mocks, and takes twice as long to load as the pool that the
 * client is built on. Of the pool is left out what HTTP/1.1 does without.
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
 * As texts they would be three quarters of what is left of undici, read and kept by every command.
 * @param {string} name
 */
function readingParser(name) {
  return `
    const { readFileSync } = require('node:fs');
    const { join } = require('node:path');
    module.exports = readFileSync(join(__dirname, '..', '${parserFile(name)}'));`;
}

/**
 * V8 would optimise the parser of HTTP after one answer: a short command would wait for that at its end, and it takes 35 MB. So
 * all of it is compiled at once, plainly, and left like that. Each flag that was changed is set back: V8 takes no code that was
 * compiled with others, neither ours nor that of Node's own modules.
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
