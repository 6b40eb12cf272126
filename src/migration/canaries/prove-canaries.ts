import { StoppedError } from '../model/errors.ts';
import type { RowResult } from '../model/outcome.ts';
import type { CanaryLogins } from '../model/summary.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import type { Canary } from './read-canaries.ts';

/** Tries canaries on the tenant. Rejects with a `StoppedError` if one cannot log in, or does not exist. */
export type TryCanaries = (canaries: readonly Canary[]) => Promise<CanaryLogins>;

/** What to do about a canary that was not created. Its row has an outcome, which the same command does not try again. */
const remedies = {
  import:
    'See failures.csv in the job directory. Fix the cause and add --only failed, which tries these rows again, or name other canaries.',
  rehearsal:
    'See failures.csv in the job directory. Fix the cause, or name other canaries, then rehearse again.',
  plan: 'See failures.csv in the plan directory, and name other canaries.',
};

/**
 * Tries the canaries that the job created on the tenant. Rejects with a `StoppedError` if one was not created, or with what
 * `tryCanaries` rejects with.
 */
export async function proveCanaries(
  rows: ReadonlyMap<Canary, ValidRow>,
  resultOf: (row: number) => RowResult | undefined,
  tryCanaries: TryCanaries,
  by: keyof typeof remedies,
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
      remedies[by],
    );
  }
  return created.length > 0 ? tryCanaries(created) : { canaries: 0, logins: 'unproven on the tenant' };
}
