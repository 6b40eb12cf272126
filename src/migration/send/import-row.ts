import type { Client } from '../../client/client.ts';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { attributes } from '../../contract/attributes.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { uniqueAttributes } from '../../contract/normal-forms.ts';
import type { HashedUser } from '../../contract/wire.ts';
import type { Existing, NotCreated, Outcome } from '../model/outcome.ts';
import { issueTable } from '../rows/issues.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import {
  findExistingUsers,
  hasUniqueKey,
  keyFields,
  matchExistingUsers,
  type UserFinder,
} from './existing-user.ts';
import { NoPermitError } from './limited-client.ts';
import { rowReference, sendUser } from './send-user.ts';

/** The calls of the API that an import makes. */
export type ImportClient = Pick<Client, 'importHashedUser'> & UserFinder;

const { message, remedy: hint } = issueTable.NO_ANSWER;
const unknown: NotCreated = { result: 'unknown', code: 'NO_ANSWER', message, hint };

/** How often one row is sent, when each time no answer comes and nobody is found who holds its keys. */
const mostSends = 10;

/**
 * Settles a row: sends it, and finds out what a missing answer or an "already exists" means. A row that may have been
 * sent is looked up before it is sent again. Never rejects.
 */
export async function importRow(
  client: ImportClient,
  row: ValidRow,
  brake: CircuitBreaker,
): Promise<Outcome> {
  let isDoubtful = row.isDoubtful === true;
  for (let sends = 0; ; sends += 1) {
    if (isDoubtful) {
      const outcome = await lookUp(client, row, brake);
      if (outcome) return outcome;
    }
    const outcome = await sendUser(client, row, brake);
    if (outcome.result === 'pending' && isDoubtful) return { ...outcome, inDoubt: true };
    if (outcome.result === 'failed' && takenCodes.has(outcome.code)) return meet(client, row, outcome);
    if (outcome.result !== 'unknown' || sends + 1 >= mostSends || brake.isOpen()) return outcome;
    isDoubtful = true;
  }
}

async function lookUp(
  client: UserFinder,
  row: ValidRow,
  brake: CircuitBreaker,
): Promise<Outcome | undefined> {
  const place = rowReference(row);
  try {
    const found = await settleDoubt(client, row.user, unknown);
    return found && { ...place, ...found };
  } catch (failure) {
    // What may have been sent stays in doubt, for the run that goes on.
    if (failure instanceof NoPermitError) return { ...place, result: 'pending', inDoubt: true };
    const isOfThisCall = failure instanceof NetworkError || failure instanceof ApiError;
    if (!isOfThisCall) brake.stop(failure);
    return { ...place, ...unknown };
  }
}

/** "Already exists" is a question, and stays the refusal that it was when the answer cannot be had. */
async function meet(client: UserFinder, row: ValidRow, refused: Outcome & NotCreated): Promise<Outcome> {
  try {
    const met = matchExistingUsers(row.user, await findExistingUsers(client, row.user), refused);
    return met ? { ...rowReference(row), ...met } : refused;
  } catch (failure) {
    return failure instanceof NoPermitError ? { ...rowReference(row), result: 'pending' } : refused;
  }
}

/** Refusals that say that somebody holds a key of the row. */
const takenCodes: ReadonlySet<string> = new Set(
  [...uniqueAttributes.map((name) => attributes[name].taken), 'extensionTaken' as const].map(
    (name) => errorCatalogue[name].code,
  ),
);

/** For a row that was sent and whose user is not the person of the row. */
const meeting = { code: 'CONFLICT', hint: issueTable.CONFLICT.remedy };

/**
 * What became of a row that may have been sent: its user is looked for. `undefined`: nobody holds its keys, and it may
 * be sent again. A row that cannot be looked up, or that could make a second user, is never sent again. Rejects when a
 * look-up gets no answer.
 */
async function settleDoubt(
  finder: UserFinder,
  row: HashedUser,
  unknown: NotCreated,
): Promise<Existing | NotCreated | undefined> {
  if (keyFields.every((field) => row[field] === undefined)) return unknown;
  const met = matchExistingUsers(row, await findExistingUsers(finder, row), meeting);
  if (hasUniqueKey(row)) return met;
  // Somebody else with the same external id says nothing about the row.
  return met?.result === 'existing' ? met : unknown;
}
