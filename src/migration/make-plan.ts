import { resolve } from 'node:path';
import type { User } from '../contract/wire.ts';
import type { RowField } from './actions/differences.ts';
import type { ChangingKind } from './actions/reasons.ts';
import { requireOwnRecords } from './directory/own-directory.ts';
import { openInput } from './input/open-input.ts';
import { incompleteListing, SourceError } from './model/errors.ts';
import { chooseSource } from './owners/choose-source.ts';
import { countSharedIds, type DecidingOptions, decideRows } from './owners/decide-rows.ts';
import { type EarlierRows, openEarlierRows } from './owners/earlier-rows.ts';
import type { TenantReader } from './owners/list-owners.ts';
import { weighRows } from './owners/weigh-rows.ts';
import { createActionCounts } from './plan/action-counts.ts';
import { mostDisabled, requireValidRows, requireWithinLimits } from './plan/action-limits.ts';
import { lineOf, userLine } from './plan/decided-lines.ts';
import { readDifferentUsers } from './plan/document/action-lines.ts';
import { findOlderJob } from './plan/document/plan-document.ts';
import type { FileReading, Plan } from './plan/document/plan-schemas.ts';
import { openVanishedList, type VanishedList } from './plan/vanished-users.ts';
import {
  openPlanWriter,
  type PlanWriter,
  type PlanWriterOptions,
  planFacts,
  refuseHeld,
} from './plan/write-plan.ts';
import { withoutExamples } from './recipes/recipe.ts';
import { requireKeyColumn } from './rows/columns.ts';
import { refuseOwnList } from './rows/own-lists.ts';
import type { PreparedSource } from './rows/prepared-source.ts';
import { validateRows } from './rows/validate-rows.ts';
import { createRunControl } from './send/call-api.ts';

/** Options of a plan; without `by`, all keys and the name must agree. */
export interface PlanOptions extends DecidingOptions, PlanWriterOptions {
  /** How the file is read. */
  reading: FileReading;
  /** The HMAC key for rows without one. */
  key?: string | undefined;
  /** Fields of existing users to update from the row, or `all`, which is the default with `only: 'update'`. */
  update?: readonly string[] | 'all' | undefined;
  /** The only kind of change that the plan may have. */
  only?: ChangingKind | undefined;
  /** Disable the users of all rows, with `only: 'disable'`. */
  disableAll?: boolean | undefined;
  /** Disable users who have no row in the file; with `since`, only those who had one in the earlier file. */
  disableMissing?: boolean | undefined;
  /** Directory of an earlier job: decides only what changed since its file, and leaves the rest as it is. */
  since?: string | undefined;
  /** Called with the earlier job before its rows are read; what it throws ends the plan. */
  onSince?: ((job: EarlierJob, digest: string) => void | Promise<void>) | undefined;
}

/** The job of `since`, and when its first run began, which tells it from another one in its directory. */
export type EarlierJob = Pick<NonNullable<Plan['since']>, 'job' | 'begun_at'>;

/**
 * Makes a plan: reads and checks the file, looks up who has the keys of each row in the tenant, and decides an action for each row.
 * Nothing is written to the tenant. `changed`: number of users who were changed while the tenant was read; applying the plan detects
 * them. Rejects with a `SourceError`, with a `StoppedError` if there are more actions of a kind than allowed, with a `ListingError`,
 * with a `PlanError` if a plan of the directory was applied, or with the tenant's error.
 */
