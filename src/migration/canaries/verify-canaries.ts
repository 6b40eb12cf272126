import type { HashAlgorithm } from '../../contract/attributes.ts';
import { foldCase } from '../../contract/normal-forms.ts';
import { type Diagnosis, diagnose } from '../hashes/diagnose.ts';
import { verifyHash } from '../hashes/verify.ts';
import type { OpenInput } from '../input/open-input.ts';
import { SourceError, StoppedError } from '../model/errors.ts';
import { describeIssues } from '../rows/issues/issues.ts';
import { type ValidatedRow, type ValidRow, validateRows } from '../rows/validate-rows.ts';
import type { Canary, CanaryList } from './read-canaries.ts';

/** The result of verifying the canaries of one algorithm; a run goes on only if all that were tried matched. */
export interface AlgorithmVerification {
  algorithm: HashAlgorithm;
  tried: number;
  matched: number;
  /** Rows of the file with an HMAC key that no canary has; left out if there are none. */
  otherKeys?: number;
}

interface Attempts extends AlgorithmVerification {
  /** Known mistakes that would explain the canaries that do not match, each once. */
  mistakes: Diagnosis[];
  /** Lines of the canaries that do not match. */
  failed: number[];
}

/** Most diagnoses per algorithm: one of bcrypt takes seconds, and what two canaries do not show, a third seldom does. */
const mostDiagnoses = 2;

/**
 * Finds the rows of the canaries, in a pass of its own, and verifies each password against the hash of its row, before anything is
 * sent. Rejects with a `SourceError` for a canary without a row that can be sent. If a password does not match, rejects with a
 * `StoppedError` that names the mistake which would explain it.
 */
export async function verifyCanaries(
  { source, columns }: Pick<OpenInput, 'source' | 'columns'>,
  { name, list }: CanaryList,
  signal: AbortSignal | undefined,
): Promise<Map<Canary, ValidRow>> {
  const rows = await findRows(validateRows(source, columns), list, name, signal);
  await verifyRows(rows, name, signal);
  return rows;
}

/**
 * Counts canaries, all of which match the hashes of these rows, by algorithm. One whose hash the tenant does not get proves nothing
 * about the tenant, so it must be left out.
 */
export async function countCanaries(
  { source, columns }: Pick<OpenInput, 'source' | 'columns'>,
  rows: readonly ValidRow[],
  signal: AbortSignal | undefined,
): Promise<AlgorithmVerification[]> {
  const counts = new Map<HashAlgorithm, number>();
  for (const { user } of rows) {
    const { algorithm } = user['hash-pwd'] ?? {};
    if (algorithm !== undefined) counts.set(algorithm, (counts.get(algorithm) ?? 0) + 1);
  }
  const verified: AlgorithmVerification[] = [...counts].map(([algorithm, tried]) => ({
    ...{ algorithm, tried, matched: tried },
  }));
  const keyed = verified.find(({ algorithm }) => algorithm === keyedAlgorithm);
  if (keyed && columns.known.some(({ target }) => target === 'key')) {
    const others = await countOtherKeys(validateRows(source, columns), rows, signal);
    if (others > 0) keyed.otherKeys = others;
  }
  return verified;
}

/**
 * Throws a `SourceError` if the canaries are a stage of their own and none of them is sent: the other rows would be sent although
 * nothing was tried. `where`: what a canary must be, and which are.
 */
export function requireFirst(
  first: ReadonlyMap<Canary, ValidRow> | undefined,
  { canaries, ramp }: { canaries?: CanaryList | undefined; ramp?: { tryCanaries?: unknown } | undefined },
  { where, which }: { where: string; which: string },
): void {
  if (!canaries || !ramp?.tryCanaries || first?.size !== 0) return;
  const fault = `no canary is ${where}, so --ramp canaries would try nobody before the other rows`;
  throw new SourceError(canaries.name, fault, undefined, `${which}, or leave canaries out of --ramp.`);
}

const keyedAlgorithm = 'hmacsha256_base64_key';

