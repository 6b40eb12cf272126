import type { HashAlgorithm } from '../../contract/attributes.ts';

/** The results that an outcome can have in the journal, in the order in which they are reported. */
export const finalResults = [
  'created',
  'updated',
  'disabled',
  'existing',
  'conflict',
  'failed',
  'invalid',
  'skipped',
  'unknown',
] as const satisfies readonly FinalOutcome['result'][];

export const rowResults = [...finalResults, 'pending'] as const satisfies readonly Outcome['result'][];

export type RowResult = (typeof rowResults)[number];

/** Results of rows whose users are in the tenant as the row, or its plan, requires. */
export const userResults = [
  'created',
  'updated',
  'disabled',
  'existing',
] as const satisfies readonly RowResult[];

/** True if the user of the row was created or changed. One who was created may not be as the row wants them. */
export function hasChangedUser(outcome: Outcome): boolean {
  const { result } = outcome;
  if (result === 'failed') return outcome.createdId !== undefined;
  return result !== 'existing' && userResults.some((name) => name === result);
}

export type Outcome = RowReference & (Created | Existing | Changed | NotCreated | Skipped | Pending);

/** An outcome that is recorded in the journal. A pending row has none. */
export type FinalOutcome = Exclude<Outcome, Pending>;

/** Identifies a row and, as far as the row names them, its user. */
export interface RowReference {
  row: number;
  line: number;
  userName: string | undefined;
  externalId: string | undefined;
  algorithm: HashAlgorithm | undefined;
  /** Identifies the row in a corrected file; see `rowKey`. */
  key?: string | undefined;
  /** What was sent for the user, as far as the row says something else. */
  sent?: Sent | undefined;
}

/**
 * Fingerprints of what was sent for the user of a row. One that is left out is that of the row; an empty one is equal to none. If both
 * are empty, it is not known what was sent.
 */
export interface Sent {
  values?: string | undefined;
  hash?: string | undefined;
}

/** How a user whom the job created differs from the row of a corrected file, which an import does not change; codes of `reasons`. */
export const differenceCodes = [
  'DISABLE',
  'LEFT_OUT',
  'HASH_CHANGED',
  'HASH_UNKNOWN',
  'MUST_MODIFY_CHANGED',
  'VALUES_CHANGED',
  'ENABLE',
] as const;

export type DifferenceCode = (typeof differenceCodes)[number];

/** True if a user of the job has the hash of the row and can log in, by the code of the difference. */
export function canLogIn(differsBy: string | null | undefined): boolean {
  const harmless: readonly DifferenceCode[] = ['MUST_MODIFY_CHANGED', 'VALUES_CHANGED'];
  return differsBy == null || harmless.some((code) => code === differsBy);
}

export interface Created {
  result: 'created';
  userId: string;
  /** The answer was lost, and a look-up found the user later. */
  isFoundByLookUp?: true;
  /** The user is disabled already, as the file says. */
  isDisabled?: true;
  differsBy?: DifferenceCode;
}

/** The user of the row existed before: the same person, by every key and the name. */
export interface Existing {
  result: 'existing';
  userId: string;
  /** The user is disabled, as the file says. */
  isDisabled?: true;
  /** Other fields of the user than those that identify the person are not as the row says. */
  isDifferent?: true;
}

/** A user who existed before, changed as a plan says. */
interface Changed {
  result: 'updated' | 'disabled';
  userId: string;
  /** The change may have been sent before, and the user was as it makes them: perhaps somebody else did it. */
  isFoundByLookUp?: true;
}

/**
 * `failed`: refused by the API or never sent. `invalid`: it failed validation. `conflict`: another user has one of its unique
 * values. `unknown`: sent without an answer, and not resolved. `code` is that of the API, of the `issueTable`, or of a reason why a
 * plan does nothing.
 */
export interface NotCreated {
  result: 'failed' | 'invalid' | 'conflict' | 'unknown';
  code: string;
  message: string;
  hint: string;
  /** ID of the user who was created all the same, but is not as the row wants them. */
  createdId?: string;
  /** ID of the user whom a plan names for the row, and did not change. */
  plannedId?: string;
  /** IDs of the users who have its identifiers, if that is why it is a `conflict`. */
  owners?: readonly string[];
  /** The row is `unknown` since an earlier run: nothing was sent in this one. */
  isFromEarlierRun?: true;
}

/** The recipe leaves the row out. */
interface Skipped {
  result: 'skipped';
  code: null;
  message: null;
  hint: null;
}

/** Valid, but not written: in a dry run, or because the run was stopped first. */
interface Pending {
  result: 'pending';
  /** The row may have been sent, in this run or an earlier one, and could not be looked up. */
  mayHaveBeenSent?: true;
}
