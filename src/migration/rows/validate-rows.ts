import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedUser } from '../../contract/wire.ts';
import { isHashAlgorithm, looksLikeHash } from '../hashes/formats.ts';
import type { Source } from '../source/open-source.ts';
import type { SourceRecord } from '../source/read-records.ts';
import type { Columns } from './columns.ts';
import { type DuplicateFinder, openDuplicateFinder, uniqueFields } from './duplicates.ts';
import type { Draft } from './fields.ts';
import { createIssue, type Fault, type Issue } from './issues.ts';
import { hasControlCharacter, isLongerThan, textFault } from './validate-cell.ts';
import { validatePassword } from './validate-password.ts';

/** A row that has been looked at by itself; `draft` is missing when its cells cannot be trusted. */
interface Judged {
  record: SourceRecord;
  draft: Draft | undefined;
  faults: Fault[];
}

/** Turns each record into a user that can be sent, or into the findings that stand against it, in their order, in lists. */
export async function* validateRows(
  { records, rows }: Pick<Source, 'records' | 'rows'>,
  columns: Columns,
): AsyncGenerator<ValidatedRow[], void> {
  const seen = openDuplicateFinder(rows);
  const names = uniqueFields.map(({ field }) => columns.known.find(({ target }) => target === field)?.name);
  try {
    for await (const list of records) {
      yield list.map((record) => {
        const judged = judge(record, columns);
        findRepeats(judged, seen, names);
        return settled(judged);
      });
    }
  } finally {
    seen.close();
  }
}

/**
 * The first row that has a key keeps it, even when something else is wrong with it: which of the two is right is not
 * for us to decide.
 */
function findRepeats(
  { record, draft, faults }: Judged,
  seen: DuplicateFinder,
  names: readonly (string | undefined)[],
): void {
  if (!draft) return;
  for (const { unique, first } of seen.enter(record.row, draft.user)) {
    const code = uniqueFields[unique]?.code;
    const column = names[unique];
    if (code && column !== undefined) faults.push({ code, column, detail: `row ${first}` });
  }
}

/** An empty cell counts as absent. Every fault of the row is found, not only the first. */
function judge(record: SourceRecord, columns: Columns): Judged {
  const { cells } = record;
  // In a row whose cells have moved, any cell may hold the hash: nothing of it is passed on.
  if (cells.length !== columns.header.length) return hopeless(record, { code: 'CELLS' });
  if (repeatsHeader(cells, columns.header)) return hopeless(record, { code: 'HEADER_REPEATED' });
  const draft: Draft = { user: {}, password: { algorithm: '', value: '', key: '' } };
  const faults: Fault[] = [];
  const { accepted } = columns;
  let filled = 0;
  for (const { index, name, check, maxLength, secret, set } of columns.known) {
    const value = cells[index] ?? '';
    if (value === '') continue;
    filled += 1;
    const code = textFault(value, secret ?? false, accepted) ?? check?.(value);
    if (code && !accepted.has(code)) faults.push({ code, column: name });
    else if (maxLength !== undefined && isLongerThan(value, maxLength) && !accepted.has('TOO_LONG')) {
      faults.push({ code: 'TOO_LONG', column: name, detail: `more than ${maxLength}` });
    }
    set(draft, value);
  }
  if (filled === 0) return hopeless(record, { code: 'ROW_EMPTY' });
  for (const { index, value, set } of columns.constants) {
    if (index === undefined || cells[index] === '') set(draft, value);
  }
  validatePassword(draft, columns, faults);
  return { record, draft, faults };
}

function hopeless(record: SourceRecord, fault: Fault): Judged {
  return { record, draft: undefined, faults: [fault] };
}

/** Files that were put one after another repeat the byte order mark too. */
function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  if (cells[0] !== header[0] && cells[0] !== `\uFEFF${header[0]}`) return false;
  return cells.every((cell, index) => index === 0 || cell === header[index]);
}

function settled({ record, draft, faults }: Judged): ValidatedRow {
  const { row, line } = record;
  return draft && faults.length === 0 ? { row, line, user: draft.user } : invalidRow(record, faults, draft);
}

function invalidRow({ row, line }: SourceRecord, faults: readonly Fault[], draft?: Draft): InvalidRow {
  const algorithm = draft?.password.algorithm ?? '';
  return {
    row,
    line,
    issues: faults.map((fault) => createIssue(fault, row, line)),
    userName: presentable(draft?.user.user_name),
    externalId: presentable(draft?.user.external_id),
    algorithm: isHashAlgorithm(algorithm) ? algorithm : undefined,
  };
}

/** A broken row may have a hash in the wrong column, or a quote that swallowed the next row. */
function presentable(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 500) return undefined;
  return hasControlCharacter(value) || looksLikeHash(value) ? undefined : value;
}

/** A row that can be sent. */
export interface ValidRow {
  row: number;
  line: number;
  user: HashedUser;
  /** An earlier run may have sent it: its user is looked for before it is sent. */
  mayHaveBeenSent?: boolean;
}

/** A row that is not sent, and why: at least one finding. */
export interface InvalidRow {
  row: number;
  line: number;
  user?: undefined;
  issues: readonly Issue[];
  /** What tells a person which user is meant; left out where it may be a hash in the wrong column. */
  userName: string | undefined;
  externalId: string | undefined;
  algorithm: HashAlgorithm | undefined;
}

/** A row after the checks; `user` tells the two apart. */
export type ValidatedRow = ValidRow | InvalidRow;
