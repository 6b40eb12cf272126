import type { Canary } from '../canaries/read-canaries.ts';
import type { Journal } from '../journal/journal.ts';
import { StoppedError } from '../model/errors.ts';
import { canLogIn, type Outcome } from '../model/outcome.ts';
import type { CanaryLogins } from '../model/summary.ts';
import type { ValidRow } from '../rows/validate-rows.ts';

/** Tries canaries on the tenant. Rejects with a `StoppedError` if one cannot log in, or does not exist. */
export type TryCanaries = (canaries: readonly Canary[]) => Promise<CanaryLogins>;

/** What to do about a canary that was not created. Its row has an outcome, which the same command does not try again. */
const remedies = {
  import:
    'See failures.csv in the job directory. Fix the cause and use --only failed, which tries these rows again, or name other canaries.',
  rehearsal:
    'See failures.csv in the job directory. Fix the cause, or name other canaries, then rehearse again.',
  plan: 'See failures.csv in the plan directory, and name other canaries.',
};

/**
 * Tries the canaries that the job created on the tenant, and stores the result. Leaves out those that an earlier run has proved,
 * and those whose users are not as their rows in a corrected file say: they cannot log in. `outcomes`: of the rows that this run
 * has sent, by row. Rejects with a `StoppedError` if one was not created, or with what `tryCanaries` rejects with.
 */
export async function proveCanaries(
  rows: ReadonlyMap<Canary, ValidRow>,
  journal: Journal,
  outcomes: ReadonlyMap<number, Outcome>,
  tryCanaries: TryCanaries,
  by: keyof typeof remedies,
): Promise<void> {
  const { ramp: before, proved_canaries: provedBefore } = journal.facts();
  const proved = new Set(provedBefore);
  const created = new Map<Canary, string>();
  const refused: string[] = [];
  const notTried: number[] = [];
  for (const [canary, { row, user }] of rows) {
    // The same only for the same user with the same hash.
    const mark = journal.fingerprints.ofHash(user);
    if (proved.has(mark)) continue;
    const outcome = outcomes.get(row) ?? journal.outcomeOf(row);
    const result = outcome?.result ?? 'pending';
    if (result === 'created' && !canLogIn(differenceOf(outcome))) notTried.push(canary.line);
    else if (result === 'created') created.set(canary, mark);
    else if (result !== 'existing') refused.push(`line ${canary.line}, row ${row}: ${result}`);
  }
  if (refused.length > 0) {
    throw new StoppedError(
      'CANARY_FAILED',
      `${refused.length} of ${rows.size} canaries were not created (${refused.join('; ')}), so no other row was sent`,
      remedies[by],
    );
  }
  const leftOut = notTried.length > 0 ? { not_tried: notTried } : {};
  if (created.size === 0) {
    const { canaries, logins }: CanaryLogins = before ?? { canaries: 0, logins: 'unproven on the tenant' };
    journal.set('ramp', { canaries, logins, ...leftOut });
    return;
  }
  const ramp = await tryCanaries([...created.keys()]);
  if (ramp.logins === 'accepted') {
    for (const mark of created.values()) proved.add(mark);
    journal.set('proved_canaries', [...proved]);
  }
  const canaries = ramp.logins === 'accepted' ? proved.size : ramp.canaries;
  journal.set('ramp', { ...ramp, canaries, ...leftOut });
}

/** Returns how the user of a row differs from it, from the outcome of this run or of an earlier one. */
function differenceOf(outcome: Outcome | ReturnType<Journal['outcomeOf']>) {
  if (outcome === undefined) return undefined;
  if ('code' in outcome) return outcome.code;
  return 'differsBy' in outcome ? outcome.differsBy : undefined;
}
