/** @import { Plugin } from 'rolldown' */

/** Modules of Node that it has loaded before any program begins, or that take no time; and the bundler's own few functions. */
const atHand = /^node:(buffer|events|fs|module|path|process|url|util)$|\/rolldown-runtime-[^/]*$/;

/** How a chunk gets another, or a module of Node; of one with a default export a second statement makes what the program sees. */
const statements =
  /^(?:let|const) ([\w$]+) = require\("((?:node:|\.)[^"]+)"\);\n(?:\1 = (.+)\(\1, 1\);\n)?/gm;

/**
 * What a chunk imports, of the program and of Node, is loaded when it is first used: a command uses little of what the files that
 * it is made of import.
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
        // Also behind the dots of `...`, but not as the name of a property.
        const uses = new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
        // A variable, which code that runs often reads as fast as before.
        text = text.replace(statement, '').replaceAll(uses, `(${name} ?? ${load}())`);
        loaders += `var ${name};\nfunction ${load}() { return ${name} = ${wrap ? `${wrap}(${module}, 1)` : module}; }\n`;
      }
      return loaders + text;
    },
  };
}
