import type { Created, Existing, NotCreated, Outcome, RowReference } from '../model/outcome.ts';
import { issueTable } from '../rows/issues/issues.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, completing } from './call-api.ts';
import { importRow, type Sending } from './import-row.ts';
import { messageOf, own } from './outcome-of-failure.ts';

/**
 * Imports a row, and disables its user if the file says that the person may not log in. A user who existed before is left alone, and
 * so is one whom an earlier file made without saying so: nobody can enable a user again, so only a plan disables them. The outcome says if a user stayed enabled.
 */
export function importAndDisable(sending: Sending, row: ValidRow): Promise<Outcome> {
  const imported = importRow(sending, row);
  return row.isDisabled ? imported.then((outcome) => disable(sending, outcome)) : imported;
}

async function disable(
  { client, control, memory, isOnlyAsking }: Sending,
  outcome: Outcome,
): Promise<Outcome> {
  if ('isDisabled' in outcome) return outcome;
  if (outcome.result === 'existing') return stayedEnabled(outcome);
  if (outcome.result !== 'created') return outcome;
  const { userId, differsBy } = outcome;
  if (differsBy === 'DISABLE') return outcome;
  // After a kill before the outcome is recorded, the next run must know the user as one of this job, and disable them.
  memory.journal.noteCreated(userId);
  if (isOnlyAsking) return stayedEnabled(outcome, 'this run sends nothing');
  const call = () => client.disableUser(userId);
  // The user must not stay enabled until the window opens again.
  const result = await callApi(completing(control), 'repeatable', call);
  // The journal has no fingerprint of their values that could tell later.
  const disabled = 'isDifferent' in outcome ? { ...outcome, isDisabled: true as const } : outcome;
  if (result.kind === 'answered') return disabled;
  if (result.kind !== 'stopped') return stayedEnabled(outcome, messageOf(result.error));
  // The run was stopped, but the user must not stay enabled because of that.
  try {
    await call();
    return disabled;
  } catch (failure) {
    return stayedEnabled(outcome, messageOf(failure));
  }
}

/**
 * Returns the outcome of a row whose user stays enabled although the file says otherwise: if this job created the user, the next run
 * with `--only failed` tries again.
 */
export function stayedEnabled(
  outcome: RowReference & (Created | Existing),
  why = 'the user was there before',
): RowReference & NotCreated {
  const { row, line, userName, externalId, algorithm, key, sent, userId: id } = outcome;
  return {
    ...{ row, line, userName, externalId, algorithm, key, sent },
    ...own('failed', 'NOT_DISABLED', `${issueTable.NOT_DISABLED.message} (${id}): ${why}`),
    ...(outcome.result === 'created' ? { createdId: id } : {}),
  };
}
