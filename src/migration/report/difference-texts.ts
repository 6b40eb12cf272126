import { formatCount } from '../../text/format-count.ts';
import { type DifferenceCode, differenceCodes } from '../model/outcome.ts';
import type { Summary } from '../model/summary.ts';

type Say = (users: number, isOne: boolean) => string;

/** What is said of users of a job who differ from the rows of its corrected file, by the way in which they do; and what to do. */
const texts: Readonly<Record<DifferenceCode, { what: Say; advice: Say }>> = {
  DISABLE: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'stays' : 'stay'} enabled, although the file now says that ${isOne ? 'this person' : 'they'} may not log in: an import disables only users whom it creates.`,
    advice: (users) =>
      `Disable ${thoseUsers(users)} with a plan (DISABLE in failures.csv): tenant-users plan with the file and its options, then apply. If other values of these rows have changed too, add --key with an identifier that is still the same.`,
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
      `Change ${thoseUsers(users)} with a plan (VALUES_CHANGED in failures.csv): tenant-users plan with the file and its options, --update, and --key with an identifier that is still the same; then apply.`,
  },
  ENABLE: {
    what: (users, isOne) =>
      `${formatCount(users, 'user')} ${isOne ? 'stays' : 'stay'} disabled, although the file no longer says so: the API cannot enable a user again.`,
    advice: (users) =>
      `Ask the operator of the service to enable ${thoseUsers(users)} (ENABLE in failures.csv).`,
  },
};

/** Returns a text for each way in which users differ. */
export function differenceTexts(codes: Summary['codes'], which: 'what' | 'advice'): string[] {
  return differenceCodes.flatMap((code) => {
    const { [code]: users = 0 } = codes;
    return users > 0 ? [texts[code][which](users, users === 1)] : [];
  });
}

function thoseUsers(count: number): string {
  return count === 1 ? 'the user' : `the ${formatCount(count, 'user')}`;
}
