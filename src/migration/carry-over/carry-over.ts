import { decideCorrected, type SentDifference } from '../actions/decide-corrected.ts';
import { type Fingerprints, isOfDisabled } from '../actions/fingerprints.ts';
import { hasUniqueKey, rowKey } from '../actions/keys.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { intentKinds } from '../journal/database/exact-intents.ts';
import { readFacts, storeFact } from '../journal/database/job-facts.ts';
import { sentFor, storeFingerprints, unpackFingerprints } from '../journal/database/row-fingerprints.ts';
import { isKeyOfRecord, keyOfUnanswered, keyOfValues, type OutcomeRow } from '../journal/database/tables.ts';
import { createInserts } from '../journal/insert-outcomes.ts';
import { moveToEarlier, resume } from '../journal/resume.ts';
import type { Job } from '../model/job.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { isOfShard } from '../model/shard.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import { openChangedKeys, refuseChangedKeys } from './changed-keys.ts';

/** A corrected file, and the job that has it from now on. */
export interface CorrectedFile {
  job: Job;
  rows: AsyncGenerator<readonly ValidatedRow[], void>;
  /** Rows that seem to be users of the job under another key are other people. */
  acceptsChangedKeys: boolean;
  signal?: AbortSignal | undefined;
  /** The job directory. */
  directory: string;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Makes the journal of a job that of a corrected file, as if the job had always had it: each row whose user is known gets that outcome,
 * and one whose person may have been sent an intent. Does so in the open transaction, and yields the rows when it knows
 * them. Throws a `JobDirectoryError` after the last one if rows seem to be users of the job under another key.
 */
export async function* carryOver(
  connection: JournalDatabase,
  before: Job,
  { job, rows, acceptsChangedKeys, directory, signal, now }: CorrectedFile,
): AsyncGenerator<readonly ValidatedRow[], void> {
  const { command } = readFacts(connection);
  unpackFingerprints(connection);
  const keys = acceptsChangedKeys ? undefined : openChangedKeys(connection, before.rows);
  resume(connection, before, { mode: 'only failed', now });
  const arrivesUntil = moveToEarlier(connection);
  const fingerprints = storeFingerprints(connection, (work) => work());
  const inserts = createInserts(connection);
  const carry = createCarrying(connection, inserts.add, fingerprints.open(), arrivesUntil);
  for await (const list of fingerprints.record(rows)) {
    signal?.throwIfAborted();
    for (const row of list) {
      if (!isOfShard(row.row, job.shard)) continue;
      keys?.add(row);
      if (row.user) carry.add(row);
      else carry.addLeftOut(row);
    }
    inserts.flush();
    yield list;
  }
  if (keys) refuseChangedKeys(directory, connection, keys, { before, command });
  keys?.close();
  carry.end();
  storeFact(connection, 'job', job);
  storeFact(connection, 'corrected', 1);
}

/**
 * Gives rows the users who have their first keys in `earlier`, or intents: an earlier file may have been sent for their users.
 * `arrivesUntil`: until when, in epoch milliseconds, such a request can still arrive; `undefined` if all got their answers.
 */
function createCarrying(
  connection: JournalDatabase,
  record: (outcome: FinalOutcome) => void,
  fingerprints: Fingerprints,
  arrivesUntil: number | undefined,
) {
  const select = connection.prepare('SELECT * FROM earlier WHERE key = ?');
  const remove = connection.prepare('DELETE FROM earlier WHERE key = ?');
  const meet = connection.prepare('UPDATE earlier SET row = ?, line = ? WHERE key = ?');
  const insertIntent = connection.prepare(`INSERT INTO exact_intents VALUES (?, ?, ${intentKinds.earlier})`);
  const intend = (row: number) => arrivesUntil !== undefined && insertIntent.run(row, arrivesUntil);
  /** Values of rows without an answer, whether disabled or not, that no row has had so far. */
  const unmet = unansweredValues(connection);
  const unknown: number[] = [];
  const leftOut: { row: number; line: number; key: string }[] = [];
  const meetValues = ({ user, isDisabled }: ValidRow) =>
    unmet.size > 0 && unmet.delete(fingerprints.ofValues(user, isDisabled).values.slice(1));
  return {
    /** Must be called for the valid rows, in order. */
    add(row: ValidRow): void {
      const key = rowKey(row.user) ?? keyOfValues(fingerprints.ofValues(row.user, row.isDisabled));
      const found = select.get(key) as OutcomeRow | undefined;
      const decided = found && decideCorrected(found, sentFor(found), row, fingerprints);
      const hadNoAnswer = meetValues(row);
      if (found && decided?.kind === 'known') {
        record(outcomeFor(row, found, decided));
        remove.run(key);
      } else if (found?.line === 0 && decided?.kind === 'stranger') meet.run(row.row, row.line, key);
      else if (hadNoAnswer || !hasUniqueKey(row.user)) intend(row.row);
      else unknown.push(row.row);
    },
    /** Notes a row that is not sent: the recipe may leave out somebody whom the job created. */
    addLeftOut({ row, line, skippedUser: user }: InvalidRow): void {
      const key = user && rowKey(user);
      if (!user || key === undefined) return;
      const found = select.get(key) as OutcomeRow | undefined;
      if (found?.result !== 'created') return;
      if (decideCorrected(found, sentFor(found), { user }, fingerprints).kind === 'known')
        leftOut.push({ row, line, key });
    },
    /** Must be called after the last row: one without an answer whom no row has met may be any row with other values. */
    end(): void {
      // Only now, because the person may have a row that is sent, too.
      for (const { key, ...row } of leftOut) {
        const found = select.get(key) as OutcomeRow | undefined;
        if (!found) continue;
        // There is no fingerprint of such a row.
        const sent = { values: '', hash: '', ...sentFor(found) };
        record(
          outcomeFor(row, found, { ...(isOfDisabled(sent.values) ? {} : { differsBy: 'LEFT_OUT' }), sent }),
        );
        remove.run(key);
      }
      if (unmet.size > 0) for (const row of unknown) intend(row);
    },
  };
}

function unansweredValues(connection: JournalDatabase): Set<string> {
  const sql = `SELECT substr(key, ${keyOfUnanswered.length + 2}) AS own FROM earlier WHERE result = 'unknown'`;
  return new Set(connection.rows<{ own: string }>(sql).map(({ own }) => own));
}

/** Returns the outcome of the row that had the user, adapted to the one that has the user now. */
function outcomeFor(
  { row, line }: Pick<ValidRow, 'row' | 'line'>,
  found: OutcomeRow,
  { differsBy, sent }: SentDifference,
): FinalOutcome {
  const { key, result, user_id: userId, user_name: userName, external_id: externalId, algorithm } = found;
  const names = { userName: userName ?? undefined, externalId: externalId ?? undefined };
  const own = key === null || isKeyOfRecord(key) ? undefined : key;
  const reference = { row, line, key: own, algorithm: algorithm ?? undefined, ...names, sent };
  // The run looks the user up, who may be disabled all the same.
  if (userId === null || result === 'failed') {
    const failure = { code: found.code ?? '', message: found.message ?? '', hint: found.hint ?? '' };
    const created = userId === null ? {} : { createdId: userId };
    return { ...reference, result: 'failed', ...failure, ...created };
  }
  if (result === 'existing') return { ...reference, result, userId };
  const more = found.found_by_look_up === null ? {} : { isFoundByLookUp: true as const };
  return { ...reference, result: 'created', userId, ...more, ...(differsBy && { differsBy }) };
}
