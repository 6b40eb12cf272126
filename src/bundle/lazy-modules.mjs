/** @import { Plugin } from 'rolldown' */

/** Modules that are not made lazy: Node modules that are loaded anyway or load instantly, and the bundler's small runtime. */
const atHand = /^node:(buffer|events|fs|module|path|process|url|util)$|\/rolldown-runtime-[^/]*$/;

/** Statements by which a chunk loads another chunk or a Node module; if it has a default export, a second statement wraps it. */
const statements =
  /^(?:let|const) ([\w$]+) = require\("((?:node:|\.)[^"]+)"\);\n(?:\1 = (.+)\(\1, 1\);\n)?/gm;

/**
 * Loads other chunks and Node modules when they are first used, because a command uses little of what its files import.
 * @returns {Plugin}
 */
export function lazyModules() {
  return {
    name: 'lazy-modules',
    renderChunk(code, { fileName }) {
      const found = [...code.matchAll(statements)].filter(([, , id = '']) => !atHand.test(id));
      if (found.length === 0) return null;
      let [text, loaders] = [code, ''];
      for (const [index, [statement, name = '', id, wrap]] of found.entries()) {
        const load = `__load${index}`;
        if (code.includes(load)) throw new Error(`${fileName} has a name of its own that is taken: ${load}`);
        const module = `require("${id}")`;
        // Matches after the dots of `...`, but not as the name of a property.
        const uses = new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
        // A variable, so that code that runs often reads it as fast as before.
        text = text.replace(statement, '').replaceAll(uses, `(${name} ?? ${load}())`);
        loaders += `var ${name};\nfunction ${load}() { return ${name} = ${wrap ? `${wrap}(${module}, 1)` : module}; }\n`;
      }
      return loaders + text;
    },
  };
}
