import { resolve } from 'node:path';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import { type DifferenceCode, differenceCodes } from '../../model/outcome.ts';
import type { Summary } from '../../model/summary.ts';

const addKey =
  'If a name or an identifier of these rows has changed too, add --key with an identifier that is still the same.';

type Say = (users: number, isOne: boolean) => string;

/** Without the earlier job, a plan changes back whoever was changed since; that of a shard does not know the other rows. */
const mergeFirst =
  'First merge the shards: tenant-users import-hashes merge. The merged job says with which command.';

/** `plan`: options of a plan of the file that does it; `isSince`: of the rows that were changed since the job, so that no other user is. */
interface Texts {
  what: Say;
  advice: Say;
  plan?: readonly string[];
  isSince?: true;
}

/**
 * What is said of users of a job who differ from the rows of its corrected file, by the way in which they do; and what to do. A live dry
 * run says the same of users who are disabled.
 */
const texts: Readonly<Record<DifferenceCode, Texts>> = {
  DISABLE: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'stays' : 'stay'} enabled, although the file now says that ${isOne ? 'this person' : 'they'} may not log in: an import disables only users whom it creates.`,
    advice: (users) =>
      `Disable ${thoseUsers(users)} with a plan (DISABLE in failures.csv), and apply it. ${addKey}`,
    plan: ['--only', 'disable'],
  },
  LEFT_OUT: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} of this job ${isOne ? 'is' : 'are'} left out by the recipe now (skip:), and can still log in: an import disables only users whom it creates.`,
    advice: (users) =>
      `Disable ${thoseUsers(users)}: write the user_id of each row with LEFT_OUT in failures.csv into a file, a line each, for tenant-users disable --from FILE.`,
  },
  HASH_CHANGED: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'keeps' : 'keep'} the hash that was sent first, although ${isOne ? 'the row has' : 'their rows have'} another one now: the API cannot replace a hash. ${isOne ? 'This person needs' : 'These people need'} a new password, unless the first hash was right.`,
    advice: (users, isOne) =>
      `Let ${thoseUsers(users)} reset ${isOne ? 'the password' : 'their passwords'}, and tell them so (HASH_CHANGED in failures.csv).`,
  },
  HASH_UNKNOWN: {
    what: (users, isOne) =>
      `It is not known which hash was sent for ${formatCount(users, 'user')} of this job, and the API cannot replace a hash. ${isOne ? 'This person needs' : 'These people need'} a new password if ${isOne ? 'the hash was' : 'their hashes were'} corrected since.`,
    advice: (users, isOne) =>
      `Find out whether ${thoseUsers(users)} can log in (HASH_UNKNOWN in failures.csv), and let ${isOne ? 'this person reset the password' : 'them reset their passwords'} otherwise.`,
  },
  MUST_MODIFY_CHANGED: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'keeps' : 'keep'} pwd_must_modify as it was sent first, although ${isOne ? 'the row has' : 'their rows have'} another value now: the API cannot change it.`,
    advice: (users) =>
      `Put back pwd_must_modify of ${thoseUsers(users)}, which stays as it was sent (MUST_MODIFY_CHANGED in failures.csv).`,
  },
  VALUES_CHANGED: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'keeps' : 'keep'} the values that were sent first, although ${isOne ? 'the row has' : 'their rows have'} others now: an import changes no existing user.`,
    advice: (users) =>
      `Change ${thoseUsers(users)} with a plan (VALUES_CHANGED in failures.csv), and apply it. FIELD is an identifier that is still the same in these rows, such as user_name. If a plan of this file was applied since, name the directory of the latest one with --since.`,
    plan: ['--only', 'update', '--update', '--key', 'FIELD'],
    isSince: true,
  },
  ENABLE: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'stays' : 'stay'} disabled, although the file does not say so: the API cannot enable a user again.`,
    advice: (users) =>
      `Ask the operator of the service to enable ${thoseUsers(users)} (ENABLE in failures.csv).`,
  },
};

/**
 * Returns what is said for each way in which users differ, what to do, and the options of a plan that does it. `stayedEnabled`: users
 * whom the import created and could not disable; others with that code were there before.
 */
export function textsOfDifferences(
  { codes = {}, job = '', shard }: Partial<Pick<Summary, 'codes' | 'job' | 'shard'>>,
  stayedEnabled = 0,
) {
  const left = (codes.NOT_DISABLED ?? 0) - stayedEnabled;
  return differenceCodes.flatMap((code) => {
    const { [code]: users = 0 } = codes;
    if (users === 0) return [];
    const { what, advice, plan, isSince } = texts[code];
    const isOfShard = isSince && shard !== undefined;
    const since = isSince ? ['--since', quotePath(resolve(job))] : [];
    const disabled = code === 'DISABLE' && left > 0 ? ` ${disablesToo(left)}` : '';
    const too = isOfShard ? ` ${mergeFirst}` : disabled;
    return [
      {
        what: what(users, users === 1),
        advice: `${advice(users, users === 1)}${too}`,
        plan: isOfShard ? undefined : plan && [...plan, ...since],
      },
    ];
  });
}

function disablesToo(users: number): string {
  const [who, them] = users === 1 ? ['who was', 'this person'] : ['who were', 'them'];
  return `The plan disables also ${formatCount(users, 'user')} ${who} there before (NOT_DISABLED): check ${them} in the old system first, and take the rows of those who stay out of the file.`;
}

function thoseUsers(count: number): string {
  return count === 1 ? 'the user' : `the ${formatCount(count, 'user')}`;
}
