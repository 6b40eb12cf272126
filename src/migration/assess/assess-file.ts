import { isHashAlgorithm } from '../../contract/attributes.ts';
import { bytesRemedy, foreignRemedy, identify, withoutBytesPrefix } from '../hashes/identify.ts';
import type { HashUse } from '../hashes/identity.ts';
import { inferHash, mayBeOfKind } from '../hashes/infer.ts';
import { type InputOptions, type OpenInput, openInput } from '../input/open-input.ts';
import { factsOf, noticesOf } from '../report/texts/notices.ts';
import type { Columns } from '../rows/columns.ts';
import type { PasswordPart } from '../rows/fields/fields.ts';
import { unreadStatuses } from '../rows/fields/looks-like-status.ts';
import { isWord, saltColumn, saltedDigest } from '../rows/ignored-columns.ts';
import { createIssueCounter, mayBeOwn } from '../rows/issues/count-issues.ts';
import { refuseOwnList } from '../rows/own-lists.ts';
import type { PreparedRecord } from '../rows/prepared-source.ts';
import { countPreview } from '../rows/preview-rows.ts';
import { algorithmOf } from '../rows/unwrap.ts';
import { validateRows } from '../rows/validate-rows.ts';
import { otherEncoding } from '../source/encodings.ts';
import type { Assessment, PasswordKind, UnknownValue } from './assessment.ts';

/** Options of an assessment. */
export interface AssessOptions extends Omit<InputOptions, 'onUnknownValue' | 'onOpen' | 'isGuessed'> {
  file: string;
}

/** Distinct values of a column that are counted; all others are counted together, to limit memory. */
const mostValues = 20;
const otherValues = '(other)';

/**
 * Reads a file of users as an import does, and says what would become of its users, before any decision is made: columns that are
 * not mapped are taken for what their names most likely mean. The result holds no value of a row except those missing from a table
 * of the recipe. Rejects with a `SourceError`.
 */
export async function assessFile({ file, ...options }: AssessOptions): Promise<Assessment> {
  const unknown = new Map<string, Map<string, number>>();
  function onUnknownValue(column: string, text: string): void {
    const values = unknown.get(column) ?? new Map<string, number>();
    const isKept = values.has(text) || (values.size < mostValues && isWord(text));
    const value = isKept ? text : otherValues;
    unknown.set(column, values.set(value, (values.get(value) ?? 0) + 1));
  }
  const warnings: string[] = [];
  const input = await openInput(file, {
    algorithm: 'infer',
    ...options,
    allowPasswordless: true,
    ignoreUnknown: true,
    isGuessed: true,
    onUnknownValue,
    onOpen: (warning) => void warnings.push(warning),
  });
  const { source } = input;
  // A file without passwords can be read; its rows are then rejected, as in an import.
  const columns = { ...input.columns, allowPasswordless: false };
  try {
    refuseOwnList(source, true);
    if (source.mayBeEastern) warnings.push(otherEncoding);
    const issues = createIssueCounter();
    const count = countPreview(columns, undefined);
    for await (const rows of validateRows(source, columns)) {
      options.signal?.throwIfAborted();
      count.add(rows);
      for (const row of rows) if (!row.user && !row.isSkipped) issues.add(row);
    }
    // The rows may have been read more than once.
    unknown.clear();
    const { open } = input;
    const { passwords, filled } = await readCells(input, noColumnOf(open), options.signal);
    const values = [...unknown].flatMap(([column, found]) =>
      [...found].map(([value, rows]) => ({ column, value, rows })),
    );
    const { preview } = count;
    const { codes, unknownAlgorithms } = issues.counts();
    const algorithms = Object.entries(unknownAlgorithms).map(
      ([value, rows]): UnknownValue => ({ column: columns.passwordNames.algorithm, value, rows }),
    );
    return {
      file,
      reading: [...source.reading],
      recipe: source.recipe?.name ?? null,
      rows: source.rows,
      ready: preview.ready,
      rejected: preview.rejected,
      skipped: preview.skipped,
      to_disable: preview.to_disable,
      passwords,
      issues: codes,
      unknown_values: [...algorithms, ...values].sort((one, other) => other.rows - one.rows),
      columns: [
        ...columns.known.map(({ name, target: field, index }) => ({
          name,
          field,
          filled: filled[index] ?? 0,
        })),
        ...columns.ignored.map((name) => ({ name, field: null, filled: null })),
      ],
      missing_columns: [...(source.recipe?.missing ?? [])],
      status_columns: unreadStatuses(preview),
      notices: [
        ...[...warnings, ...open].map((text) => `${text}.`),
        ...noticesOf({ ...factsOf(preview, []), not_verified: [], ignored_columns: [] }).map(
          ({ text }) => text,
        ),
      ],
    };
  } finally {
    await source.close();
  }
}

