import type { HashAlgorithm } from '../../contract/attributes.ts';

/** Everything that can become of a row, in the order in which it is reported. */
export const rowResults = [
  'created',
  'updated',
  'disabled',
  'existing',
  'conflict',
  'failed',
  'invalid',
  'skipped',
  'unknown',
  'pending',
] as const satisfies readonly Outcome['result'][];

export type RowResult = (typeof rowResults)[number];

/** Results of rows whose users are in the tenant as the row, or its plan, wants them. */
export const userResults = [
  'created',
  'updated',
  'disabled',
  'existing',
] as const satisfies readonly RowResult[];

/** What became of a row. */
export type Outcome = RowReference & (Created | Existing | Changed | NotCreated | Skipped | Pending);

/** An outcome that goes into the journal: a pending row is one without. */
export type FinalOutcome = Exclude<Outcome, Pending>;

/** Which row, and which user as far as the row says. */
export interface RowReference {
  row: number;
  line: number;
  userName: string | undefined;
  externalId: string | undefined;
  algorithm: HashAlgorithm | undefined;
  /** By which the row is recognised in a corrected file: see `rowKey`. */
  key?: string | undefined;
}

interface Created {
  result: 'created';
  userId: string;
  /** Its answer was lost, and a later look-up found the user. */
  isFoundByLookUp?: true;
  /** The user is disabled already, as the file says. */
  isDisabled?: true;
}

/** The user of the row was there: the same person, by every key and the name. */
export interface Existing {
  result: 'existing';
  userId: string;
  /** The user is disabled, as the file says. */
  isDisabled?: true;
}

/** A user who was there, changed as a plan says. */
interface Changed {
  result: 'updated' | 'disabled';
  userId: string;
}

/**
 * `failed`: refused by the API or never sent. `invalid`: it failed validation. `conflict`: another user has one of its
 * unique values. `unknown`: sent, no answer, and nothing to look it up by.
 * `code` is one of the API, or of the `issueTable`.
 */
export interface NotCreated {
  result: 'failed' | 'invalid' | 'conflict' | 'unknown';
  code: string;
  message: string;
  hint: string;
  /** The user was created all the same, and is not as the row wants them. */
  createdId?: string;
  /** `unknown` since an earlier run: nothing was sent in this one. */
  isFromEarlierRun?: true;
}

/** The recipe leaves the row out. */
interface Skipped {
  result: 'skipped';
  code: null;
  message: null;
  hint: null;
}

/** Good, and not written: a dry run sends nothing, and credentials that are not accepted stop a run. */
interface Pending {
  result: 'pending';
  /** It may have been sent by now, or by an earlier run, and nobody could be asked. */
  mayHaveBeenSent?: true;
}
