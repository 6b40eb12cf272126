/** @import { CommandUnknownOpts } from '@commander-js/extra-typings' */

/**
 * Every command of a program that does something, in the order of the help, including the short forms and the hidden
 * commands.
 * @param {CommandUnknownOpts} program
 * @param {string[]} parent
 * @returns {{ command: CommandUnknownOpts, path: string[], isHidden: boolean }[]}
 */
export function runnableCommands(program, parent = []) {
  const visible = program.createHelp().visibleCommands(program);
  return program.commands.flatMap((command) => {
    const path = [...parent, command.name()];
    const runs = command.commands.length === 0 || command.registeredArguments.length > 0;
    const own = runs ? [{ command, path, isHidden: !visible.includes(command) }] : [];
    return [...own, ...runnableCommands(command, path)];
  });
}

/**
 * The paths of these commands, each once: `list` is returned as `users list`.
 * @param {CommandUnknownOpts} program
 */
export function commandPaths(program) {
  const paths = runnableCommands(program).map(({ path }) => path.join(' '));
  const full = paths.map((path) => (paths.includes(`users ${path}`) ? `users ${path}` : path));
  return [...new Set(full)].sort();
}
