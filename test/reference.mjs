import { runnableCommands } from './runnable-commands.mjs';

/** @import { CommandUnknownOpts } from '@commander-js/extra-typings' */

const begin = '<!-- reference: written by `npm run reference` -->';
const end = '<!-- end of reference -->';

/**
 * The README with another command reference in the place of its own.
 * @param {string} readme
 * @param {string} reference
 */
export function withReference(readme, reference) {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error('the README has no place for the reference');
  return `${readme.slice(0, from)}${begin}\n\n${reference}\n${readme.slice(to)}`;
}

/**
 * What each command says of itself, as Markdown: its purpose, how it is called, its arguments and options. The short
 * forms are told with the commands that they stand for.
 * @param {CommandUnknownOpts} program
 */
export function referenceOf(program) {
  const shown = runnableCommands(program).filter(
    ({ path, isHidden }) => !isHidden && (path.length > 1 || !isShortForm(program, path)),
  );
  return shown.map(({ command, path }) => sectionOf(program, command, path)).join('\n');
}

/**
 * @param {CommandUnknownOpts} program
 * @param {string[]} path
 */
function isShortForm(program, path) {
  const users = program.commands.find((command) => command.name() === 'users');
  return users?.commands.some((command) => command.name() === path[0]) ?? false;
}

/**
 * @param {CommandUnknownOpts} program
 * @param {CommandUnknownOpts} command
 * @param {string[]} path
 */
function sectionOf(program, command, path) {
  const short =
    path[0] === 'users' && isShortForm(program, path.slice(1)) ? ` (also \`tenant-users ${path[1]}\`)` : '';
  const help = command.createHelp();
  const terms = [
    ...help
      .visibleArguments(command)
      .map((argument) => [`<${argument.name()}>`, help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  ];
  const lines = terms.map(
    ([term, description]) =>
      `| \`${term?.replaceAll('|', '\\|')}\` | ${description?.replaceAll('|', '\\|')} |`,
  );
  const table = lines.length > 0 ? ['', '| | |', '|---|---|', ...lines] : [];
  return [
    `<details><summary><code>${path.join(' ')}</code>: ${command.description()}${short}</summary>`,
    '',
    '```',
    `tenant-users ${path.join(' ')} ${command.usage()}`,
    '```',
    ...table,
    '',
    '</details>',
    '',
  ].join('\n');
}