export async function makePlan(reader: TenantReader, options: PlanOptions) {
  const { directory, now, disableMissing = false, withValues = false } = options;
  const update = options.update ?? (options.only === 'update' ? 'all' : undefined);
  const started = now();
  const subject = { file: { path: resolve(options.file) } };
  refuseHeld(directory, subject);
  const { key: hmacKey, signal } = options;
  // The plan stores when the file was read: a ban that ends before the plan is applied would change what a row says.
  const reading = { ...options.reading, readAt: started };
  const { source, columns } = await openInput(options.file, {
    ...reading,
    key: hmacKey,
    signal,
  });
  const since = options.since === undefined ? undefined : resolve(options.since);
  const olderJob = since && (await findOlderJob(since, source.digest));
  let chosen: Awaited<ReturnType<typeof chooseSource>> | undefined;
  let earlier: EarlierRows | undefined;
  let writer: PlanWriter | undefined;
  let vanished: VanishedList | undefined;
  try {
    requireKeyColumn(options.file, columns, options.by);
    requireDisabling(source, options);
    refuseOwnList(source, (options.only ?? 'create') === 'create' && !options.disableAll);
    options.onSource?.(source, columns);
    writer = await openPlanWriter(directory, subject, now);
    const { fingerprints } = writer;
    const control = createRunControl(options);
    if (since !== undefined) {
      earlier = await openEarlierRows(since, options.target);
      await options.onSince?.({ job: since, begun_at: earlier.begunAt }, source.digest);
      if (disableMissing) requireOwnRecords(since);
      for await (const user of readDifferentUsers(since)) earlier.add(user);
    }
    const how = { ...options, update };
    const weighed = await weighRows(source, columns, how, earlier);
    const needs = { rows: weighed.changed, columns, needed: weighed.needed };
    chosen = await chooseSource(reader, control, needs);
    const counts = createActionCounts(columns);
    const { by, only, disableAll } = options;
    const withRenamed = !columns.accepted.has('DUPLICATE_EXTERNAL_ID');
    const deciding = { by, update: update && updates(update), only, disableAll, withRenamed };
    const decided = decideRows(
      validateRows(source, columns),
      chosen.source,
      deciding,
      earlier,
      weighed.otherKeys,
    );
    let done = 0;
    let sharedIds = 0;
    for await (const rows of decided) {
      control.breaker.signal.throwIfAborted();
      counts.add(rows);
      sharedIds += await countSharedIds(rows, chosen.source);
      await writer.write(rows.map((row) => lineOf(row, fingerprints, withValues)));
      done += rows.length;
      options.onStep?.({ what: 'rows decided', done, total: source.rows });
    }
    vanished = earlier && (await openVanishedList(directory, earlier, withValues));
    // With such rows nobody knows who vanished; the users are in the plan all the same, so that the next one knows them.
    const nameless = weighed.nameless + (counts.reasons.KEY_CHANGED ?? 0);
    const left = nameless > 0 ? 'PERHAPS_VANISHED' : 'VANISHED';
    const gone = disableMissing ? 'ABSENT' : left;
    const reasonOf = (user: User) => (nameless === 0 && earlier?.isOwner(user) ? 'VANISHED_OWNER' : gone);
    const others =
      vanished?.lookUp(reader, control, reasonOf) ?? (disableMissing && chosen.listing?.others());
    let missing = 0;
    for await (const users of others || []) {
      control.breaker.signal.throwIfAborted();
      const enabled = users.filter((user) => !user.disabled);
      missing += enabled.length;
      for (const user of enabled) counts.count(reasonOf(user));
      await writer.write(
        enabled.map((user) =>
          userLine(reasonOf(user), { user_id: user.user_id, user }, fingerprints, { withValues }),
        ),
      );
    }
    const isListed = nameless === 0 || missing === 0;
    requireComplete(chosen.listing?.faults ?? []);
    const changed = (await chosen.listing?.countChanged()) ?? 0;
    const { users } = chosen;
    if (disableMissing) requireValidRows(counts);
    const { limits = [] } = options;
    // If somebody wants all users of a file disabled, the default limit does not apply.
    const isLimited = disableAll || limits.some(({ kind }) => kind === 'disable');
    const own = isLimited ? [] : [mostDisabled(olderJob !== undefined && disableMissing)];
    const known = disableMissing ? earlier?.users() : undefined;
    requireWithinLimits(counts.totals, [...limits, ...own], { users, known, rows: source.rows, olderJob });
    const facts = {
      ...planFacts(options, counts),
      file: { ...subject.file, digest: source.digest, rows: source.rows },
      reading: withoutExamplesIn(reading),
      mapping: columns.optionsDigest,
      options: {
        key: by ?? null,
        update: update ?? null,
        disable_missing: disableMissing,
        only: only ?? null,
        ...(disableAll ? { disable_all: true as const } : {}),
      },
      ...(since === undefined || !earlier
        ? {}
        : {
            since: {
              job: since,
              begun_at: earlier.begunAt,
              unchanged: source.rows - weighed.changed,
              vanished: missing,
              ...(isListed ? {} : { nameless }),
              ...(weighed.isReordered ? { other_order: true as const } : {}),
              ...(olderJob === undefined ? {} : { older_job: olderJob }),
            },
          }),
      ...(counts.totals.update > 0 ? { fields: counts.fields } : {}),
      ...(counts.inPart() > 0 ? { updates_in_part: counts.inPart() } : {}),
      ...(sharedIds > 0 ? { shared_external_ids: sharedIds } : {}),
      users,
      asked: chosen.reason,
    };
    return { plan: await writer.complete(facts, isListed ? vanished : undefined), changed };
  } finally {
    await vanished?.close();
    await writer?.close();
    earlier?.close();
    chosen?.listing?.close();
    await source.close();
  }
}

/** Throws a `SourceError` if a plan may only disable, and nothing says whom. */
function requireDisabling({ file, recipe }: PreparedSource, { only, disableAll }: PlanOptions): void {
  if (only !== 'disable' || disableAll || recipe?.disables) return;
  const hint =
    'Say so with disable: in a recipe. If the file lists people who leave, use --disable-all: it disables the users of all rows.';
  throw new SourceError(file, 'nothing in the file says who is disabled', undefined, hint);
}

/** How the file is read, as a plan keeps it. */
function withoutExamplesIn({ recipe, ...reading }: FileReading): FileReading {
  if (recipe === undefined) return reading;
  return { ...reading, recipe: recipe === 'none' ? recipe : withoutExamples(recipe) };
}

function requireComplete(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw incompleteListing(faults, 'No plan was made: make it again at a quieter time.');
}

function updates(update: readonly string[] | 'all'): (field: RowField) => boolean {
  if (update === 'all') return () => true;
  const fields = new Set(update);
  return (field) => fields.has(field);
}
