import type { Client } from '../client/client.ts';
import { ApiError, NetworkError } from '../client/failures.ts';
import { errorCatalogue } from '../contract/errors.ts';
import type { Brake } from './brake.ts';
import type { ValidRow } from './checked-row.ts';
import { type Finder, findHolders } from './existing/find-holders.ts';
import { judgeHolders } from './existing/judge-holders.ts';
import { settleDoubt } from './existing/settle-doubt.ts';
import { findingTable } from './finding-table.ts';
import type { NotCreated, Outcome } from './outcome.ts';
import { NoTurnError } from './pace/pace-client.ts';
import { placeOf } from './place-of.ts';
import { sendUser } from './send-user.ts';

/** The calls of the API that an import makes. */
export type ImportClient = Pick<Client, 'importHashedUser'> & Finder;

const { message, remedy: hint } = findingTable.NO_ANSWER;
const unknown: NotCreated = { result: 'unknown', code: 'NO_ANSWER', message, hint };

/** How often one row is sent, when each time no answer comes and nobody is found who holds its keys. */
const mostSends = 10;

/**
 * Settles a row: sends it, and finds out what a missing answer or an "already exists" means. A row that may have been
 * sent is looked up before it is sent again. Never rejects.
 */
export async function settleRow(client: ImportClient, row: ValidRow, brake: Brake): Promise<Outcome> {
  let isDoubtful = row.isDoubtful === true;
  for (let sends = 0; ; sends += 1) {
    if (isDoubtful) {
      const outcome = await lookUp(client, row, brake);
      if (outcome) return outcome;
    }
    const outcome = await sendUser(client, row, brake);
    if (outcome.result === 'pending' && isDoubtful) return { ...outcome, inDoubt: true };
    if (outcome.result === 'failed' && takenCodes.has(outcome.code)) return meet(client, row, outcome);
    if (outcome.result !== 'unknown' || sends + 1 >= mostSends || brake.isPulled()) return outcome;
    isDoubtful = true;
  }
}

async function lookUp(client: Finder, row: ValidRow, brake: Brake): Promise<Outcome | undefined> {
  const place = placeOf(row);
  try {
    const found = await settleDoubt(client, row.user, unknown);
    return found && { ...place, ...found };
  } catch (failure) {
    // What may have been sent stays in doubt, for the run that goes on.
    if (failure instanceof NoTurnError) return { ...place, result: 'pending', inDoubt: true };
    const isOfThisCall = failure instanceof NetworkError || failure instanceof ApiError;
    if (!isOfThisCall) brake.stop(failure);
    return { ...place, ...unknown };
  }
}

/** "Already exists" is a question, and stays the refusal that it was when the answer cannot be had. */
async function meet(client: Finder, row: ValidRow, refused: Outcome & NotCreated): Promise<Outcome> {
  try {
    const met = judgeHolders(row.user, await findHolders(client, row.user), refused);
    return met ? { ...placeOf(row), ...met } : refused;
  } catch (failure) {
    return failure instanceof NoTurnError ? { ...placeOf(row), result: 'pending' } : refused;
  }
}

/** Refusals that say that somebody holds a key of the row. */
const takenCodes: ReadonlySet<string> = new Set(
  (['userNameTaken', 'mobileTaken', 'emailTaken', 'extensionTaken'] as const).map(
    (name) => errorCatalogue[name].code,
  ),
);