/**
 * Counts the kinds of hashes and the filled cells of each column, in a separate pass.
 */
async function readCells(
  { source, columns }: OpenInput,
  noColumn: Kind,
  signal: AbortSignal | undefined,
): Promise<{ passwords: PasswordKind[]; filled: number[] }> {
  const kinds = new Map<string, PasswordKind>();
  const filled: number[] = columns.header.map(() => 0);
  const indexOf = (part: PasswordPart) => columns.known.find(({ target }) => target === part)?.index ?? -1;
  const [hashColumn, algorithmColumn] = [indexOf('value'), indexOf('algorithm')];
  for await (const records of source.readRows()) {
    signal?.throwIfAborted();
    for (const record of records) {
      const { cells, isSkipped } = record;
      if (isSkipped || cells.length !== filled.length) continue;
      for (const [index, cell] of cells.entries()) if (cell !== '') filled[index] = (filled[index] ?? 0) + 1;
      const password = { value: cells[hashColumn] ?? '', algorithm: cells[algorithmColumn] ?? '' };
      const kind = hashColumn === -1 ? noColumn : kindOf(password, columns, record);
      const key = `${kind.use} ${kind.format}`;
      const before = kinds.get(key) ?? { ...kind, users: 0 };
      kinds.set(key, { ...before, users: before.users + 1 });
    }
  }
  return { passwords: [...kinds.values()].sort((one, other) => other.users - one.users), filled };
}

type Kind = Omit<PasswordKind, 'users'>;

const noPassword: Kind = {
  use: 'none',
  format: 'no hash',
  remedy: 'These users must set a password: add --allow-passwordless to create them.',
};

/** What is said of a file without a column of hashes; `open`: what is open about columns that may be one. */
function noColumnOf(open: readonly string[]): Kind {
  const remedy =
    open.length === 0 ? noPassword.remedy : `Before anybody loses a password: ${open.join('; ')}.`;
  return { ...noPassword, format: 'no column was recognised as hashes', remedy };
}

function kindOf(
  password: { value: string; algorithm: string },
  columns: Columns,
  record: PreparedRecord,
): Kind {
  const { foreignKind, algorithm: given } = columns;
  const { value: hash } = password;
  if (hash === '') return noPassword;
  const bare = withoutBytesPrefix(hash);
  if (bare !== hash) {
    const kind = kindOf({ ...password, value: bare }, columns, record);
    if (kind.use !== 'as-is') return kind;
    const format = `${kind.format}, behind ${hash.slice(0, -bare.length)}`;
    return { use: 'strip', format, remedy: bytesRemedy(hash) ?? kind.remedy };
  }
  const inferred = inferHash(hash);
  if (foreignKind !== undefined && mayBeOfKind(foreignKind, hash))
    return { use: 'no', format: foreignKind, remedy: foreignRemedy };
  const { kinds, use, remedy } = identify(hash);
  const isTaken = use === 'as-is' || use === 'strip';
  const salt = saltColumn(record, columns);
  if (salt !== undefined && isTaken && kinds.every(({ algorithm }) => algorithm !== 'bcrypt'))
    return { use: 'no', ...saltedDigest(salt) };
  const format = kinds.map((kind) => kind.format).join(' or ') || 'no known form';
  const named = algorithmOf(password, given);
  // The words themselves are among the unknown values; here they could be as many as there are rows.
  if (isTaken && named !== '' && !isHashAlgorithm(named) && !mayBeOwn(named))
    return { use: 'no', format: `${format}; the file names another algorithm`, remedy: foreignRemedy };
  const isUnlisted = record.causes?.some(({ code }) => code === 'ALGORITHM_UNKNOWN') ?? false;
  if (isTaken && (isUnlisted || !(inferred || isHashAlgorithm(named))))
    return { use: 'depends', format, remedy: dependsRemedy };
  return { use: use satisfies HashUse, format, remedy };
}

const dependsRemedy =
  'Ask how the old system makes its hashes, name the algorithm (--algorithm, or in a recipe), and prove it with a canary.';
