import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HashUse, Identity } from '../../../migration/hashes/identity.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { addMappingOptions, readFileOptions } from '../../input/file-options.ts';
import { nameOf, readSecret, readText } from '../../input/read-input.ts';
import { formatOf, say, show, warn } from '../../output/show.ts';
import { type CsvOptions, refuseHashAsFile, requireCsv } from './verify.ts';

type IdentifiedLine = Identity & { line: number };

export const addHashIdentify: AddCommand = (parent, context) => {
  const command = parent
    .command('identify')
    .description('Identify hash formats and whether the API accepts them')
    .argument('[file]', 'file with one hash per line (default: standard input or a hidden prompt)')
    .option('--csv <file>', 'take the hashes from a CSV file, as import-hashes reads it');
  addMappingOptions(command)
    .addHelpText(
      'after',
      `
A hash is a secret: it is never passed as an argument and never printed. Results refer to lines by
number; a table of more than ${mostLines} hashes counts them by format. "use" says what an import does with it: as-is,
strip (a known prefix is removed), no (the users need a new password; --json says more). Digests of the same length look
alike: use hash verify to find out which one it is. The options for file and columns are for --csv.

Examples:
  $ tenant-users hash identify hashes.txt
  $ tenant-users hash identify --csv legacy.csv --map hash=pwd`,
    )
    .action((file, options) => identifyAll(context, file, options));
};

/** Maximum hashes that a table lists; more are counted by format. */
const mostLines = 100;
/** Hashes that are processed at a time; in between, signals are handled. */
const batch = 200;

async function identifyAll(
  context: CommandContext,
  file: string | undefined,
  options: CsvOptions & { csv?: string },
): Promise<void> {
  requireCsv(options.csv, options);
  if (file !== undefined && options.csv !== undefined)
    throw new UsageError('a file of hashes and --csv cannot be used together');
  const { identify } = await import('../../../migration/hashes/identify.ts');
  const hashes: IdentifiedLine[] = [];
  for await (const { line, text } of linesOf(context, file, options)) {
    if (text === '') continue;
    hashes.push({ line, ...identify(text) });
    if (hashes.length % batch === 0) await nextTurn();
    context.signal.throwIfAborted();
  }
  if (hashes.length === 0) throw new UsageError('no hashes given', 'Write one hash per line.');
  if (formatOf(context) === 'table' && hashes.length > mostLines && !context.options.columns) {
    await show(context, {
      rows: summaryOf(hashes),
      columns: ['hashes', 'format', 'use', 'damage', 'first_lines'],
      whole: ['hashes', 'use'],
    });
  } else {
    const isDeep = ['json', 'jsonl'].includes(formatOf(context));
    await show(context, {
      rows: isDeep ? hashes : hashes.flatMap(rowsOf),
      list: { name: 'hashes' },
      columns: ['line', 'algorithm', 'format', 'sure', 'use', 'damage'],
    });
  }
  const known = hashes.filter(({ use }) => use === 'as-is' || use === 'strip').length;
  say(
    context,
    `${hashes.length === 1 ? '1 hash' : `${formatCount(hashes.length)} hashes`} checked, ${formatCount(known)} in a format that the API accepts`,
  );
}

async function* linesOf(
  context: CommandContext,
  file: string | undefined,
  { csv, ...options }: CsvOptions & { csv?: string },
): AsyncGenerator<{ line: number; text: string }, void> {
  if (csv === undefined) {
    yield* (await textsOf(context, file ?? '-')).map((text, index) => ({ line: index + 1, text }));
    return;
  }
  await refuseHashAsFile(csv);
  const { readPasswords } = await import('../../../migration/input/read-row-password.ts');
  // Any algorithm will do, because only the column of hashes is read.
  const { signal } = context;
  const onOpen = (text: string) => warn(context, text);
  const how = { ...(await readFileOptions(context, options)), algorithm: 'md5', signal, onOpen } as const;
  for await (const list of readPasswords(csv, how)) {
    yield* list.filter(({ isWhole }) => isWhole).map(({ line, value }) => ({ line, text: value }));
  }
}

async function textsOf(context: CommandContext, file: string): Promise<string[]> {
  if (file === '-' && context.stdin.isTTY) return [await readSecret(context, file, 'hash')];
  await refuseHashAsFile(file);
  const lines = (await readText(context, file)).split(/\r?\n/);
  if (header.test(lines[0] ?? '')) {
    throw new UsageError(
      `${nameOf(file)} is a CSV file, not a list of hashes`,
      'Use --csv FILE, with --map hash=COLUMN where its column has another name.',
    );
  }
  return lines;
}

/** Matches the header of a CSV file: several names. */
const header = /^"?\p{L}[\p{L}\d _.-]*"?(?:[,;\t]"?\p{L}[\p{L}\d _.-]*"?)+$/u;

/** The rows of a line: one for each kind of hash that it can be. */
function rowsOf({ line, kinds, damage, use }: IdentifiedLine): object[] {
  if (kinds.length === 0) return [{ line, format: 'unknown format', use }];
  return kinds.map(({ accepted, ...kind }) => ({
    line,
    ...kind,
    use: accepted ? use : 'no',
    damage: damage.join('+'),
  }));
}

/** Number of lines that are named for each format. */
const firstLines = 3;

/** One row for each format and its damage, most frequent first. */
function summaryOf(hashes: readonly IdentifiedLine[]): object[] {
  const groups = new Map<
    string,
    { hashes: number; format: string; use: HashUse; damage: string; lines: number[] }
  >();
  for (const { line, kinds, use, damage: faults } of hashes) {
    const format = kinds.map((kind) => kind.format).join(' or ') || 'unknown format';
    const damage = faults.join('+');
    const key = `${format} ${damage}`;
    const group = groups.get(key) ?? { hashes: 0, format, use, damage, lines: [] };
    group.hashes += 1;
    if (group.lines.length < firstLines) group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((one, other) => other.hashes - one.hashes)
    .map(({ lines, ...group }) => ({ ...group, first_lines: lines.join(', ') }));
}
