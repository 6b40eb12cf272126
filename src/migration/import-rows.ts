import type { Outcome } from './model/outcome.ts';
import { isOfShard, type Shard } from './model/shard.ts';
import type { JobOptions, JobRun } from './open-run.ts';
import type { LiveCheck } from './owners/live-check.ts';
import type { IssueCounter } from './rows/issues/count-issues.ts';
import type { ValidRow } from './rows/validate-rows.ts';
import { importAndDisable } from './send/import-and-disable.ts';
import { type ImportClient, pendingRow } from './send/import-row.ts';
import type { JobRows } from './send/launch-rows.ts';
import { createSelection } from './send/select-rows.ts';

export interface ImportedRunOptions extends Pick<JobOptions, 'mode'> {
  /** Check everything, send nothing. */
  dryRun?: boolean;
  /** Import one shard of the file only. */
  shard?: Shard | undefined;
  /** Called once, just before rows may be sent. */
  onSending?: () => void;
  /** What a dry run looks up in the tenant. */
  liveCheck?: LiveCheck | undefined;
}

/** What an import does with its rows, and which of them it counts: those of its shard. */
export function importRows(
  client: ImportClient | undefined,
  { journal, control, memory, tally }: JobRun,
  issues: IssueCounter,
  { shard, dryRun, mode, onSending, liveCheck }: ImportedRunOptions,
): Omit<JobRows, 'rows'> {
  const isOnlyAsking = mode === 'only unanswered';
  const sending = client && !dryRun ? { client, control, memory, isOnlyAsking } : undefined;
  if (sending) onSending?.();
  const isRetrying = mode === 'only failed';
  const selection = createSelection(journal, shard, { isOnlyAsking, isRetrying });
  const takeBack = ({ result }: NonNullable<ValidRow['enabled']>, outcome: Outcome) => {
    if (outcome.result !== 'pending') tally.takeBack(result);
    return outcome;
  };
  return {
    isSending: sending !== undefined,
    isSent: ({ row, user }) => user !== undefined && isOfShard(row, shard),
    isEarly: () => isOnlyAsking,
    runRow: sending
      ? (row) => {
          const imported = importAndDisable(sending, row);
          const { enabled } = row;
          return enabled ? imported.then((outcome) => takeBack(enabled, outcome)) : imported;
        }
      : (liveCheck?.outcomeOf ?? (async (row) => pendingRow(row))),
    select(row) {
      if (!row.user && isOfShard(row.row, shard)) issues.add(row);
      if (isOnlyAsking && journal.arrivesUntil(row.row, true) === undefined) return undefined;
      return selection(row);
    },
    isWatched: (outcome) => !('isFromEarlierRun' in outcome),
  };
}
