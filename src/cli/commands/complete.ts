import { printable } from '../../text/printable.ts';
import type { AddCommand } from '../context/context.ts';
import { write } from '../output/show.ts';

/** Parts of the number in the answer's last line. Unless it includes `noFiles`, the shell's own completion of files follows. */
const directives = { noSpace: 2, noFiles: 4 };

/**
 * tenant-users complete: called by the scripts of `completion`, not by people. Prints one word per line, with a tab and
 * its description, then `:` and the directive. Never fails and never prints a notice, because a person is typing.
 */
export const addComplete: AddCommand = (parent, context) => {
  parent
    .command('complete', { hidden: true })
    .description('Answer the completion script of a shell')
    .argument('[words...]', 'words of the command line, the last one up to the cursor')
    .option('--bash <word_breaks>', 'the only word is a line of bash; the answer is quoted for it')
    .option('--word <text>', 'the last word, where a shell cannot pass an empty one')
    .addHelpText('after', '\nExample:\n  $ tenant-users complete -- profiles use ""')
    .allowUnknownOption()
    .action(async (words, { bash, word }) => {
      const { completeWords } = await import('../completion/complete-words.ts');
      const { bashText, readBashLine } = await import('../completion/bash-line.ts');
      const line = bash === undefined ? undefined : readBashLine(words[0] ?? '', bash);
      const given = line
        ? [...line.before.slice(1), line.current]
        : [...words, ...(word === undefined ? [] : [word])];
      const found = await completeWords(context, parent, given.slice(0, -1), given.at(-1) ?? '');
      const lines = found.candidates.flatMap(({ value, description }) => {
        // A word that is unsafe for a terminal is not offered.
        if (printable(value) !== value) return [];
        const text = line ? bashText(value, line) : `${value}\t${printable(description)}`;
        return text === undefined ? [] : [text];
      });
      const directive = (found.open ? directives.noSpace : 0) + (found.files ? 0 : directives.noFiles);
      await write(context.stdout, [...lines, `:${directive}\n`].join('\n'));
    });
};
