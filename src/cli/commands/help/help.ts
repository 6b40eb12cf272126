import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { unknownCommand } from '../../errors/unknown-command.ts';
import { type TopicName, topicNames } from '../../help/topic-names.ts';
import { linesFor, write } from '../../output/show.ts';
import { paint } from '../../output/styles.ts';

const help = `
Examples:
  $ tenant-users help list
  $ tenant-users help import-hashes status
  $ tenant-users help environment`;

export const addHelp: AddCommand = (parent, context) => {
  parent.helpCommand(false);
  parent
    .command('help')
    .description(`Help on a command, or on a topic: ${Object.keys(topicNames).join(', ')}`)
    .argument('[words...]', 'command or topic')
    .addHelpText('after', help)
    .action(async (words) => {
      const [first = ''] = words;
      if (words.length === 1 && Object.hasOwn(topicNames, first)) {
        return showTopic(context, first as TopicName);
      }
      let command: CommandUnknownOpts = parent;
      for (const [at, word] of words.entries()) {
        const next = command.commands.find((one) => one.name() === word);
        if (!next) {
          const known = command.commands.map((one) => one.name());
          throw unknownCommand(word, words.slice(0, at).join(' '), known);
        }
        command = next;
      }
      command.outputHelp();
    });
};

async function showTopic(context: CommandContext, name: TopicName): Promise<void> {
  const { topics } = await import('../../help/topics.ts');
  const parts = topics[name].map((part) => {
    if (typeof part === 'string') return linesFor(context, part, 'stdout');
    return part.map(([term, meaning]) => entryOf(context, term, meaning)).join('\n');
  });
  await write(context.stdout, `${parts.join('\n\n')}\n`);
}

/** A term, and its meaning indented below. */
function entryOf(context: CommandContext, term: string, meaning: string): string {
  const indent = 4;
  const text = linesFor(context, `${' '.repeat(indent)}${meaning}`, 'stdout', indent);
  return `${paint(context, 'stdout', 'bold', linesFor(context, term, 'stdout'))}\n${text}`;
}
