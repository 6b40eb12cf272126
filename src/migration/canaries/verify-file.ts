import { StoppedError } from '../model/errors.ts';
import type { ColumnOptions } from '../rows/column-options.ts';
import { compileColumns, namesOf } from '../rows/columns.ts';
import { validateRows } from '../rows/validate-rows.ts';
import { openSource, type SourceOptions } from '../source/open-source.ts';
import type { Canary } from './read-canaries.ts';
import { type AlgorithmVerification, verifyCanaries } from './verify-canaries.ts';

/** What the check of a file by its canaries needs to know. */
export interface CanaryOptions extends ColumnOptions, Omit<SourceOptions, 'signal'> {
  /** CSV file with a header. */
  file: string;
  /** Users whose passwords are known: a hash that does not match stops the run before anything is sent. */
  canaries?: { name: string; list: readonly Canary[] };
  /** Aborted: no more rows are taken. */
  signal?: AbortSignal;
}

/** What was proved, and of which bytes. */
interface Proof {
  /** SHA-256 of the file, in hex. */
  digest: string;
  groups: AlgorithmVerification[];
}

/**
 * Proves the hashes of a file by its canaries, in a reading of its own, before anything is sent; `undefined` where there
 * are none. Throws a `StoppedError` that names the mistake which would fit when a group fails, and a `SourceError`.
 */
export async function verifyFile(options: CanaryOptions): Promise<Proof | undefined> {
  const { file, canaries, signal } = options;
  if (!canaries) return undefined;
  const source = await openSource(file, namesOf(options), options);
  try {
    const rows = validateRows(source, compileColumns(source, options));
    const groups = await verifyCanaries(rows, canaries.list, canaries.name, signal);
    const failed = groups.filter((group) => group.matched < group.tried);
    if (failed.length > 0) throw canaryFailed(failed, canaries.name);
    return { digest: source.digest, groups };
  } finally {
    await source.close();
  }
}

function canaryFailed(groups: readonly AlgorithmVerification[], name: string): StoppedError {
  const told = groups.map(({ algorithm, tried, matched, failed, mistakes }) => {
    const lines = failed.length === 1 ? `line ${failed[0]}` : `lines ${failed.join(', ')}`;
    const known = mistakes.map(({ message }) => `; ${message}`).join('');
    return `${algorithm}: ${tried - matched} of ${tried} passwords do not match their hashes (${name}, ${lines})${known}`;
  });
  const remedies = groups.flatMap(({ mistakes }) => mistakes.map(({ remedy }) => remedy));
  const hint =
    remedies.length > 0
      ? [...new Set(remedies)].join(' ')
      : 'No known mistake of an export fits: check the passwords, the algorithm and the key with whoever made the file.';
  return new StoppedError('CANARY_FAILED', `nothing was sent: ${told.join('. ')}`, hint);
}