/** Counts the rows that have another HMAC key than these: one key may be right and another spoilt. */
async function countOtherKeys(
  lists: AsyncIterable<readonly ValidatedRow[]>,
  rows: readonly ValidRow[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const known = new Set(rows.map(({ user }) => user['hash-pwd']?.key));
  let others = 0;
  for await (const list of lists) {
    signal?.throwIfAborted();
    for (const { user } of list) {
      const hash = user?.['hash-pwd'];
      if (hash?.algorithm === keyedAlgorithm && !known.has(hash.key)) others += 1;
    }
  }
  return others;
}

async function verifyRows(
  rows: ReadonlyMap<Canary, ValidRow>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const groups = new Map<HashAlgorithm, Attempts>();
  for (const [canary, { user }] of rows) {
    signal?.throwIfAborted();
    const hash = user['hash-pwd'];
    if (!hash) throw new TypeError('a canary without a hash');
    const { algorithm } = hash;
    const group = groups.get(algorithm) ?? { algorithm, tried: 0, matched: 0, mistakes: [], failed: [] };
    groups.set(algorithm, group);
    group.tried += 1;
    if (await verifyHash(canary.password, hash)) {
      group.matched += 1;
      continue;
    }
    group.failed.push(canary.line);
    if (group.failed.length > mostDiagnoses) continue;
    const mistake = await diagnose(canary.password, hash, signal);
    if (mistake && group.mistakes.every(({ code }) => code !== mistake.code)) group.mistakes.push(mistake);
  }
  const failed = [...groups.values()].filter((group) => group.matched < group.tried);
  if (failed.length > 0) throw canaryFailed(failed, name);
}

/** Combines the results of a job by algorithm: those of this run, or of the shards read so far, replace the others. */
export function mergeVerifications(
  earlier: readonly AlgorithmVerification[],
  now: readonly AlgorithmVerification[],
): AlgorithmVerification[] {
  return [...now, ...earlier.filter((one) => now.every(({ algorithm }) => algorithm !== one.algorithm))];
}

function canaryFailed(groups: readonly Attempts[], name: string): StoppedError {
  const reasons = groups.map(({ algorithm, tried, matched, failed, mistakes }) => {
    const lines = failed.length === 1 ? `line ${failed[0]}` : `lines ${failed.join(', ')}`;
    const known = mistakes.map(({ message }) => `; ${message}`).join('');
    return `${algorithm}: ${tried - matched} of ${tried} passwords do not match their hashes (${name}, ${lines})${known}`;
  });
  const remedies = groups.flatMap(({ mistakes }) => mistakes.map(({ remedy }) => remedy));
  const hint =
    remedies.length > 0
      ? [...new Set(remedies)].join(' ')
      : 'No known mistake of an export explains it: check the passwords, the algorithm and the key with whoever made the file.';
  return new StoppedError('CANARY_FAILED', `nothing was sent: ${reasons.join('. ')}`, hint);
}

/** The row of a canary is no use. */
function cannotBeSent(row: ValidatedRow, canary: Canary | undefined, name: string): SourceError {
  if (row.user) {
    const fault = `row ${row.row} of this user is sent without a hash, so no password can be checked with it`;
    return new SourceError(
      name,
      fault,
      canary?.line,
      'Leave this line out, or name a user whose hash is sent.',
    );
  }
  const { message, hint } = row.isSkipped
    ? { message: 'the recipe leaves it out', hint: '' }
    : describeIssues(row.issues);
  return new SourceError(name, `row ${row.row} of this user cannot be sent: ${message}`, canary?.line, hint);
}

/**
 * Finds the row of each canary: the first row with its user name that is sent, as in the import. Stops reading when all are found. A
 * row that a recipe leaves out, for example of an old account, may stand before the one that counts.
 */
async function findRows(
  rows: AsyncIterable<readonly ValidatedRow[]>,
  canaries: readonly Canary[],
  name: string,
  signal: AbortSignal | undefined,
): Promise<Map<Canary, ValidRow>> {
  const wanted = new Map<string, Canary[]>();
  for (const canary of canaries) {
    const key = foldCase(canary.userName);
    wanted.set(key, [...(wanted.get(key) ?? []), canary]);
  }
  const found = new Map<Canary, ValidRow>();
  const skipped = new Map<string, ValidatedRow>();
  for await (const list of rows) {
    signal?.throwIfAborted();
    for (const row of list) {
      const userName = row.user ? row.user.user_name : (row.skippedUser?.user_name ?? row.userName);
      const key = userName === undefined ? undefined : foldCase(userName);
      const here = key === undefined ? undefined : wanted.get(key);
      if (key === undefined || here === undefined) continue;
      if (!row.user && row.isSkipped) {
        skipped.set(key, skipped.get(key) ?? row);
        continue;
      }
      if (!row.user?.['hash-pwd']) throw cannotBeSent(row, here[0], name);
      for (const canary of here) found.set(canary, row);
      wanted.delete(key);
    }
    if (wanted.size === 0) break;
  }
  const [[key, [missing]] = ['', []]] = wanted;
  const left = skipped.get(key);
  if (left) throw cannotBeSent(left, missing, name);
  if (missing) throw new SourceError(name, 'no row of the file has this user name', missing.line);
  return found;
}
