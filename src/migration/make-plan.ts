import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RowField } from './actions/differences.ts';
import { openInput } from './input/open-input.ts';
import { journalName } from './journal/archive.ts';
import { ListingError, PlanError } from './model/errors.ts';
import { type ChosenSource, chooseSource } from './owners/choose-source.ts';
import { type DecidingOptions, decideRows } from './owners/decide-rows.ts';
import type { TenantReader } from './owners/list-owners.ts';
import { type ActionLimit, requireWithinLimits } from './plan/action-limits.ts';
import { type ActionWriter, openActions } from './plan/action-lines.ts';
import { createCounts } from './plan/count-actions.ts';
import { absentLine, lineOf } from './plan/decided-lines.ts';
import { createFingerprints, newFingerprintKey } from './plan/fingerprints.ts';
import {
  canonicalText,
  type FileReading,
  type Plan,
  type PlannedKind,
  planFiles,
  sealPlan,
  sha256,
} from './plan/plan-document.ts';
import { renderPlan } from './plan/render-plan.ts';
import { validateRows } from './rows/validate-rows.ts';
import { createRunControl } from './send/call-api.ts';

/** What a plan needs to know; without `by` all keys and the name must agree. */
export interface PlanOptions extends DecidingOptions {
  /** How the file is read. */
  reading: FileReading;
  /** The HMAC key for rows without one. */
  key?: string;
  /** Fields of existing users that are to be as the row says: these, or all. */
  update?: readonly string[] | 'all';
  /** Disable users of whom the file has no row. */
  disableMissing?: boolean;
  /** Most actions of a kind. */
  limits?: readonly ActionLimit[];
  /** Put values into the plan: user names, external ids, and what an update changes. */
  withValues?: boolean;
}

/** A plan that was made. */
export interface MadePlan {
  plan: Plan;
  /** Users who were changed while the tenant was read: they are found out when the plan is applied. */
  changed: number;
}

/**
 * Makes a plan: reads and checks the file, asks the tenant who has the keys of each row, and decides an action for each.
 * Nothing is written to the tenant. Rejects with a `SourceError`, with a `StoppedError` where there are more actions of a
 * kind than allowed, with a `ListingError`, with a `PlanError` where a plan of the directory was applied, or with what the
 * tenant failed with.
 */
export async function makePlan(reader: TenantReader, options: PlanOptions): Promise<MadePlan> {
  const { directory, now, disableMissing = false } = options;
  const started = now();
  refuseApplied(directory);
  const { reading, key: hmacKey, signal } = options;
  const { source, columns } = await openInput(options.file, {
    ...reading,
    ...(hmacKey === undefined ? {} : { key: hmacKey }),
    ...(signal ? { signal } : {}),
  });
  let chosen: ChosenSource | undefined;
  let writer: ActionWriter | undefined;
  try {
    options.onSource?.(source, columns);
    const control = createRunControl(options);
    const needs = { rows: source.rows, columns, needsListing: disableMissing };
    chosen = await chooseSource(reader, control, needs, (users, total) =>
      options.onProgress?.('users', users, total),
    );
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `${planFiles.actions}.new`);
    writer = await openActions(fresh);
    const key = newFingerprintKey();
    const fingerprints = createFingerprints(key);
    const counts = createCounts(columns);
    const decided = decideRows(await validateRows(source, columns), chosen.source, {
      ...(options.by === undefined ? {} : { by: options.by }),
      ...(options.update === undefined ? {} : { update: updates(options.update) }),
    });
    let done = 0;
    for await (const rows of decided) {
      control.breaker.signal.throwIfAborted();
      counts.add(rows);
      await writer.write(rows.map((row) => lineOf(row, fingerprints, options.withValues ?? false)));
      done += rows.length;
      options.onProgress?.('rows', done, source.rows);
    }
    if (disableMissing && chosen.listing) {
      for (const users of chosen.listing.others()) {
        const enabled = users.filter((user) => !user.disabled);
        counts.addAbsent(enabled.length);
        await writer.write(
          enabled.map((user) => absentLine(user, fingerprints, options.withValues ?? false)),
        );
      }
    }
    requireComplete(chosen.listing?.faults ?? []);
    const changed = (await chosen.listing?.countChanged()) ?? 0;
    const actions = await writer.end();
    const seconds = Math.max(now() - started, 0) / 1000;
    requireWithinLimits(counts, { ...options, users: chosen.users, rows: source.rows });
    const plan = sealPlan({
      version: 1,
      program: options.version,
      made_at: new Date(now()).toISOString(),
      file: { path: resolve(options.file), digest: source.digest, rows: source.rows },
      reading,
      mapping: columns.optionsDigest,
      target: options.target,
      options: {
        key: options.by ?? null,
        update: options.update ?? null,
        disable_missing: disableMissing,
      },
      users: chosen.users,
      asked: chosen.reason,
      totals: counts.totals,
      reasons: counts.reasons,
      people: counts.people,
      forecast: forecastOf(counts.totals, control.limiter.history(), seconds),
      actions,
      key: sha256(key),
      with_values: options.withValues ?? false,
    });
    await rm(join(directory, planFiles.signature), { force: true });
    await rename(fresh, join(directory, planFiles.actions));
    for (const [name, text] of [
      [planFiles.key, key],
      [planFiles.page, renderPlan(plan)],
      [planFiles.plan, canonicalText(plan)],
    ] as const) {
      await writeFile(join(directory, `${name}.new`), text, { mode: 0o600 });
      await rename(join(directory, `${name}.new`), join(directory, name));
    }
    return { plan, changed };
  } finally {
    await writer?.close();
    chosen?.listing?.close();
    await source.close();
  }
}

function refuseApplied(directory: string): void {
  if (!existsSync(join(directory, journalName))) return;
  throw new PlanError(
    'PLAN_APPLIED',
    `${directory}: this directory holds a plan or a job that was applied`,
    'Name another directory with --to.',
  );
}

function requireComplete(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new ListingError(
    `the tenant was not listed completely: ${faults.join('; ')}`,
    'No plan was made: make it again when fewer changes are made.',
  );
}

function updates(update: readonly string[] | 'all'): (field: RowField) => boolean {
  if (update === 'all') return () => true;
  const fields = new Set(update);
  return (field) => fields.has(field);
}

/** An update and a disabling read the user first. */
function forecastOf(
  totals: Record<PlannedKind, number>,
  samples: readonly { answered: number }[],
  seconds: number,
): Plan['forecast'] {
  const requests = totals.create + 2 * totals.update + 2 * totals.disable;
  const answered = samples.reduce((sum, sample) => sum + sample.answered, 0);
  const pace = seconds > 0 ? answered / seconds : 0;
  return { requests, seconds: pace > 0 ? Math.ceil(requests / pace) : 0 };
}
