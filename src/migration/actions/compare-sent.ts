import type { HashedUser } from '../../contract/wire.ts';
import type { Created, Sent } from '../model/outcome.ts';
import { type Fingerprints, type ValueFingerprints, withOtherFlag } from './fingerprints.ts';

/** What is compared of a row. */
interface ComparedRow {
  user: HashedUser;
  isDisabled?: true;
}

/** How a row of a corrected file differs from what was sent for its user. */
interface SentDifference {
  /** The row says that the user is disabled, and what was sent does not say so, or is not known. */
  isToDisable: boolean;
  /** How the user differs from the row, where the API cannot change it. */
  differsBy: Created['differsBy'];
  sent: Sent | undefined;
}

/**
 * Compares a row with what was sent for a user whom the job created; if that is not known, nothing counts as different. A user who is
 * no longer disabled is noticed if no other value but `pwd_must_modify` has changed. One who is disabled needs no hash. `key`: the
 * first key of the row that was sent, by default that of the row.
 */
export function compareWithSent(
  { user, isDisabled }: ComparedRow,
  was: ValueFingerprints | undefined,
  fingerprints: Fingerprints,
  key?: string,
): SentDifference {
  const disabled = [user, ...withOtherFlag(user)].map((one) => fingerprints.ofValues(one, true).values);
  const wasDisabled = was !== undefined && disabled.includes(was.values);
  if (isDisabled && !wasDisabled) {
    const sent = sentIfOther({ user }, was, fingerprints, key);
    // A user who is disabled now is no longer what was sent before.
    return { isToDisable: true, differsBy: undefined, sent: sent?.values ? { ...sent, values: '' } : sent };
  }
  const sent = sentIfOther({ user, ...(isDisabled ? { isDisabled } : {}) }, was, fingerprints, key);
  const isOtherHash = !isDisabled && user['hash-pwd'] && sent?.hash !== undefined;
  const otherHash = isOtherHash ? 'HASH_CHANGED' : undefined;
  return { isToDisable: false, differsBy: wasDisabled && !isDisabled ? 'ENABLE' : otherHash, sent };
}

/** Returns what was sent for the user of a row, as far as the row says something else; `undefined` if the row is what was sent. */
export function sentIfOther(
  { user, isDisabled }: ComparedRow,
  was: ValueFingerprints | undefined,
  { ofValues, ofHash }: Fingerprints,
  key?: string,
): Sent | undefined {
  if (was === undefined) return { values: '', hash: '' };
  const values = was.values === ofValues(user, isDisabled).values ? undefined : was.values;
  const hash = ofHash(user, key).includes(was.hash) ? undefined : (was.hash ?? '');
  return values === undefined && hash === undefined ? undefined : { values, hash };
}
