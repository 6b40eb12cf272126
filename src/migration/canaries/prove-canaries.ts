import { StoppedError } from '../model/errors.ts';
import type { RowResult } from '../model/outcome.ts';
import type { CanaryLogins } from '../model/summary.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import type { Canary } from './read-canaries.ts';

/** Tries canaries on the tenant. Rejects with a `StoppedError` if one cannot log in, or does not exist. */
export type TryCanaries = (canaries: readonly Canary[]) => Promise<CanaryLogins>;

/**
 * Tries the canaries that the job created on the tenant. Rejects with a `StoppedError` if one was not created, or with what
 * `tryCanaries` rejects with.
 */
export async function proveCanaries(
  rows: ReadonlyMap<Canary, ValidRow>,
  resultOf: (row: number) => RowResult | undefined,
  tryCanaries: TryCanaries,
): Promise<CanaryLogins> {
  const created: Canary[] = [];
  const refused: string[] = [];
  for (const [canary, { row }] of rows) {
    const result = resultOf(row) ?? 'pending';
    if (result === 'created') created.push(canary);
    else if (result !== 'existing') refused.push(`line ${canary.line}, row ${row}: ${result}`);
  }
  if (refused.length > 0) {
    throw new StoppedError(
      'CANARY_FAILED',
      `${refused.length} of ${rows.size} canaries were not created (${refused.join('; ')}), so no other row was sent`,
      'See failures.csv in the job directory, fix the cause, then run the same command with --only failed: it tries these rows again, and goes on.',
    );
  }
  return created.length > 0 ? tryCanaries(created) : { canaries: 0, logins: 'unproven on the tenant' };
}
