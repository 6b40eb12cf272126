import { release } from 'node:os';
import type { Client } from '../../client/client.ts';
import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import { localErrors } from '../../contract/errors.ts';
import type { Canary, CanaryList } from '../../migration/canaries/read-canaries.ts';
import { StoppedError } from '../../migration/model/errors.ts';
import type { CanaryLogins } from '../../migration/model/summary.ts';
import type { RampOptions } from '../../migration/open-run.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import type { RampChoice } from '../input/run-options.ts';

const device = { operating_sys_version: release(), device_ip: '127.0.0.1', device_fingerprint: 'canary' };

/** Where canaries log in: to the tenant of a rehearsal, or to the tenant after an import or a plan has created them. */
type LoginPlace = 'rehearsal' | 'import' | 'plan';

/** Answers to a login that say nothing about its password: the request or the application is refused, or the account waits. */
const saysNothing: ReadonlySet<string> = new Set([
  localErrors.requestInvalid.code,
  localErrors.bodyTooLarge.code,
  localErrors.mediaTypeNotSupported.code,
  localErrors.rateLimited.code,
  localErrors.deviceHeaderMissing.code,
  localErrors.applicationUnknown.code,
  localErrors.loginLocked.code,
]);

/** Answers of a tenant that has no login. */
const saysAbsent: ReadonlySet<string> = new Set([
  localErrors.noSuchEndpoint.code,
  localErrors.methodNotAllowed.code,
]);

/**
 * Logs every canary in with the old password. If the tenant has no login, only reads the canaries back, which proves
 * nothing about their passwords. Throws a `StoppedError` with the lines of those who cannot log in, or the line of the first
 * that could not be tried.
 */
async function tryCanaries(
  { signal }: CommandContext,
  client: Client,
  { name, list }: CanaryList,
  where: LoginPlace,
): Promise<CanaryLogins & { text: string }> {
  const refused: string[] = [];
  let mustChange = 0;
  let isLogin = true;
  for (const { line, userName, password } of list) {
    signal.throwIfAborted();
    try {
      if (isLogin) {
        const { status } = await client.logIn(userName, password, device);
        if (status !== 'SUCCESS') mustChange += 1;
        continue;
      }
    } catch (failure) {
      if (isAbsent(failure)) isLogin = false;
      else if (!(failure instanceof ApiError)) throw failure;
      else if (failure.effect === 'unknown' || failure.status < 400 || saysNothing.has(failure.code)) {
        if (refused.length > 0) break;
        throw notTried(`line ${line}: ${failure.message}`, name, where);
      } else {
        const isThere = where !== 'rehearsal' || (await hasUser(client, userName));
        refused.push(`line ${line}: ${isThere ? failure.message : 'the row of this user was not imported'}`);
        continue;
      }
    }
    const { disabled } = await client.getUserByUserName(userName);
    if (disabled) refused.push(`line ${line}: the user is disabled`);
  }
  if (refused.length > 0) throw cannotLogIn(refused, list, name, where);
  const canaries = list.length;
  if (isLogin) return { canaries, logins: 'accepted', text: describeLogins(canaries, mustChange) };
  const who = canaries === 1 ? '1 canary was' : `${formatCount(canaries)} canaries were`;
  const text = `${who} read back, and the tenant has no login to try: passwords are unproven on the tenant`;
  return { canaries, logins: 'unproven on the tenant', text };
}

/** Like `tryCanaries`, in the tenant of a rehearsal. Returns the `StoppedError` as `stoppedBy` instead of throwing it. */
export async function tryRehearsed(
  context: CommandContext,
  client: Client,
  canaries: CanaryList,
): Promise<{ text: string; stoppedBy?: StoppedError }> {
  try {
    return await tryCanaries(context, client, canaries, 'rehearsal');
  } catch (failure) {
    if (failure instanceof StoppedError) return { text: failure.message, stoppedBy: failure };
    throw failure;
  }
}

function isAbsent(failure: unknown): boolean {
  if (failure instanceof ApiError) return saysAbsent.has(failure.code);
  // A gateway may answer so for a path that it does not know. If it is the token, the look-up that follows fails too.
  if (failure instanceof AuthenticationError) return failure.status === 401;
  return failure instanceof NetworkError && failure.fault === 'notTheApi';
}

async function hasUser(client: Client, userName: string): Promise<boolean> {
  try {
    await client.getUserByUserName(userName);
    return true;
  } catch (failure) {
    if (failure instanceof ApiError) return false;
    throw failure;
  }
}

const onTenant = (corrected: string) =>
  `No other row was sent. The canaries stay, and the API cannot change their hashes. If the cause is in the tenant, remove it there: the same command tries them again. If it is in the file, correct it, ${corrected} and name other canaries; those users must get new passwords.`;

/** What to do about canaries that cannot log in. */
const remedies: Readonly<Record<LoginPlace, string>> = {
  rehearsal:
    'See failures.csv for rows that were not imported; fix the cause, or name other canaries, then rehearse again.',
  import: onTenant('use --only failed'),
  plan: onTenant('make a new plan in another directory (--to)'),
};

function cannotLogIn(refused: readonly string[], list: readonly Canary[], name: string, where: LoginPlace) {
  return new StoppedError(
    'CANARY_FAILED',
    `${refused.length} of ${list.length} canaries cannot log in to the ${where === 'rehearsal' ? where : 'tenant'} (${name}, ${refused.join('; ')})`,
    remedies[where],
  );
}

/** The login of a canary failed for another reason than the password. */
function notTried(what: string, name: string, where: LoginPlace): StoppedError {
  const again = 'Fix the cause; the same command tries the canaries again.';
  return new StoppedError(
    'CANARY_FAILED',
    `the login of a canary to the ${where === 'rehearsal' ? where : 'tenant'} could not be tried (${name}, ${what})`,
    `This says nothing about the passwords. ${where === 'rehearsal' ? '' : 'No other row was sent. '}${again}`,
  );
}

/** Describes the logins. An accepted password opens no session while it must be changed. */
function describeLogins(all: number, mustChange: number): string {
  if (mustChange === 0) return `${all} of ${all} canaries logged in with their old passwords`;
  const who = mustChange < all ? `${mustChange}` : all === 1 ? 'it' : `all ${all}`;
  return `${all} of ${all} passwords accepted, ${who} must be changed first (pwd_must_modify)`;
}

/** The options of a run that sends its rows in stages, with a notice after each stage. `by`: what creates the canaries. */
export function rampOf(
  context: CommandContext,
  client: Client,
  by: LoginPlace,
  { stages, withCanaries }: RampChoice,
  canaries: CanaryList | undefined,
  sayLine: (text: string) => void,
): RampOptions {
  return {
    stages,
    onStage: ({ name, rows, failed }) =>
      sayLine(`Stage ${name}: ${formatCount(rows, 'row')} ended, ${formatCount(failed)} failed`),
    ...(withCanaries && canaries
      ? {
          async tryCanaries(list) {
            const { text, ...logins } = await tryCanaries(context, client, { ...canaries, list }, by);
            sayLine(text);
            return logins;
          },
        }
      : {}),
  };
}
