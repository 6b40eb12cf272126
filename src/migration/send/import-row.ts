import type { SingleCalls } from '../../client/calls.ts';
import { attributes } from '../../contract/attributes.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { uniqueAttributes } from '../../contract/normal-forms.ts';
import type { UserReference } from '../../contract/wire.ts';
import { compareWithEnabled, type EnabledUser } from '../actions/decide-corrected.ts';
import { asDisabled } from '../actions/fingerprints.ts';
import { hasUniqueKey, keyFields, rowKey } from '../actions/keys.ts';
import type { NotCreated, Outcome, RowReference } from '../model/outcome.ts';
import { issueTable } from '../rows/issues/issues.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, completing, type RunControl } from './call-api.ts';
import { compareWithOwners, type FoundPerson, foundUser, type UserFinder } from './existing-user.ts';
import type { JobMemory } from './job-memory.ts';
import { outcomeOfFailure, own, unread } from './outcome-of-failure.ts';

/** The API calls that an import makes, on a client that leaves all retries to the import. */
export type ImportClient = Pick<SingleCalls, 'importHashedUser' | 'disableUser' | 'retries' | 'getUser'> &
  UserFinder;

/** What the rows of a run share. */
export interface Sending {
  client: ImportClient;
  control: RunControl;
  memory: JobMemory;
  /** If true, rows that may have been sent are looked up, and no row is sent. */
  isOnlyAsking?: boolean;
}

/** Returns the same for calls that complete a row; see `completing`. */
function toComplete(sending: Sending): Sending {
  return { ...sending, control: completing(sending.control) };
}

/**
 * Imports a row: sends it, and finds out what a missing answer or an "already exists" means. A row that may have been sent before
 * is looked up first. Never rejects.
 */
export async function importRow(sending: Sending, row: ValidRow): Promise<Outcome> {
  if (row.enabled) return lookAgain(sending, row, row.enabled);
  if (row.stranger) return lookForStranger(sending, row, row.stranger);
  const { client, control, memory } = sending;
  let mayHaveBeenSent = row.mayHaveBeenSent === true;
  /** True if a request of this run may still arrive. */
  let isUnanswered = false;
  let resolved: Outcome | undefined;

  async function mayRepeat(): Promise<boolean> {
    mayHaveBeenSent = true;
    isUnanswered = true;
    resolved = await resolveUnknownRow(toComplete(sending), row, false);
    return resolved === undefined;
  }

  function send(): Promise<UserReference> {
    const call = () => client.importHashedUser(row.user);
    return hasUniqueKey(row.user) && !row.isExact ? call() : memory.intend(row.row).then(call);
  }

  if (mayHaveBeenSent) {
    const earlier = await resolveUnknownRow(sending, row, true);
    if (earlier) return earlier.result === 'unknown' ? { ...earlier, isFromEarlierRun: true } : earlier;
  }
  if (sending.isOnlyAsking) return pendingRow(row);
  const result = await callApi(control, 'create', send, mayRepeat);
  if (resolved) return resolved;
  if (result.kind === 'answered') {
    const { user_id: userId } = result.answer;
    if (memory.isNew(userId)) return { result: 'created', userId, ...rowReference(row) };
    const found = await resolveUnknownRow(toComplete(sending), row, false);
    return found ?? { ...rowReference(row), ...unknown };
  }
  const failure = outcomeOfFailure(result, row.user['hash-pwd'], isUnanswered);
  const outcome: Outcome = { ...rowReference(row), ...failure };
  if (outcome.result === 'pending' && mayHaveBeenSent) return { ...outcome, mayHaveBeenSent };
  if (outcome.result === 'failed' && takenCodes.has(outcome.code)) {
    return compareWithExisting(toComplete(sending), row, outcome, mayHaveBeenSent);
  }
  return outcome;
}

/**
 * Looks up a user who was enabled, as the journal says. It keeps that outcome unless the user is disabled now, or is to be disabled
 * because the job could not do so before. Of somebody who was there before the job, it does not have the ID.
 */
async function lookAgain(
  { client, control, memory }: Sending,
  row: ValidRow,
  enabled: EnabledUser,
): Promise<Outcome> {
  const { result, userId } = enabled;
  if (userId !== null) {
    const found = await callApi(control, 'repeatable', () => client.getUser(userId));
    const isDisabled = found.kind === 'answered' && found.answer.disabled;
    if (found.kind !== 'answered' || (!isDisabled && result === 'created')) return pendingRow(row);
    const differences = row.isLeftOut
      ? { sent: { values: asDisabled(enabled.values ?? ''), hash: enabled.hash ?? '' } }
      : compareWithEnabled(row, enabled, isDisabled, memory.journal.fingerprints.open());
    const done = isDisabled ? { isDisabled: true as const } : {};
    return { ...rowReference(row), result: 'created', userId, ...done, ...differences };
  }
  const match = await compareWithOwners(client, row, control, conflict);
  if (!(match && 'kind' in match && match.kind === 'same' && match.user.disabled)) return pendingRow(row);
  return { ...rowReference(row), ...foundUser('existing', match) };
}

const otherNames = 'the user of the row was there before, and nobody in the tenant has its identifiers now';
const whoIsMeant =
  'If the row is still about this user, nobody is missing: give the user the identifiers and the name of the row (tenant-users update), or leave it so. If it is about somebody else, import the row as a file of its own.';

/**
 * Looks up who has the identifiers of a row whose user was there before the job. The API deletes nobody: if nobody has them now, the
 * person has others, and would be created a second time.
 */
