import type { HashedUser, User } from '../../contract/wire.ts';
import type { DifferenceCode, FinalOutcome, Sent } from '../model/outcome.ts';
import {
  areSame,
  asDisabled,
  asEnabled,
  type Fingerprints,
  isOfDisabled,
  isOfStillEnabled,
  knownFingerprints,
  type ValueFingerprints,
  withKey,
  withOtherFlag,
} from './fingerprints.ts';

/** A user of the job, or one whom it found, who has the first key of a row of a corrected file. */
interface KnownUser {
  /** `failed`: the user is not disabled, as the file said. */
  result: FinalOutcome['result'];
  /** `null` for a user who was there before and is not disabled. */
  user_id: string | null;
  external_id: string | null;
}

/** A user who is enabled, although their row says otherwise, and what was sent as far as the row says something else. */
export interface EnabledUser {
  /** `created` by an earlier file that did not say so, or `failed` to be disabled. */
  result: 'created' | 'failed';
  /** `null` for a user who was there before. */
  userId: string | null;
  values: string | null;
  hash: string | null;
}

/** A user whom the job made for a row of an earlier file. */
export interface MadeUser {
  /** The first key of that row, under which its hash has a fingerprint; `undefined` if it is not known, and with it whether the hash is another. */
  key: string | undefined;
  /** What was sent for the user; `undefined` if it is not known. */
  sent: ValueFingerprints | undefined;
}

/** What is compared of a row. */
interface ComparedRow {
  user: HashedUser;
  isDisabled?: boolean;
}

/** How a row of a corrected file differs from what was sent for its user. */
export interface SentDifference {
  /** How the user differs from the row: an import changes no user whom an earlier file made. */
  differsBy?: DifferenceCode;
  sent: Sent | undefined;
}

/**
 * Decides what a known user means for a row with their key. `known`: the user is that of the row, and nothing is sent. `stranger`: the
 * user was there before, and the row has changed, so that a look-up decides; nothing is sent either. `other`: the user is another person.
 * `was`: what was sent for the user; `undefined` if it is not known.
 */
export function decideCorrected(
  { result, user_id: userId, external_id: externalId }: KnownUser,
  was: ValueFingerprints | undefined,
  row: ComparedRow,
  fingerprints: Fingerprints,
): { kind: 'other' | 'stranger' } | ({ kind: 'known' } & SentDifference) {
  const { external_id: now = null } = row.user;
  if (externalId !== null && now !== null && externalId !== now) return { kind: 'other' };
  const compared = compareWithSent(row, was, fingerprints);
  const wasThere = result === 'existing' || userId === null;
  return wasThere && compared.sent ? { kind: 'stranger' } : { kind: 'known', ...compared };
}

/**
 * Compares a row with what was sent for a user whom the job created; if that is not known, neither is the hash. `key`: the first key of
 * the row that was sent, by default that of the row.
 */
function compareWithSent(
  row: ComparedRow,
  before: ValueFingerprints | undefined,
  fingerprints: Fingerprints,
  key?: string,
): SentDifference {
  // The run disables one who should have been disabled before.
  const isLeft = row.isDisabled && before && isOfStillEnabled(before.values);
  const was = isLeft ? { ...before, values: asDisabled(before.values) } : before;
  const sent = sentIfOther(row, was, fingerprints, key);
  const differsBy = differenceOf(row, was, sent, fingerprints);
  return { ...(differsBy && { differsBy }), sent };
}

/**
 * Another `pwd_must_modify` is noticed if nothing else has changed, other values if the hash is the same. One who is disabled needs
 * neither it nor the hash.
 */
