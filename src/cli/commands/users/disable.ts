import type { Client } from '../../../client/client.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { connect, sayTarget } from '../../connection/connect.ts';
import { needsConsent, noMessages, requireConsent } from '../../connection/consent.ts';
import { withConnection } from '../../context/connection-options.ts';
import { type AddCommand, type CommandContext, canAsk } from '../../context/context.ts';
import type { Description } from '../../errors/describe-error.ts';
import { ReportedError, UsageError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { recordChange } from '../../log/write-log.ts';
import { isBrief, say, sayBesideIds, show, wantsFields } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';
import { addBulkOptions, givenForOne, runBulk } from './bulk.ts';
import { findTargets, readUserIds, type Target } from './selection/find-targets.ts';
import { addFinders, adviceOnId, askFinder, finderFlags, givenFinders } from './selection/finders.ts';

const help = `
Takes any number of ids and finders. It lists the users that it found and asks once: y or n, or
the host of the tenant for more than 100 users or a tenant that is not on this machine. In a script,
add --yes; --local does not ask. Users who are not found are reported (exit code 7; 5 if only one
user was named), users who were already disabled count as unchanged, and three users in a row without
an answer end it (9). Several users can have the same external ID: --by-external-id reads every user,
and refuses an ID that does not name one person. Without a user it asks for one, on a terminal only.

Examples:
  $ tenant-users disable 20201028102749564-9082-DC8CD2722
  $ tenant-users disable --by-email ann@example.com --by-email bob@example.com
  $ tenant-users disable --from leavers.txt --yes --json
  $ tenant-users disable --csv leavers.csv --key email`;

export const addUsersDisable: AddCommand = (parent, context) => {
  const command = parent
    .command('disable')
    .description('Disable users; the API cannot enable them again')
    .argument('[user_ids...]', 'user ids')
    .optionsGroup('Which users:')
    .option('--from <file>', 'read user ids from a file, one per line (- for standard input)')
    .addHelpText('after', help)
    .action(async (userIds, { from }) => {
      if (await runBulk(context, 'disable', command)) return;
      const isNamed = givenForOne(command).length > 0;
      if (!isNamed && !canAsk(context)) {
        throw new UsageError('no user is given', `Give a USER_ID or one of ${finderFlags}, --from.`);
      }
      const ids = await readUserIds(context, userIds, from);
      sayTarget(context);
      const client = await connect(context);
      const finders = isNamed ? givenFinders(command) : [await askFinder(context)];
      const named = [...ids.map((given) => ({ field: 'user_id', given }) as const), ...finders];
      const targets = await whileWorking(context, 'Looking up users', (report) =>
        findTargets(client, named, report),
      );
      await agree(
        context,
        targets.filter(({ user }) => user && !user.disabled),
      );
      // From here on, an interruption takes effect between two users, so that what was done is reported.
      context.handlesSignals = true;
      const results: DisableResult[] = [];
      for (const target of targets) {
        if (context.signal.aborted) break;
        const result = await disableOne(context, client, target);
        results.push(result);
        if (whyEnded(results)) break;
      }
      const tried = results.at(-1);
      const why = whyEnded(results);
      const left = context.signal.aborted ? [] : targets.slice(results.length);
      // Who was not found, or is disabled already, needs no call.
      const needsCall = ({ user }: Target) => user?.disabled === false;
      for (const target of left)
        results.push(
          needsCall(target) ? untried(target, why, tried) : await disableOne(context, client, target),
        );
      const failed = results.filter(({ ok }) => !ok);
      // A table has no room for it in a terminal of usual width.
      const isOnScreen = context.stdout.isTTY === true && !wantsFields(context);
      const shown = results.filter(({ ok }) => ok || !isBrief(context));
      await show(context, {
        rows: shown.map(({ exitCode: _, mayBeDisabled: __, ...result }) => result),
        list: { name: 'results' },
        columns: [
          ...(finders.length > 0 ? ['given'] : []),
          ...['user_id', 'ok', 'action'],
          ...(isOnScreen ? [] : ['error.message']),
        ],
        whole: ['user_id'],
        id: 'user_id',
      });
      if (isBrief(context) || isOnScreen) for (const one of failed) reportFailure(context, one);
      say(context, countsOf(results, targets.length, why, left.filter(needsCall).length));
      for (const advice of new Set(failed.flatMap(adviceOn))) say(context, advice);
      context.signal.throwIfAborted();
      if (failed.length > 0) {
        const { exitCode: last } = tried ?? {};
        const isOfAll = results.length === 1 || why !== undefined;
        throw new ReportedError(isOfAll && last !== undefined ? last : exitCodes.partlyDone);
      }
    });
  addFinders(command, { repeatable: true });
  addBulkOptions(context, command);
};

interface DisableResult {
  user_id: string | null;
  given?: string;
  ok: boolean;
  /** Absent if it failed. `unchanged`: the user was disabled before. */
  action?: 'disabled' | 'unchanged';
  error?: Omit<Description, 'exitCode'>;
  exitCode?: number;
  /** True if the change was sent, and no answer says what became of it. */
  mayBeDisabled?: boolean;
}

/** Why no more users are tried; `undefined` if they are. Many rejected tokens may lock the application out. */
function whyEnded(results: readonly DisableResult[]): string | undefined {
  if (results.at(-1)?.exitCode === exitCodes.authentication) return 'the service rejects the token';
  const latest = results.slice(-fewestFailures);
  const isGone = latest.every(({ exitCode }) => exitCode === exitCodes.network);
  return isGone && latest.length === fewestFailures ? 'the service does not answer' : undefined;
}

/** Returns the result of a user who was not tried because of what became of the `last` one that was. */
function untried(target: Target, why: string | undefined, last: DisableResult | undefined): DisableResult {
  const retryable = last?.exitCode === exitCodes.network;
  const error = { code: last?.error?.code ?? '', message: `not tried, because ${why}`, status: null };
  return { ...namesOf(target), ok: false, error: { ...error, retryable, hint: '' } };
}

/** Users in a row without an answer after which the service counts as gone: each takes some seconds. */
const fewestFailures = 3;

function countsOf(
  results: readonly DisableResult[],
  targets: number,
  why: string | undefined,
  left: number,
): string {
  const count = (action: DisableResult['action']) => results.filter((one) => one.action === action).length;
  const before = count('unchanged');
  const others = before === 0 ? '' : `; ${before} ${before === 1 ? 'was' : 'were'} disabled before`;
  const unanswered = results.filter((one) => one.mayBeDisabled).length;
  const open = unanswered === 0 ? '' : `; ${unanswered} got no clear answer, and may be disabled`;
  const rest = why && left > 0 ? `; ${why}, so ${left} ${left === 1 ? 'was' : 'were'} not tried` : '';
  return `${count('disabled')} of ${targets} disabled${others}${open}${rest}`;
}

/** Reports a failure where the result does not say why: with --quiet it has only ids, on a terminal no message. */
function reportFailure(context: CommandContext, { given, user_id, error }: DisableResult): void {
  sayBesideIds(context, `${given ?? user_id ?? ''}: ${error?.message ?? ''}`);
}

/** Advice where it is not certain who is meant, or about the finder that was probably meant instead of an id. */
function adviceOn({ user_id, error }: DisableResult): string[] {
  if (error?.code === 'UNCERTAIN_USER') return [error.hint ?? []].flat();
  const isUnknown = user_id !== null && error?.code === errorCatalogue.userNotFound.code;
  return isUnknown ? [adviceOnId(user_id) ?? []].flat() : [];
}

function namesOf({ user_id, given }: Pick<Target, 'user_id' | 'given'>) {
  return { user_id: user_id ?? null, ...(given === undefined ? {} : { given }) };
}

async function disableOne(context: CommandContext, client: Client, target: Target): Promise<DisableResult> {
  const { user_id, user, failure } = target;
  const named = namesOf(target);
  context.unanswered = undefined;
  try {
    if (user === undefined || user_id === undefined) throw failure;
    if (user.disabled) return { ...named, ok: true, action: 'unchanged' };
    const change = { command: 'disable', userId: user_id, outcome: 'disabled' } as const;
    await recordChange(context, change, () => client.disableUser(user_id));
    return { ...named, ok: true, action: 'disabled' };
  } catch (cause) {
    const { describeError } = await import('../../errors/describe-error.ts');
    const { exitCode, ...described } = describeError(cause);
    const mayBeDisabled = context.unanswered !== undefined;
    const advice = mayBeDisabled
      ? `The user may be disabled. To see it: tenant-users get ${quoteWord(user_id ?? '')}`
      : described.hint;
    const error = { ...described, hint: withConnection(context, advice) };
    return { ...named, ok: false, error, exitCode, mayBeDisabled };
  }
}

/** Maximum number of users shown before the question; more would push it off the screen. */
const mostShown = 20;

async function agree(context: CommandContext, found: readonly Target[]): Promise<void> {
  if (found.length === 0 || !needsConsent(context)) return;
  const shown = found.slice(0, mostShown).map(({ user_id, user }) => {
    return `  ${[user_id, user?.user_name, user?.name].filter(Boolean).join('  ')}`;
  });
  const more = found.length - shown.length;
  const preview = [
    ...shown,
    ...(more > 0 ? [`  … and ${formatCount(more)} more`] : []),
    `The API cannot enable a user again: disabling is permanent. ${noMessages}`,
  ];
  for (const line of preview) say(context, line);
  await requireConsent(context, {
    users: found.length,
    what: `disable ${formatCount(found.length, 'user')}`,
    refused: 'nothing was disabled',
    preview,
  });
}
