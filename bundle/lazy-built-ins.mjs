/** @import { Plugin } from 'rolldown' */

/** Modules of Node that it has loaded before any program begins, or that take no time. */
const atHand = new Set(['buffer', 'events', 'fs', 'module', 'path', 'process', 'url', 'util']);

/** How a chunk gets a module of Node: `let node_os = require("node:os");`, and where it has a default export a second statement. */
const statements = /^let ([\w$]+) = require\("node:([\w/]+)"\);\n(?:\1 = (.+)\(\1, 1\);\n)?/gm;

/**
 * What a chunk imports of Node is loaded when it is first used: a command uses little of what the files that it is made of
 * import.
 * @returns {Plugin}
 */
export function lazyBuiltIns() {
  return {
    name: 'lazy-built-ins',
    renderChunk(code, { fileName }) {
      const found = [...code.matchAll(statements)].filter(([, , id = '']) => !atHand.has(id));
      if (found.length === 0) return null;
      let text = code;
      for (const [statement, name = ''] of found) {
        const uses = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])(\\.)?`, 'g');
        text = text.replace(statement, '').replaceAll(uses, (_, dot) => {
          if (!dot) throw new Error(`${fileName} uses ${name} as a whole`);
          return `builtIns.${name}.`;
        });
      }
      const getters = found.map(([, name, id, wrap]) => {
        const module = `require("node:${id}")`;
        return `get ${name}() { return loaded.${name} ??= ${wrap ? `${wrap}(${module}, 1)` : module}; }`;
      });
      return `const loaded = {};\nconst builtIns = {\n${getters.join(',\n')}\n};\n${text}`;
    },
  };
}