async function lookForStranger(
  { client, control }: Sending,
  row: ValidRow,
  { userId }: { userId: string | null },
): Promise<Outcome> {
  const reference = rowReference(row);
  const match = await compareWithOwners(client, row, control, conflict);
  if (match === undefined) {
    const message = userId === null ? otherNames : `${otherNames} (${userId})`;
    return { ...reference, result: 'conflict', code: 'OTHER_NAMES', message, hint: whoIsMeant };
  }
  if ('result' in match) return { ...reference, ...match };
  if (match.kind === 'same') return { ...reference, ...foundUser('existing', match) };
  return match.kind === 'stopped' ? pendingRow(row) : { ...reference, ...unread(match.error, false) };
}

/** Returns the outcome of a valid row that this run leaves as it is. */
export function pendingRow(row: ValidRow, mayHaveBeenSent = false): Outcome {
  return mayHaveBeenSent
    ? { result: 'pending', mayHaveBeenSent, ...rowReference(row) }
    : { result: 'pending', ...rowReference(row) };
}

/** API errors which say that another user has a key of the row. */
const takenCodes: ReadonlySet<string> = new Set(
  [...uniqueAttributes.map((name) => attributes[name].taken), 'extensionTaken' as const].map(
    (name) => errorCatalogue[name].code,
  ),
);

/**
 * Finds out what "already exists" means. If the look-ups are not answered, the outcome stays the API error. If the row may have
 * been sent before, the user may be that of a request which arrived late, and only look-ups can tell.
 */
async function compareWithExisting(
  { client, control, memory }: Sending,
  row: ValidRow,
  refused: Outcome & NotCreated,
  mayHaveBeenSent: boolean,
): Promise<Outcome> {
  const match = await compareWithOwners(client, row, control, { ...refused, isTaken: true });
  if (match === undefined) return refused;
  const reference = rowReference(row);
  if ('result' in match) return { ...reference, ...match };
  if (match.kind === 'same') {
    if (mayHaveBeenSent) return resolveFound(row, match, memory, true);
    const made = memory.compareEarlier(row, match);
    if (!made || !memory.claim(row.row, match.user.user_id))
      return { ...reference, ...foundUser('existing', match) };
    return { ...reference, ...foundUser('created', match), ...made, isFoundByLookUp: true };
  }
  if (match.kind === 'stopped') return pendingRow(row, mayHaveBeenSent);
  return mayHaveBeenSent ? { ...reference, ...unknown } : refused;
}

const unknown = own('unknown', 'NO_ANSWER', issueTable.NO_ANSWER.message);

/** Several users can share an external ID, and a look-up returns one of them: it says nothing about the second of two such rows. */
const sharedUser = own(
  'unknown',
  'NO_ANSWER',
  'the user with this external ID belongs to another row of the file, so nobody can tell whether this row arrived',
);

/** Code and hint for a row that was sent and whose keys belong to another user. */
const conflict = { code: 'CONFLICT', hint: issueTable.CONFLICT.remedy, isTaken: false };

/**
 * Resolves a row that may have been sent by looking its user up. Returns `undefined` if no user has its keys and it may be sent
 * again. A row that cannot be looked up is never sent again. A row without a unique key could create a second user, so it is sent
 * again only if `hasArrived`: its earlier request has arrived by now or never will.
 */
async function resolveUnknownRow(
  { client, control, memory }: Sending,
  row: ValidRow,
  hasArrived: boolean,
): Promise<Outcome | undefined> {
  const reference = rowReference(row);
  const { user } = row;
  if (keyFields.every((field) => user[field] === undefined)) return { ...reference, ...unknown };
  const match = await compareWithOwners(client, row, control, conflict);
  if (match === undefined && (hasUniqueKey(user) || hasArrived)) return undefined;
  if (match && 'kind' in match) {
    // The row must stay unknown for the run that resumes.
    if (match.kind === 'stopped') return pendingRow(row, true);
    if (match.kind === 'unanswered') return { ...reference, ...unknown };
    return resolveFound(row, match, memory, !hasArrived);
  }
  // Without a unique key, a conflict says nothing about the row: another user may have the same external ID.
  return { ...reference, ...(match && hasUniqueKey(user) ? match : unknown) };
}

/** Returns the outcome of a row that may have been sent before, and whose user was found. `isSent`: this run has sent it. */
async function resolveFound(
  row: ValidRow,
  found: FoundPerson,
  memory: JobMemory,
  isSent: boolean,
): Promise<Outcome> {
  const reference = rowReference(row);
  const { user_id: id } = found.user;
  const isUnique = hasUniqueKey(row.user);
  // Two rows of a corrected file can be one person. The user is claimed before anything is awaited: the other may be under way.
  if ((!isUnique || memory.journal.isCorrected) && !memory.claim(row.row, id))
    return { ...reference, ...(isUnique ? foundUser('existing', found) : sharedUser) };
  const made = memory.compareEarlier(row, found);
  const isOurs = made !== undefined || (await memory.madeByThisJob(found.user));
  if (isOurs === 'stopped') return pendingRow(row, true);
  if (isOurs === 'unanswered') return { ...reference, ...unknown };
  if (!isOurs) return { ...reference, ...foundUser('existing', found) };
  const different = made ?? memory.compareUnanswered(row, isSent);
  return { ...reference, ...foundUser('created', found), ...different, isFoundByLookUp: true };
}

/** Returns which row and which user an outcome is about; of the password only the algorithm. */
export function rowReference({ row, line, user }: ValidRow): RowReference {
  return {
    row,
    line,
    userName: user.user_name,
    externalId: user.external_id,
    algorithm: user['hash-pwd']?.algorithm,
    key: rowKey(user),
  };
}
