import { fileURLToPath } from 'node:url';

/** @import { Plugin } from 'rolldown' */

/** @param {string} path in `src` */
const inSource = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The way to the commands: what imports them all. */
const program = ['cli/main.ts', 'cli/run.ts', 'cli/program.ts', 'cli/first-words.ts'].map(inSource);

/** Commands that people and scripts run most, and that do little else than ask. */
const frequent = ['cli/commands/users/list.ts', 'cli/commands/users/get.ts'].map(inSource);

/**
 * Which chunk a module is in that is imported, and not loaded with `import()`: finding a file takes longer than reading it, but
 * what is read is kept compiled, and taken in by every command. So there are few, by what uses them: all commands and the frequent
 * ones (`core`), the others (`commands`), whoever asks a service (`client`), and does that over HTTP (`undici`).
 */
export function chunks() {
  /** @type {Map<string, readonly string[]>} */
  const imports = new Map();

  /** @param {readonly string[]} entries @param {readonly string[]} ends whose imports do not count */
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
  /** What both sides agree on, and texts: small, and needed by the service too. */
  const isShared = (/** @type {string} */ id) => /[\\/]src[\\/](contract|text)[\\/]/.test(id);

  return {
    /** @type {Plugin} */
    plugin: {
      name: 'chunks',
      moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
    },
    // The earlier ones take what later ones import as well.
    groups: [
      { name: 'undici', test: /[\\/]node_modules[\\/]undici[\\/]|^\0undici:/, priority: 5 },
      {
        name: 'core',
        test: (/** @type {string} */ id) => !isProgram(id) && (isCore(id) || (isStatic(id) && isShared(id))),
        priority: 4,
      },
      { name: 'client', test: /[\\/]src[\\/]client[\\/]/, priority: 3 },
      { name: 'commands', test: (/** @type {string} */ id) => !isProgram(id) && isStatic(id), priority: 2 },
      // The entry itself has no digest in its name, by which its compiled code could be kept.
      {
        name: 'program',
        test: (/** @type {string} */ id) => isProgram(id) && id !== program[0],
        priority: 1,
      },
    ],
  };
}
