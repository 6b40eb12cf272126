/** @import { Plugin } from 'rolldown' */

const statement = "const assert = require('node:assert')";

/**
 * Loads `node:assert` only when an assertion fails, in modules that only call `assert()`: undici and the router of the service.
 * @returns {Plugin}
 */
export function smallAsserts() {
  return {
    name: 'small-asserts',
    transform(code) {
      if (!code.includes(statement) || /\bassert\.\w/.test(code)) return null;
      const small =
        "const assert = (value, message) => { if (!value) require('node:assert')(value, message); }";
      return code.replace(statement, small);
    },
  };
}
