import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { table } from './markdown-table.ts';
import { runnableCommands } from './runnable-commands.mjs';

/** Every command, as its help describes it. */
export function commandReference(program: CommandUnknownOpts): string {
  const shown = runnableCommands(program).filter(
    ({ path, isHidden }) => !isHidden && (path.length > 1 || !isShortForm(program, path)),
  );
  const index = shown.map(({ command, path }) => {
    const name = path.join(' ');
    return [`[\`${name}\`](#${name.replaceAll(' ', '-')})`, command.description()];
  });
  return [
    table(['command', 'does'], index),
    '## Global options',
    'Accepted before and after every command.',
    optionTable(program, program),
    ...shown.map(({ command, path }) => sectionOf(program, command, path)),
  ].join('\n\n');
}

function isShortForm(program: CommandUnknownOpts, path: readonly string[]): boolean {
  const users = program.commands.find((command) => command.name() === 'users');
  return users?.commands.some((command) => command.name() === path[0]) ?? false;
}

function sectionOf(
  program: CommandUnknownOpts,
  command: CommandUnknownOpts,
  path: readonly string[],
): string {
  const isUsers = path[0] === 'users' && isShortForm(program, path.slice(1));
  const note = afterHelp(command);
  return [
    `## ${path.join(' ')}`,
    `${command.description()}.${isUsers ? ` Also \`tenant-users ${path[1]}\`.` : ''}`,
    `\`\`\`\ntenant-users ${path.join(' ')} ${command.usage()}\n\`\`\``,
    optionTable(program, command),
    note === '' ? '' : `\`\`\`text\n${note}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The arguments, then the options in the groups of the help. */
function optionTable(program: CommandUnknownOpts, command: CommandUnknownOpts): string {
  const help = command.createHelp();
  const given = command === program ? [] : help.visibleArguments(command);
  const groups = new Map<string, string[][]>();
  const add = (group: string, row: string[]) => groups.set(group, [...(groups.get(group) ?? []), row]);
  for (const argument of given) add('', [`\`<${argument.name()}>\``, help.argumentDescription(argument)]);
  for (const option of help.visibleOptions(command).filter(({ long }) => long !== '--help')) {
    const heading = command === program ? '' : (option.helpGroupHeading ?? '');
    add(heading.replace(/:$/, ''), [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);
  }
  return [...groups]
    .map(
      ([heading, rows]) =>
        `${heading === '' ? '' : `**${heading}**\n\n`}${table(['option', 'meaning'], rows)}`,
    )
    .join('\n\n');
}

/** What the help has after its lists: notes and examples. */
function afterHelp(command: CommandUnknownOpts): string {
  let text = '';
  command.configureOutput({
    writeOut(written) {
      text += written;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  const after = text.slice(command.helpInformation().length);
  return after.replace(/^Global options, such as .*$/m, '').trim();
}
