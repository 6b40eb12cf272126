import type { CommandLine } from '../../../migration/report/report-data.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import type { CommandContext } from '../../context/context.ts';
import { canAsk } from '../../input/prompts.ts';

/** Options that are for one run only, and whether a value follows. */
const ofOneRun: Readonly<Record<string, boolean>> = {
  '--dry-run': false,
  '--rehearse': false,
  '--tenant': true,
  '--restart': false,
  '--only': true,
  '--yes': false,
  '-y': false,
};

/** Options that say which tenant, and whether a value follows. */
const ofConnection: Readonly<Record<string, boolean>> = {
  '--profile': true,
  '--base-url': true,
  '--local': true,
  '--config': true,
};

/** The command line of an import, in the parts that the commands after it are made of. */
export function commandLineOf(context: CommandContext): CommandLine {
  const words: string[] = [];
  const rehearsal: string[] = [];
  const connection: string[] = [];
  let isOver = false;
  for (let index = 0; index < context.args.length; index += 1) {
    const word = context.args[index] ?? '';
    isOver ||= word === '--';
    const [name = ''] = word.split('=', 1);
    const isOneRuns = !isOver && Object.hasOwn(ofOneRun, name);
    const hasValue = (isOneRuns ? ofOneRun[name] : ofConnection[name]) === true && name === word;
    const value = hasValue && isValue(name, context.args[index + 1]) ? [context.args[index + 1] ?? ''] : [];
    const group = [word, ...value].map(quoteWord);
    if (!isOver) index += value.length;
    if (isOneRuns) {
      if (name === '--tenant') rehearsal.push(...group);
      continue;
    }
    if (!isOver && Object.hasOwn(ofConnection, name)) connection.push(...group);
    words.push(...(isOver ? [quoteWord(word)] : group));
  }
  const isScript = context.options.yes === true || !canAsk(context);
  return { words, rehearsal, connection, consent: isScript ? ['--yes'] : [] };
}

/** The database of `--local` may be left out. */
function isValue(name: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  return name !== '--local' || !(next.startsWith('-') || next === 'import-hashes');
}
