import { ApiError, NetworkError } from '../../client/errors.ts';
import type { NotCreated, Outcome, RowReference } from '../model/outcome.ts';
import { issueTable } from '../rows/issues.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, completing, type RunControl } from './call-api.ts';
import { type ImportClient, importRow } from './import-row.ts';
import type { JobMemory } from './job-memory.ts';

/**
 * Imports a row, and disables its user where the file says that the person may not log in. A user who was there before is left
 * alone: nobody can enable one again. The outcome says where a user stayed enabled.
 */
export function importAndDisable(
  client: ImportClient,
  row: ValidRow,
  control: RunControl,
  memory: JobMemory,
): Promise<Outcome> {
  const imported = importRow(client, row, control, memory);
  return row.isDisabled ? imported.then((outcome) => disable(client, outcome, control, memory)) : imported;
}

async function disable(
  client: ImportClient,
  imported: Outcome,
  control: RunControl,
  memory: JobMemory,
): Promise<Outcome> {
  const outcome = ofThisJob(imported, memory);
  if ('isDisabled' in outcome) return outcome;
  if (outcome.result === 'existing') return notDisabled(outcome, outcome.userId);
  if (outcome.result !== 'created') return outcome;
  const { userId } = outcome;
  const call = () => client.disableUser(userId);
  // Nobody is to stay enabled until the window opens again.
  const result = await callApi(completing(control), 'lookUp', call);
  if (result.kind === 'answered') return outcome;
  if (result.kind !== 'stopped')
    return { ...notDisabled(outcome, userId, reasonOf(result.error)), createdId: userId };
  // The run ends, but nobody is to stay enabled for that.
  try {
    await call();
    return outcome;
  } catch (failure) {
    return { ...notDisabled(outcome, userId, reasonOf(failure)), createdId: userId };
  }
}

/** A user who is there since an earlier run of the job, which could not disable it, is still one that the job created. */
function ofThisJob(outcome: Outcome, memory: JobMemory): Outcome {
  if (outcome.result !== 'existing' || !memory.stayedEnabled(outcome.userId)) return outcome;
  return { ...outcome, result: 'created', isFoundByLookUp: true };
}

/** The outcome of a row whose user stays enabled, though the file says otherwise. */
export function notDisabled(
  { row, line, userName, externalId, algorithm, key }: RowReference,
  id: string,
  why = 'the user was there before',
): RowReference & NotCreated {
  const { message, remedy } = issueTable.NOT_DISABLED;
  return {
    ...{ row, line, userName, externalId, algorithm, key },
    result: 'failed',
    code: 'NOT_DISABLED',
    message: `${message} (${id}): ${why}`,
    hint: remedy,
  };
}

/** What else failed may hold anything: it is not passed on. */
function reasonOf(failure: unknown): string {
  return failure instanceof ApiError || failure instanceof NetworkError
    ? failure.message
    : 'unexpected error';
}
