import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../contract/is-record.ts';
import { makeDirectory } from '../../migration/directory/make-directory.ts';
import { replaceFile } from '../../migration/directory/replace-file.ts';
import type { PaceEvidence } from '../../migration/forecast/forecast-time.ts';
import type { ImportOptions } from '../../migration/import-users.ts';
import type { Pace } from '../../migration/model/forecast.ts';
import type { Summary } from '../../migration/model/summary.ts';
import type { JobResult } from '../../migration/open-run.ts';
import {
  isOld,
  measurePace,
  type StartingPace,
  startingPace,
} from '../../migration/rate-limit/measure-pace.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, reasonOf } from '../errors/errors.ts';
import { withLock } from './lock-file.ts';

/** The pace that a run into a tenant reached, and when. `target`: address and client id of the tenant. */
export interface KnownPace extends Pace {
  target: Readonly<Record<string, string>>;
  /** ISO 8601. */
  measured_at: string;
}

/** Number of tenants whose pace is kept, those measured last. */
const mostTenants = 100;

/** The file with the paces that this account measured on this machine. */
function paceFile({ stateDirectory }: Pick<CommandContext, 'stateDirectory'>): string {
  return join(stateDirectory, 'pace.json');
}

/** The last measured pace of a tenant; `undefined` if none is known. */
export function knownPace(context: CommandContext, target: KnownPace['target']): KnownPace | undefined {
  return readPaces(context).find((known) => isDeepStrictEqual(known.target, target));
}

/** The last measured pace of a tenant, as evidence for a forecast; `undefined` if there is none or it is older than 30 days. */
export function rememberedPace(
  context: CommandContext,
  target: KnownPace['target'],
): PaceEvidence | undefined {
  const known = knownPace(context, target);
  if (!known) return undefined;
  const { target: _, measured_at: at, ...pace } = known;
  const age = context.now() - Date.parse(at);
  return isOld(age) ? undefined : { pace, source: 'import', age };
}

/** The rate and concurrency that a run into a tenant starts with; `undefined` if its pace is not known or too old. */
export function startOf(context: CommandContext, target: KnownPace['target']): StartingPace | undefined {
  const known = knownPace(context, target);
  return known && startingPace(known, context.now() - Date.parse(known.measured_at));
}

/**
 * True for a run that went as fast as the tenant allows: without a limit set by a person, not one of several shards, and not one
 * that only looked up rows.
 */
export function isPaceOfTenant({
  concurrency,
  rate,
  shard,
  mode,
}: Pick<ImportOptions, 'concurrency' | 'rate' | 'shard' | 'mode'>): boolean {
  return concurrency === 'auto' && rate === undefined && shard === undefined && mode !== 'only unanswered';
}

type EndedRun = Pick<JobResult, 'history'> & {
  summary: Pick<Summary, 'rows_per_second' | 'seconds' | 'waited_seconds'>;
};

/**
 * Stores the pace of a run that was long enough; calls `warn` if the file cannot be written. Ignores a run in which most rows took
 * no request, such as a plan that changes few users: its pace is that of reading rows, unless it met a limit.
 */
export async function keepPace(
  context: CommandContext,
  target: KnownPace['target'],
  { history, summary }: EndedRun,
  warn: (text: string) => void,
): Promise<void> {
  const pace = measurePace(history);
  const { rows_per_second: rate, seconds, waited_seconds: waited = 0 } = summary;
  const answered = history.reduce((sum, sample) => sum + sample.answered, 0);
  const rows = rate * (seconds - waited);
  if (!pace || (pace.limit === null && answered < rows / 2)) return;
  const measured_at = new Date(context.now()).toISOString();
  try {
    await changePaces(context, target, (others) =>
      [{ target, measured_at, ...pace }, ...others].slice(0, mostTenants),
    );
  } catch (cause) {
    // Without a home directory there is no path to name.
    const where = cause instanceof ConfigurationError ? '' : ` in ${paceFile(context)}`;
    warn(`Notice: the pace of this run could not be stored${where}: ${reasonOf(cause)}`);
  }
}

/** Forgets the pace of a tenant; false if none is known. Rejects with file system errors. */
export async function forgetPace(context: CommandContext, target: KnownPace['target']): Promise<boolean> {
  if (!knownPace(context, target)) return false;
  await changePaces(context, target, (others) => others);
  return true;
}

/** Replaces the file by what `change` makes of the paces of all other tenants, one process at a time. */
async function changePaces(
  context: CommandContext,
  target: KnownPace['target'],
  change: (others: readonly KnownPace[]) => readonly KnownPace[],
): Promise<void> {
  const file = paceFile(context);
  makeDirectory(context.stateDirectory);
  await withLock(file, () => {
    const paces = change(readPaces(context).filter((known) => !isDeepStrictEqual(known.target, target)));
    return replaceFile(file, `${JSON.stringify({ paces })}\n`);
  });
}

/** Reads all stored paces. Damaged ones count as missing: the next run measures again. */
function readPaces(context: CommandContext): KnownPace[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(paceFile(context), 'utf8'));
    return isRecord(stored) && Array.isArray(stored.paces) ? stored.paces.filter(isKnownPace) : [];
  } catch {
    return [];
  }
}

/** True for a valid entry: an edited file may contain anything. */
function isKnownPace(value: unknown): value is KnownPace {
  if (!isRecord(value) || !isRecord(value.target)) return false;
  const isSpeed = (speed: unknown) => typeof speed === 'number' && speed > 0 && Number.isFinite(speed);
  return (
    Object.values(value.target).every((part) => typeof part === 'string') &&
    typeof value.measured_at === 'string' &&
    !Number.isNaN(Date.parse(value.measured_at)) &&
    [value.likely, value.fastest].every(isSpeed) &&
    typeof value.slowest === 'number' &&
    (value.limit === null || isSpeed(value.limit)) &&
    Number.isInteger(value.in_flight) &&
    isSpeed(value.in_flight)
  );
}
