import type { CommandLine } from '../../../migration/model/job.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { connectionWords } from '../../context/connection-options.ts';
import type { CommandContext } from '../../context/context.ts';
import { canAsk } from '../../input/prompts.ts';

/** Options that are for one run or one command only, and whether a value follows. */
const ofOneRun: Readonly<Record<string, boolean>> = {
  '--dry-run': false,
  '--live': false,
  '--rehearse': false,
  '--tenant': true,
  '--restart': false,
  '--only': true,
  '--report': true,
  '--yes': false,
  '-y': false,
};

/** The command line of an import, in the parts that later commands are built from. */
export function commandLineOf(context: CommandContext): CommandLine {
  const words: string[] = [];
  const rehearsal: string[] = [];
  let isOver = false;
  for (let index = 0; index < context.args.length; index += 1) {
    const word = context.args[index] ?? '';
    isOver ||= word === '--';
    const [name = ''] = word.split('=', 1);
    const isOneRuns = !isOver && Object.hasOwn(ofOneRun, name);
    if (!isOneRuns) {
      words.push(quoteWord(word));
      continue;
    }
    const value = ofOneRun[name] && name === word ? context.args.slice(index + 1, index + 2) : [];
    index += value.length;
    if (name === '--tenant') rehearsal.push(...[word, ...value].map(quoteWord));
  }
  const isScript = context.options.yes === true || !canAsk(context);
  return { words, rehearsal, connection: connectionWords(context), consent: isScript ? ['--yes'] : [] };
}
