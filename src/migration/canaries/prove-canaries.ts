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

/** What the runs of a job have shown of its canaries. `proved`: the marks of those that logged in. */
export interface ProvedCanaries {
  ramp?: CanaryLogins | undefined;
  proved: readonly string[];
}

/** How canaries are tried, and what is known of their rows. */
export interface TryingCanaries {
  resultOf: (row: number) => RowResult | undefined;
  /** Returns a text that is the same only for the same user with the same hash, and reveals neither. */
  markOf: (row: ValidRow) => string;
  tryCanaries: TryCanaries;
  by: keyof typeof remedies;
}

/**
 * Tries the canaries that the job created on the tenant, except those that an earlier run has proved. Rejects with a `StoppedError`
 * if one was not created, or with what `tryCanaries` rejects with.
 */
export async function proveCanaries(
  rows: ReadonlyMap<Canary, ValidRow>,
  before: ProvedCanaries,
  { resultOf, markOf, tryCanaries, by }: TryingCanaries,
): Promise<ProvedCanaries & { ramp: CanaryLogins }> {
  const proved = new Set(before.proved);
  const created = new Map<Canary, string>();
  const refused: string[] = [];
  for (const [canary, row] of rows) {
    const mark = markOf(row);
    if (proved.has(mark)) continue;
    const result = resultOf(row.row) ?? 'pending';
    if (result === 'created') created.set(canary, mark);
    else if (result !== 'existing') refused.push(`line ${canary.line}, row ${row.row}: ${result}`);
  }
  if (refused.length > 0) {
    throw new StoppedError(
      'CANARY_FAILED',
      `${refused.length} of ${rows.size} canaries were not created (${refused.join('; ')}), so no other row was sent`,
      remedies[by],
    );
  }
  if (created.size === 0)
    return { ramp: before.ramp ?? { canaries: 0, logins: 'unproven on the tenant' }, proved: before.proved };
  const ramp = await tryCanaries([...created.keys()]);
  if (ramp.logins !== 'accepted') return { ramp, proved: before.proved };
  for (const mark of created.values()) proved.add(mark);
  return { ramp: { canaries: proved.size, logins: ramp.logins }, proved: [...proved] };
}
