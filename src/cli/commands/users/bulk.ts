import { basename } from 'node:path';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { CodedError } from '../../../contract/coded-error.ts';
import type { KeyField } from '../../../migration/actions/keys.ts';
import type { ChangingKind } from '../../../migration/actions/reasons.ts';
import type { RowLimit } from '../../../migration/model/row-limit.ts';
import type { FileReading } from '../../../migration/plan/document/plan-schemas.ts';
import type { SendingWindow } from '../../../migration/rate-limit/sending-window.ts';
import type { ColumnOptions } from '../../../migration/rows/fields/column-options.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath, quoteWord } from '../../../text/shell-quote.ts';
import { sayTarget } from '../../connection/connect.ts';
import { givenOptions, wordsOf } from '../../context/command-line.ts';
import type { CommandContext } from '../../context/context.ts';
import { AdvisedError, UsageError } from '../../errors/errors.ts';
import { parseMapping } from '../../input/option-parsers.ts';
import { runOptions } from '../../input/run-options.ts';
import { say } from '../../output/show.ts';
import { applyDirectory } from '../plan/apply.ts';
import { decideFile } from '../plan/decide-file.ts';
import { findRunDirectory } from './find-run-directory.ts';

/** The options of a command that does the same for every row of a file. */
interface BulkOptions {
  csv?: string;
  key?: KeyField;
  map?: ColumnOptions['map'];
  ignoreUnknown?: true;
  to?: string;
  acceptDrift?: number;
  maxFailures?: RowLimit;
  rate?: number;
  window?: SendingWindow;
  /** Of `create` only. */
  mustModify?: boolean;
}

const ofMany = 'Many users:';

const bulkOptions = (context: CommandContext) => [
  new Option('--csv <file>', 'do it for every row of a file, as plan reads it'),
  runOptions.key('all identifiers and the name'),
  new Option('--map <field=column>', 'read a field from this column (repeatable)').argParser(parseMapping),
  new Option('--ignore-unknown', 'ignore unknown columns'),
  new Option('--to <directory>', 'for plan and results (default: <file name>.<command>)'),
  runOptions.acceptDrift(),
  runOptions.maxFailures(),
  runOptions.rate(),
  runOptions.window(context),
];

/** Adds the options for many users to a command. */
export function addBulkOptions(context: CommandContext, command: CommandUnknownOpts): void {
  for (const option of bulkOptions(context)) command.addOption(option.helpGroup(ofMany));
}

/**
 * Runs a command for many users if there is `--csv`: makes a plan of one kind of change, shows it, asks for consent, and applies
 * it. Returns false without `--csv`. Throws a `UsageError`, also for what is for one user only.
 */
export async function runBulk(context: CommandContext, only: ChangingKind, command: CommandUnknownOpts) {
  const options: BulkOptions = command.opts();
  const { csv, key, map = [], ignoreUnknown, to, rate } = options;
  if (csv === undefined) {
    requireNone('requires --csv', givenOf(command, true));
    return false;
  }
  const alsoForMany = ['--no-must-modify'];
  requireNone(
    'cannot be used with --csv',
    givenForOne(command).filter((name) => !alsoForMany.includes(name)),
  );
  const set = options.mustModify === false ? [{ field: 'pwd_must_modify', value: 'false' }] : undefined;
  const speed = { concurrency: 'auto', rate } as const;
  sayTarget(context);
  const { directory, isBegun } = await findRunDirectory(csv, only, to ?? `${basename(csv)}.${only}`);
  if (!isBegun) {
    const reading: FileReading = {
      map,
      allowPasswordless: true,
      // Hashes matter only if users are created.
      ...(only === 'create' ? {} : { foreignHashes: 'passwordless', algorithm: 'infer' }),
      ...(ignoreUnknown ? { ignoreUnknown } : {}),
      ...(set ? { set } : {}),
    };
    const disableAll = only === 'disable';
    const deciding = { file: csv, directory, reading, only, disableAll, by: key, ...speed };
    const plan = await decideFile(context, only, deciding).catch(async (failure: unknown) => {
      throw await adviseOnPlan(context, command, deciding, failure);
    });
    const { invalid } = plan.totals;
    const showInvalid = `tenant-users plan show ${quotePath(directory)} --action invalid`;
    if (invalid > 0)
      say(
        context,
        `${formatCount(invalid, 'row')} cannot be sent; for the codes, see\n  ${showInvalid}\nIf a code needs --accept or --recipe, which ${command.name()} does not have, make a plan instead, and apply that:\n  ${await planInstead(context, deciding)}`,
      );
  } else await requireSameReading(directory, { key, map, ignoreUnknown, set });
  const { acceptDrift, maxFailures, window } = options;
  const choices = { jobDirectory: directory, file: csv, acceptDrift, maxFailures, window, ...speed };
  await applyDirectory(context, choices, only).catch(async (failure: unknown) => {
    throw isBegun ? await adviseOnBegun(directory, csv, failure) : failure;
  });
  return true;
}

