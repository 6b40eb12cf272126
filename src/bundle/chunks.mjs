import { fileURLToPath } from 'node:url';

/** @import { Plugin } from 'rolldown' */

/** @param {string} path in `src` */
const inSource = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The modules on the way from the entry to the commands; the last one imports them all. */
const program = ['cli/main.ts', 'cli/run.ts', 'cli/program.ts', 'cli/first-words.ts'].map(inSource);

/** Commands that are run most often, and that do little more than send a request. */
const frequent = ['cli/commands/users/list.ts', 'cli/commands/users/get.ts'].map(inSource);

/**
 * Assigns modules that are imported, not loaded with `import()`, to chunks. Finding a file takes longer than reading it, but every
 * command also loads the compiled code of all it reads. So there are few chunks, by use: all commands and the frequent ones
 * (`core`), the other commands (`commands`), calling a service (`client`), and doing so over HTTP (`undici`).
 */
export function chunks() {
  /** @type {Map<string, readonly string[]>} */
  const imports = new Map();

  /** @param {readonly string[]} entries @param {readonly string[]} ends modules whose imports are not followed */
  function reachedFrom(entries, ends = []) {
    /** @type {Set<string>} */
    const found = new Set();
    /** @param {string} id */
    const visit = (id) => {
      if (found.has(id)) return;
      found.add(id);
      if (!ends.includes(id)) for (const imported of imports.get(id) ?? []) visit(imported);
    };
    for (const entry of entries) visit(entry);
    return found;
  }

  /** @param {() => Set<string>} find */
  function once(find) {
    /** @type {Set<string> | undefined} */
    let found;
    return (/** @type {string} */ id) => {
      found ??= find();
      return found.has(id);
    };
  }

  const first = inSource('cli/first-words.ts');
  const isCore = once(() => reachedFrom([...program, ...frequent], [first]));
  const isStatic = once(() => reachedFrom(program));
  /** @param {string} id */
  const isProgram = (id) => program.includes(id);
  /** True for modules that the service needs too; they are small. */
  const isShared = (/** @type {string} */ id) => /[\\/]src[\\/](contract|text)[\\/]/.test(id);

  return {
    /** @type {Plugin} */
    plugin: {
      name: 'chunks',
      moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
    },
    // Each group also takes modules that later groups import.
    groups: [
      { name: 'undici', test: /[\\/]node_modules[\\/]undici[\\/]|^\0undici:/, priority: 5 },
      {
        name: 'core',
        test: (/** @type {string} */ id) => !isProgram(id) && (isCore(id) || (isStatic(id) && isShared(id))),
        priority: 4,
      },
      { name: 'client', test: /[\\/]src[\\/]client[\\/]/, priority: 3 },
      { name: 'commands', test: (/** @type {string} */ id) => !isProgram(id) && isStatic(id), priority: 2 },
      // Without the entry: its file name has no digest, so its compiled code cannot be kept.
      {
        name: 'program',
        test: (/** @type {string} */ id) => isProgram(id) && id !== program[0],
        priority: 1,
      },
    ],
  };
}