function differenceOf(
  { user, isDisabled = false }: ComparedRow,
  was: ValueFingerprints | undefined,
  sent: Sent | undefined,
  { ofValues }: Fingerprints,
): DifferenceCode | undefined {
  const wasDisabled = was !== undefined && isOfDisabled(was.values);
  if (isDisabled !== wasDisabled) return isDisabled ? 'DISABLE' : 'ENABLE';
  const isOtherHash = !isDisabled && user['hash-pwd'] !== undefined && sent?.hash !== undefined;
  if (isOtherHash) return was ? 'HASH_CHANGED' : 'HASH_UNKNOWN';
  const isOtherFlag = withOtherFlag(user).some((one) =>
    areSame(ofValues(one, isDisabled).values, was?.values ?? ''),
  );
  if (isOtherFlag) return isDisabled ? undefined : 'MUST_MODIFY_CHANGED';
  // Of some users it is only known that they are disabled.
  return sent?.values?.slice(1) ? 'VALUES_CHANGED' : undefined;
}

/**
 * Compares a row with what was sent for a user whom the job made, and whom a look-up found. Unless the user `isDifferent`, they have the
 * values of the row now, whatever was sent.
 */
export function compareWithMade(
  row: ComparedRow,
  { key, sent }: MadeUser,
  { user, isDifferent }: { user: Pick<User, 'disabled'>; isDifferent: boolean },
  fingerprints: Fingerprints,
): SentDifference {
  const was = sentTo(sent, user.disabled);
  let found = compareWithSent(row, was, fingerprints, key);
  if (was && !isDifferent && (found.differsBy === 'VALUES_CHANGED' || found.differsBy === 'HASH_CHANGED')) {
    const now = { ...was, values: fingerprints.ofValues(row.user, row.isDisabled).values };
    found = compareWithSent(row, now, fingerprints, key);
  }
  return found.differsBy === 'HASH_CHANGED' && key === undefined
    ? { ...found, differsBy: 'HASH_UNKNOWN' }
    : found;
}

/** Compares a row with what was sent for its user, whom the job left enabled. `isDisabled`: the user is disabled now. */
export function compareWithEnabled(
  row: ComparedRow,
  { values, hash }: EnabledUser,
  isDisabled: boolean,
  fingerprints: Fingerprints,
): SentDifference {
  const own = fingerprints.ofValues(row.user, row.isDisabled);
  const sent = knownFingerprints(values ?? own.values, hash ?? own.hash ?? null);
  return compareWithSent(row, sentTo(sent, isDisabled), fingerprints);
}

/**
 * Compares a row, whose user a look-up found, with what an earlier file sent for a row of the same values that got no answer; `undefined`
 * if it had none. `mayHaveBeenSent`: the row itself may have been sent.
 */
export function compareWithUnanswered(
  row: ComparedRow,
  earlier: { sent: ValueFingerprints | undefined } | undefined,
  mayHaveBeenSent: boolean,
  fingerprints: Fingerprints,
): Partial<SentDifference> {
  if (!earlier && mayHaveBeenSent) return {};
  const compared = compareWithSent(row, earlier?.sent, fingerprints);
  // Nobody knows from which of the two files the user is.
  const isEither = compared.differsBy === 'HASH_CHANGED' && mayHaveBeenSent;
  return isEither ? { differsBy: 'HASH_UNKNOWN', sent: { values: '', hash: '' } } : compared;
}

/** Returns what was sent for a user who is in the tenant now: a disable without an answer may have failed, or not. */
function sentTo(sent: ValueFingerprints | undefined, isDisabled: boolean): ValueFingerprints | undefined {
  if (isDisabled) return { ...sent, values: asDisabled(sent?.values ?? '') };
  const isKnown = sent && (sent.values !== asDisabled('') || sent.hash !== undefined);
  return isKnown ? { ...sent, values: asEnabled(sent.values) } : undefined;
}

/** Returns what was sent for the user of a row, as far as the row says something else; `undefined` if the row is what was sent. */
function sentIfOther(
  { user, isDisabled }: ComparedRow,
  was: ValueFingerprints | undefined,
  { ofValues, isHashOf }: Fingerprints,
  key?: string,
): Sent | undefined {
  if (was === undefined) return { values: '', hash: '' };
  const values = areSame(was.values, ofValues(user, isDisabled).values) ? undefined : was.values;
  const other = isHashOf(was.hash, user, key) ? undefined : (was.hash ?? '');
  const hash = other !== undefined && key !== undefined ? withKey(other, key) : other;
  return values === undefined && hash === undefined ? undefined : { values, hash };
}