/** A run that was interrupted, and whose file is another one now, with the two ways out. Any other failure is as it was. */
async function adviseOnBegun(directory: string, file: string, failure: unknown): Promise<unknown> {
  if (!(failure instanceof CodedError && failure.code === 'PLAN_FILE')) return failure;
  const { readEarlierRun } = await import('../../../migration/records/read-earlier-run.ts');
  const unsent = (await readEarlierRun(directory))?.unsent ?? 0;
  const left = `${formatCount(unsent, 'row')} of it ${unsent === 1 ? 'has' : 'have'} no outcome`;
  return new AdvisedError(
    failure,
    `An interrupted run read ${basename(file)} as it was before: ${left}. To finish it, restore that file, or name it where it is now:
  tenant-users apply ${quotePath(directory)} --file FILE
To leave these rows as they are, rename the directory of that run, or name another for the file as it is now (--to). What the run was to do:
  tenant-users plan show ${quotePath(directory)}`,
  );
}

interface Deciding {
  file: string;
  reading: FileReading;
  only: ChangingKind;
  disableAll: boolean;
  by?: KeyField | undefined;
}

/** A fault of the file, with the plan that has the option which its message names. Any other failure is as it was. */
async function adviseOnPlan(
  context: CommandContext,
  command: CommandUnknownOpts,
  deciding: Deciding,
  failure: unknown,
): Promise<unknown> {
  if (!(failure instanceof CodedError && failure.code === 'SOURCE')) return failure;
  const own = command.options.map(({ long }) => long ?? '');
  const lacking = failure.message.match(/--[a-z-]+/g)?.find((name) => !own.includes(name));
  if (lacking === undefined) return failure;
  const plan = await planInstead(context, deciding, ['--to', '--rate']);
  const hint = `${command.name()} has no ${lacking}. Make a plan with it, and apply that:\n  ${plan}`;
  return new AdvisedError(failure, hint);
}

/** Returns the command that makes a plan of the same, and has more options. `words`: the options that it keeps. */
async function planInstead(
  context: CommandContext,
  { file, reading, only, disableAll, by }: Deciding,
  words: readonly string[] = ['--rate'],
): Promise<string> {
  const { readingWords } = await import('../../../migration/input/reading-words.ts');
  const options = [
    ...(disableAll ? ['--disable-all'] : ['--only', only]),
    ...(by === undefined ? [] : ['--key', by]),
    ...readingWords(reading),
    ...wordsOf(context, words),
  ];
  return ['tenant-users plan', quotePath(file), ...options.map(quoteWord)].join(' ');
}

/** What a command line has for one user: a user id, and every option but those for many users. */
export function givenForOne(command: CommandUnknownOpts): string[] {
  return [...(command.args.length > 0 ? ['a user id'] : []), ...givenOf(command, false)];
}

/** The options given that are for many users, or the others. */
function givenOf(command: CommandUnknownOpts, isOfMany: boolean): string[] {
  const given = givenOptions(command).filter((one) => (one.helpGroupHeading === ofMany) === isOfMany);
  return given.map(({ long }) => long ?? '');
}

function requireNone(why: string, [first]: readonly string[]): void {
  if (first !== undefined)
    throw new UsageError(`${first} ${why}`, 'Use one of the two forms: --help shows both.');
}

/** Throws a `UsageError` if the interrupted run of the directory reads the file in another way. */
async function requireSameReading(
  directory: string,
  given: {
    key: KeyField | undefined;
    map: ColumnOptions['map'];
    ignoreUnknown: true | undefined;
    set: ColumnOptions['set'];
  },
): Promise<void> {
  const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
  const { options, reading } = readPlan(directory);
  const other = [
    { what: 'with another --key', was: options.key, is: given.key ?? null },
    { what: 'with another --map', was: textOf(reading.map), is: textOf(given.map) },
    { what: 'with another --ignore-unknown', was: reading.ignoreUnknown, is: given.ignoreUnknown },
    { what: 'with another --no-must-modify', was: reading.set?.length, is: given.set?.length },
  ].find(({ was, is }) => was !== is);
  if (!other) return;
  throw new UsageError(
    `${directory} holds an interrupted run ${other.what}`,
    'Go on with that one by its own command, or name another directory with --to.',
  );
}

/** A mapping as a text that does not depend on the order of its options. */
function textOf(map: ColumnOptions['map'] = []): string {
  return JSON.stringify(map.map(({ field, column }) => [field, column]).sort());
}
