import type { SingleCalls } from '../../client/calls.ts';
import { ApiError, NotSentError } from '../../client/errors.ts';
import type { User, UserReference } from '../../contract/wire.ts';
import { describeObstacle } from '../actions/decide.ts';
import { changesOf, differencesOf, type RowField } from '../actions/differences.ts';
import type { Fingerprints } from '../actions/fingerprints.ts';
import { hasUniqueKey, keyQueries } from '../actions/keys.ts';
import { driftReason, type ReasonCode } from '../actions/reasons.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, completing, type RunControl } from '../send/call-api.ts';
import { lookUpOwners, saysNobody, userOrNobody } from '../send/existing-user.ts';
import { importAndDisable } from '../send/import-and-disable.ts';
import { type ImportClient, pendingRow, rowReference, type Sending } from '../send/import-row.ts';
import { outcomeOfFailure, unread } from '../send/outcome-of-failure.ts';
import type { ActionLine } from './document/plan-schemas.ts';

export type ApplyClient = ImportClient & Pick<SingleCalls, 'getUser' | 'updateUser' | 'disableUser'>;

/** What the actions of a run share. */
export interface ActionRun extends Sending {
  client: ApplyClient;
  fingerprints: Fingerprints;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Milliseconds for which an answer is relied on. A tenant that throttles can delay the next call by up to a day. */
const reliedOn = 5000;

type Apply = (run: ActionRun, row: ValidRow, line: ActionLine) => Promise<Outcome>;

const appliers: Partial<Record<ActionLine['action'], Apply>> = {
  create,
  same: async (_, row, { user_id: userId = '' }) => ({ ...rowReference(row), result: 'existing', userId }),
  update: (run, row, line) =>
    change(run, row, line, {
      result: 'updated',
      isDone: (user) => differencesOf(row.user, user, false).every((field) => !line.fields?.includes(field)),
      send: (userId) => run.client.updateUser(userId, changesOf(row.user, line.fields ?? [])),
    }),
  disable: (run, row, line) =>
    change(run, row, line, {
      result: 'disabled',
      isDone: (user) => user.disabled,
      send: (userId) => run.client.disableUser(userId),
    }),
};

/** Carries out the action of a row, once. A user who is not as the plan saw them is not touched. Never rejects. */
export async function applyAction(run: ActionRun, row: ValidRow, line: ActionLine): Promise<Outcome> {
  const found = await (appliers[line.action] ?? leave)(run, row, line);
  // No hash was to be sent for other rows, so they do not count for the algorithm of theirs. Whoever is there keeps the password.
  const isThere = found.result === 'existing' && line.action !== 'disable';
  const hasHash = line.action === 'create' || isThere || found.result === 'updated';
  const outcome: Outcome = hasHash ? found : { ...found, algorithm: undefined };
  const { user_id: plannedId } = line;
  const isNamed = 'hint' in outcome && outcome.result !== 'skipped' && plannedId !== undefined;
  return isNamed ? { ...outcome, plannedId } : outcome;
}

/** Returns the outcome of a row for which the plan does nothing, with the reason. */
const leave: Apply = async (_, row, { action, reason, owners = [], fields = [], earlier_user_id: id }) => {
  const refused = { reason: reason as ReasonCode, owners, fields: fields as readonly RowField[] };
  const result = action === 'conflict' ? 'conflict' : 'failed';
  const { message, ...obstacle } = describeObstacle(refused);
  const known = id === undefined ? message : `${message}; user of the earlier file: ${id}`;
  return { ...rowReference(row), result, message: known, ...obstacle };
};

/** Creates the user. If another user has a key of the row by now, the outcome is drift. */
async function create(run: ActionRun, row: ValidRow): Promise<Outcome> {
  const { client, control, memory, now } = run;
  // The tenant would accept a second user with the same external ID.
  const isLookedUp = !hasUniqueKey(row.user) && !row.mayHaveBeenSent;
  if (isLookedUp) {
    const search = await lookUpOwners(client, keyQueries(row.user), control);
    if (search.kind === 'stopped') return pendingRow(row);
    if (search.kind === 'unanswered') return { ...rowReference(row), ...unread(search.error, false) };
    if (search.owners.size > 0) return drift(row, externalIdTaken);
  }
  const askedAt = now();
  let isTaken = false;
  /** Looks up once more, with the permit of the create, if that was given or repeated only long after the look-up. */
  const importHashedUser: ApplyClient['importHashedUser'] = async (user) => {
    isTaken = now() - askedAt > reliedOn && (await isOwned(client, user.external_id));
    if (isTaken) throw new ApiError(driftReason.code, externalIdTaken, 400);
    return client.importHashedUser(user);
  };
  const by = isLookedUp ? completing(control) : control;
  const looking = isLookedUp ? { ...client, importHashedUser } : client;
  const outcome = await importAndDisable({ ...run, client: looking, control: by }, row);
  if (isTaken) return drift(row, externalIdTaken);
  if (outcome.result === 'existing') return drift(row, `its user was created meanwhile: ${outcome.userId}`);
  if (outcome.result === 'failed' && outcome.code === 'NOT_DISABLED') {
    // The user is not one whom this row created.
    if (outcome.createdId === undefined) return drift(row, outcome.message);
    // A plan is applied once: no later run of it tries again.
    return { ...outcome, hint: `Disable the user: tenant-users disable ${outcome.createdId}` };
  }
  if (outcome.result !== 'conflict') return outcome;
  // Another row of the file has the same value as another identifier: a new plan would change nothing.
  return outcome.owners?.some(memory.journal.users.hasWritten) ? outcome : drift(row, outcome.message);
}

const externalIdTaken = 'a user has its external ID by now';

/** Throws the failure of a look-up that is made with the permit of a write: it says that the write was not sent. */
function notSent(failure: unknown): never {
  throw new NotSentError(failure);
}

/** True if a user has the external ID. Rejects with a `NotSentError` if the look-up does not tell. */
async function isOwned(client: ApplyClient, externalId: string | undefined): Promise<boolean> {
  if (externalId === undefined) return false;
  const found = userOrNobody('getUserByExternalId', client.getUserByExternalId(externalId));
  return (await found.catch(notSent)) !== undefined;
}

interface Change {
  result: 'updated' | 'disabled';
  /** True if the user already is as the action would make them. */
  isDone(user: User): boolean;
  send(userId: string): Promise<UserReference>;
}

/** Reads the user, and changes them if they are as the plan saw them. */
async function change(
  { client, control, fingerprints, now, isOnlyAsking }: ActionRun,
  row: ValidRow,
  { user_id: userId = '', seen }: ActionLine,
  { result, isDone, send }: Change,
): Promise<Outcome> {
  const reference = rowReference(row);
  const read = (by: RunControl) => callApi(by, 'repeatable', () => client.getUser(userId));
  let mayHaveBeenSent = row.mayHaveBeenSent === true;
  const done: Outcome = { ...reference, result, userId };
  const gone = drift(row, `the user ${userId} is gone`);
  /** Says if the user, as they are, needs no change or must not be touched. */
  const judge = (user: User): 'done' | 'drifted' | undefined => {
    if (isDone(user)) return 'done';
    const isAsSeen = [false, true].some((withLogins) => fingerprints.ofUser(user, withLogins) === seen);
    return isAsSeen ? undefined : 'drifted';
  };
  const outcomeOf = (judged: 'done' | 'drifted'): Outcome => {
    if (judged === 'drifted') return drift(row, `the user ${userId} was changed meanwhile`);
    return mayHaveBeenSent
      ? { ...done, isFoundByLookUp: true }
      : { ...reference, result: 'existing', userId };
  };
  const before = await read(control);
  const isGone = before.kind === 'refused' && saysNobody('getUser', before.error);
  if (isGone) return isOnlyAsking ? pendingRow(row) : gone;
  if (before.kind === 'stopped' || before.kind === 'fatal') return pendingRow(row, mayHaveBeenSent);
  if (before.kind !== 'answered') return { ...reference, ...unread(before.error, mayHaveBeenSent) };
  let readAt = now();
  let judged = judge(before.answer);
  if (isOnlyAsking && !(judged === 'done' && mayHaveBeenSent)) return pendingRow(row);
  if (judged) return outcomeOf(judged);
  // The change must follow the read at once, without waiting for the window: the user may have changed when it opens again.
  const once = completing(control);
  const ended = await callApi(
    once,
    'change',
    async () => {
      // With the permit of the change: a permit of its own would make the read old again where the tenant puts calls off.
      if (now() - readAt > reliedOn) {
        judged = judge(await client.getUser(userId).catch(notSent));
        readAt = now();
      }
      if (!judged) await send(userId);
    },
    async () => {
      mayHaveBeenSent = true;
      const again = await read(once);
      if (again.kind === 'answered') {
        judged = judge(again.answer);
        readAt = now();
      }
      return !judged;
    },
  );
  if (judged) return outcomeOf(judged);
  if (ended.kind === 'answered') return done;
  if (ended.kind === 'refused' && saysNobody('getUser', ended.error)) return gone;
  // The next run looks up whether the change was made.
  if (ended.kind === 'stopped') return pendingRow(row, mayHaveBeenSent);
  return { ...reference, ...outcomeOfFailure(ended, undefined, mayHaveBeenSent) };
}

function drift(row: ValidRow, message: string): Outcome {
  const { code, remedy: hint } = driftReason;
  return { ...rowReference(row), result: 'conflict', code, message, hint };
}
