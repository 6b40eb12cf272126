/** @import { Plugin } from 'rolldown' */

const compilers = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/**
 * Statements by which fastify loads Node modules at every start, and their replacements, by file. The service speaks HTTP/1.1 over
 * connections that it makes itself, and `performance` is a global.
 * @type {Record<string, Record<string, string>>}
 */
const statements = {
  'server.js': {
    "const http2 = require('node:http2')": 'const http2 = undefined',
    "const https = require('node:https')":
      "const https = { createServer: (...options) => require('node:https').createServer(...options) }",
    "const dns = require('node:dns')":
      "const dns = { lookup: (...options) => require('node:dns').lookup(...options) }",
  },
  'logger-factory.js': { "const { performance } = require('node:perf_hooks')": '' },
};

/**
 * Leaves out fastify's compilers of JSON schemas, which it loads at every start: no route has a schema, because bodies are checked
 * by the rules of the service. Also leaves out Node modules that a short command does not need.
 * @returns {Plugin}
 */
export function fastifyAlone() {
  const none = '\0no-schema-compiler';
  return {
    name: 'fastify-alone',
    resolveId: (source) => (compilers.includes(source) ? none : null),
    load(id) {
      if (id !== none) return null;
      return `module.exports = () => () => { throw new Error('Compilers of schemas are not built in'); };`;
    },
    transform(code, id) {
      const file = /\/fastify\/lib\/([\w-]+\.js)$/.exec(id.replaceAll('\\', '/'))?.[1] ?? '';
      let text = code;
      for (const [statement, instead] of Object.entries(statements[file] ?? {})) {
        if (!code.includes(statement)) throw new Error(`fastify has no more: ${statement}`);
        text = text.replace(statement, instead);
      }
      return text === code ? null : text;
    },
  };
}
