import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import type { Identity } from '../../../migration/hashes/identify.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { askSecret } from '../../input/prompts.ts';
import { readText } from '../../input/read-input.ts';
import { formatOf, say, show } from '../../output/show.ts';

/** What a line of the input can be. */
interface IdentifiedLine extends Identity {
  /** From 1. */
  line: number;
}

/** tenant-users hash identify */
export function addHashIdentify(parent: Command, context: CommandContext): void {
  parent
    .command('identify')
    .description('Identify hash formats and whether the API accepts them')
    .argument('[file]', 'file with one hash per line (default: standard input or a hidden prompt)')
    .addHelpText(
      'after',
      `
A hash is a secret: it is never passed as an argument and never printed. Results refer to lines by
number. Digests of the same length look alike: use hash verify to find out which one it is.

Examples:
  $ tenant-users hash identify hashes.txt
  $ cut -d, -f3 legacy.csv | tail -n +2 | tenant-users hash identify --json`,
    )
    .action(async (file) => {
      const { identify } = await import('../../../migration/hashes/identify.ts');
      const texts = await linesOf(context, file);
      const hashes = texts.flatMap((text, index): IdentifiedLine[] =>
        text === '' ? [] : [{ line: index + 1, ...identify(text) }],
      );
      if (hashes.length === 0) throw new UsageError('no hashes given', 'Write one hash per line.');
      const isDeep = ['json', 'jsonl'].includes(formatOf(context));
      await show(context, {
        rows: isDeep ? hashes : hashes.flatMap(rowsOf),
        list: { name: 'hashes' },
        columns: ['line', 'algorithm', 'format', 'accepted', 'sure', 'damage'],
      });
      const known = hashes.filter(({ kinds }) => kinds.some(({ accepted }) => accepted)).length;
      say(context, `${hashes.length} hashes checked, ${known} in a format that the API accepts`);
    });
}

async function linesOf(context: CommandContext, file: string | undefined): Promise<string[]> {
  if (file === undefined && context.stdin.isTTY) return [await askSecret(context, 'Hash', 'a file')];
  return (await readHashes(context, file ?? '-')).replace(/^\uFEFF/, '').split(/\r?\n/);
}

/** A row for each thing that a line can be. */
function rowsOf({ line, kinds, damage }: IdentifiedLine): object[] {
  if (kinds.length === 0) return [{ line, format: 'unknown format', accepted: false }];
  return kinds.map((kind) => ({ line, ...kind, damage: damage.join('+') }));
}

/** Reads a file of hashes, or standard input for `-`. A hash instead of the file's name is not repeated. */
async function readHashes(context: CommandContext, file: string): Promise<string> {
  await refuseHashAsFile(file);
  return readText(context, file);
}

/** Throws a `UsageError` where a file is named that is not there, by a name that is a hash itself. */
export async function refuseHashAsFile(file: string): Promise<void> {
  const { identify } = await import('../../../migration/hashes/identify.ts');
  if (identify(file).kinds.length === 0 || existsSync(file)) return;
  throw new UsageError(
    'expected a file name, but got a hash',
    'Put the hash in a file or on standard input: other users can see arguments, and the shell keeps them in its history.',
  );
}
