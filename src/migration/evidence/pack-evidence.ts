import { createPublicKey, sign } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isPostgres } from '../../text/locations/database-location.ts';
import { fingerprint, newFingerprintKey } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import { inUse } from '../directory/lock-directory.ts';
import { isResultFile } from '../journal/archive.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { readRuns } from '../journal/database/job-facts.ts';
import { disabledByJob, noteDisabledRows } from '../journal/database/row-fingerprints.ts';
import { isKeyOfRecord, type OutcomeRow, requireUndamaged } from '../journal/database/tables.ts';
import { neverStarted } from '../journal/reading/open-job.ts';
import { digestFile, sha256 } from '../model/digests.ts';
import { EvidenceError, JobDirectoryError } from '../model/errors.ts';
import type { JobStatus } from '../model/job-status.ts';
import { keyFrom } from '../plan/document/signature.ts';
import { describeEnded } from '../records/job-status.ts';
import { openRecords } from '../records/open-records.ts';
import type { EvidenceHead, EvidenceRow } from './evidence-document.ts';
import { chainLine, publicText, signedText } from './evidence-lines.ts';

export interface PackOptions {
  /** Path of the evidence; the file must not exist yet. */
  to: string;
  /** Private Ed25519 key in PEM form. */
  privatePem?: string | undefined;
  /** Key of the fingerprints; by default a new one, which is discarded. */
  key?: string;
  version: string;
  signal?: AbortSignal;
  now: () => number;
}

/** Packs the evidence of a job. Throws a `JobDirectoryError`, also if a run is using it. */
export async function packJob(directory: string, options: PackOptions) {
  const records = await openRecords(directory);
  if (!records) throw inUse(directory);
  try {
    return await packEvidence(directory, records.connection, options);
  } finally {
    records.close();
  }
}

/**
 * Packs the result of a job into a file that anybody can verify without the tenant: a chain of lines, one per row. Rows and users
 * are identified only by fingerprints under a key that is not in the file. `digest`: the last link, which stands for every byte
 * before it; `rows`: number of rows that have an outcome. If packing fails or is interrupted, no file is left. Throws a
 * `JobDirectoryError`.
 */
export async function packEvidence(
  directory: string,
  connection: JournalDatabase,
  { to, privatePem, key = newFingerprintKey(), version, signal, now }: PackOptions,
) {
  requireUndamaged(directory, connection);
  const privateKey = privatePem === undefined ? undefined : keyFrom(privatePem, 'private', wrongKey);
  const head = await headOf(directory, connection, version, now());
  const file = await open(to, 'wx', 0o600);
  let [text, link, lines, rows] = ['', '', 0, 0];
  const add = (body: object) => {
    const chained = chainLine(link, body);
    link = chained.link;
    text += chained.line;
  };
  try {
    add({ ...head, fingerprint_key: sha256(key) });
    for (const row of rowsOf(connection, key)) {
      add(row);
      lines += 1;
      if (!row.earlier) rows += 1;
      if (text.length < 65_536) continue;
      await file.writeFile(text);
      signal?.throwIfAborted();
      text = '';
    }
    add({ end: true, rows: lines, signed: privateKey !== undefined });
    if (privateKey) {
      const signature = sign(null, signedText(link), privateKey).toString('base64');
      text += `${JSON.stringify({ signature, public_key: publicText(createPublicKey(privateKey)) })}\n`;
    }
    await file.writeFile(text);
    await file.sync();
    signal?.throwIfAborted();
  } catch (failure) {
    await rm(to, { force: true });
    throw failure;
  } finally {
    await file.close();
  }
  return { rows, digest: link, signed: privateKey !== undefined, state: head.job.state };
}

/** Returns the error for a key that cannot sign or verify evidence. */
export function wrongKey(fault: string, hint: string): EvidenceError {
  return new EvidenceError('EVIDENCE_SIGNATURE', fault, hint);
}

async function headOf(
  directory: string,
  connection: JournalDatabase,
  program: string,
  now: number,
): Promise<Omit<EvidenceHead, 'fingerprint_key'>> {
  const known = describeEnded(directory, connection);
  if (!known?.summary) throw neverStarted(directory);
  const { status, summary } = known;
  if (status.state === 'purged') {
    const hint = 'The evidence that was packed before is evidence.jsonl in the directory.';
    throw new JobDirectoryError(directory, 'its personal data was deleted, and with it its rows', hint);
  }
  const { source, optionsDigest, recipe, kind } = known.job;
  return {
    evidence: 1,
    program,
    packed_at: new Date(now).toISOString(),
    // Base names only: the directories around them are private to the operator.
    job: {
      ...status,
      job: basename(directory),
      file: basename(status.file),
      target: withoutDirectory(status.target),
      ...(summary.without_row === undefined ? {} : { without_row: summary.without_row }),
    },
    codes: summary.codes,
    by_algorithm: summary.by_algorithm,
    digests: {
      source,
      ...(kind === 'plan' ? { plan: optionsDigest } : { options: optionsDigest }),
      ...(recipe ? { recipe: { ...recipe, name: basename(recipe.name) } } : {}),
      records: await digestRecords(directory),
    },
    runs: readRuns(connection).map(({ started_at, seconds, note }) => ({
      started_at: new Date(started_at).toISOString(),
      seconds,
      note,
    })),
  };
}

/** Returns a target without the directory of its database file. */
function withoutDirectory({ database, ...target }: JobStatus['target']): JobStatus['target'] {
  if (database === undefined) return target;
  return { ...target, database: isPostgres(database) ? database : basename(database) };
}

async function digestRecords(directory: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of (await readdir(directory)).filter(isResultFile).sort()) {
    digests[name] = await digestFile(join(directory, name));
  }
  return digests;
}

function* rowsOf(connection: JournalDatabase, key: string): Generator<EvidenceRow, void> {
  noteDisabledRows(connection);
  for (const table of ['outcomes', 'earlier'] as const) {
    const sql = `SELECT *, ${disabledByJob[table]} AS is_disabled FROM ${table} ORDER BY row`;
    for (const stored of connection.prepare(sql).iterate() as Iterable<
      OutcomeRow & { is_disabled: number | null }
    >) {
      const {
        row,
        result,
        algorithm,
        code,
        found_by_look_up: found,
        user_id: user,
        is_disabled: isDisabled,
      } = stored;
      const own = identifierOf(stored);
      yield {
        row,
        result,
        ...(algorithm === null ? {} : { algorithm }),
        ...(code === null ? {} : { code }),
        ...(found === null ? {} : { found_by_look_up: true }),
        ...(isDisabled ? { disabled: true } : {}),
        ...(own === undefined ? {} : { key: fingerprint(key, 'key', own) }),
        ...(user === null ? {} : { user: fingerprint(key, 'id', user) }),
        ...(table === 'earlier' ? { earlier: true } : {}),
      };
    }
  }
}

/** Returns the first identifier of a row, as far as it is known. Rows that are kept for the record only have a key of another form. */
function identifierOf({ key, user_name, external_id }: OutcomeRow): string | undefined {
  if (key !== null && !isKeyOfRecord(key)) return key;
  if (user_name !== null) return rowKey({ user_name });
  return external_id === null ? undefined : rowKey({ external_id });
}
