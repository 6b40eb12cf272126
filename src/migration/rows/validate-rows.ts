import { type HashAlgorithm, isHashAlgorithm } from '../../contract/attributes.ts';
import type { HashedUser } from '../../contract/wire.ts';
import type { EnabledUser } from '../actions/decide-corrected.ts';
import { keyFields, rowKey } from '../actions/keys.ts';
import type { Columns } from './columns.ts';
import type { Draft } from './fields/fields.ts';
import { cellChecks, isLongerThan, isZeroDate, presentable, textIssue } from './fields/validate-cell.ts';
import { saltColumn } from './ignored-columns.ts';
import { otherNames } from './issues/count-issues.ts';
import { createDuplicateSearch, duplicateCause, duplicateCodes } from './issues/duplicates.ts';
import { createIssue, type Issue, type IssueCause } from './issues/issues.ts';
import { type PreparedRecord, type PreparedSource, repeatsHeader } from './prepared-source.ts';
import { nameOfAlgorithm, validatePassword } from './validate-password.ts';

/** A row that has been validated on its own; `draft` is `undefined` if its cells cannot be trusted. */
interface Validated {
  draft: Draft | undefined;
  causes: IssueCause[];
}

/**
 * Turns each record into a user that can be sent, or into the issues of its row; yields lists, in order. The first row that has a
 * unique value keeps it, even if it has other issues: the importer cannot know which of the two rows is right. But a person who is
 * disabled keeps none that belongs to one who is not: no call gives it back. To know these, the file is read once before, with an empty
 * list for each list, so that the caller can stop.
 */
export async function* validateRows(
  source: Pick<PreparedSource, 'readRows' | 'rows' | 'fixedColumns' | 'recipe' | 'kept'>,
  columns: Columns,
): AsyncGenerator<ValidatedRow[], void> {
  const { rows, fixedColumns, recipe, kept, readRows } = source;
  const columnNames = new Map(columns.known.map(({ target, name }) => [target, name]));
  const isKept = kept?.columns === columns;
  const duplicates = isKept
    ? kept.duplicates
    : createDuplicateSearch(
        rows,
        keyFields.filter((field) => columnNames.has(field) && !columns.accepted.has(duplicateCodes[field])),
        recipe?.skips,
      );
  const widths = new Map(
    columns.known
      .filter(({ isNumbered }) => isNumbered)
      .map(({ index, target }) => {
        const fixed = fixedColumns.get(index);
        // A shorter number shows lost zeros only in postal codes, or where some number is padded: other numbers simply grow.
        return [index, fixed?.isPadded || target === 'zip_code' ? fixed?.digits : undefined];
      }),
  );
  /** For each row, 1 if it makes a user without a password. */
  const passwordless = new Uint8Array(rows + 1);
  if (recipe?.disables && !isKept) {
    for await (const list of readRows()) {
      for (const record of list) {
        if (record.isSkipped || record.isDisabled) continue;
        const { draft } = validateRow(record, columns, widths);
        if (draft) duplicates.add(record.row, draft.user);
      }
      yield [];
    }
    // The next reading stores nothing new: each value has its first row, or gets it in the same order.
    source.kept = { columns, duplicates };
  }
  for await (const list of readRows()) {
    yield list.map((record) => {
      const { draft, causes } = validateRow(record, columns, widths);
      if (record.isSkipped)
        return skippedRow(record, draft, draft && duplicates.leaveOut(record.row, draft.user));
      if (draft) {
        for (const { field, first } of duplicates.add(record.row, draft.user)) {
          const column = columnNames.get(field) ?? field;
          const losesHash = draft.user['hash-pwd'] !== undefined && passwordless[first] === 1;
          causes.push({
            column,
            ...duplicateCause(field, { first, isLater: first > record.row, losesHash }),
          });
        }
      }
      if (!draft || causes.length > 0) return invalidRow(record, causes, draft);
      if (!draft.user['hash-pwd']) passwordless[record.row] = 1;
      return validRow(record, draft, record.isDisabled ? undefined : duplicates.ready(record.row));
    });
  }
}

/** Treats an empty cell as absent, and a date that MySQL stores where there is none. Finds all issues of the row, not only the first. */
function validateRow(
  record: PreparedRecord,
  columns: Columns,
  widths: ReadonlyMap<number, number | undefined>,
): Validated {
  const { cells } = record;
  // If cells have moved, any of them may hold the hash: nothing of the row is passed on.
  if (cells.length !== columns.header.length) return unreadable({ code: 'CELLS' });
  if (repeatsHeader(cells, columns.header)) return unreadable({ code: 'HEADER_REPEATED' });
  const draft: Draft = { user: {}, password: { algorithm: '', value: '', key: '' } };
  const causes: IssueCause[] = [...(record.causes ?? [])];
  const { accepted } = columns;
  let filled = 0;
  for (const { index, name, check, maxLength, role, isPersonless, constant, set } of columns.known) {
    const value = cells[index] ?? '';
    if (value === '' || (check === cellChecks.date && isZeroDate(value))) continue;
    if (!isPersonless && value !== constant) filled += 1;
    const code = textIssue(value, role, accepted) ?? check?.(value, accepted);
    if (code) causes.push({ code, column: name });
    else if (maxLength !== undefined && isLongerThan(value, maxLength) && !accepted.has('TOO_LONG')) {
      causes.push({ code: 'TOO_LONG', column: name, detail: `more than ${maxLength}` });
    }
    const width = widths.get(index) ?? 0;
    if (value.length < width && /^\d+$/.test(value) && !accepted.has('LEADING_ZEROS')) {
      causes.push({ code: 'LEADING_ZEROS', column: name, detail: `${value.length} of ${width} digits` });
    }
    set(draft, value);
  }
  if (filled === 0 && causes.length === 0) return unreadable({ code: 'ROW_EMPTY' });
  for (const { index, value, set } of columns.constants) {
    if (index === undefined || cells[index] === '') set(draft, value);
  }
  validatePassword(draft, columns, causes, saltColumn(record, columns));
  return { draft, causes };
}

function unreadable(cause: IssueCause): Validated {
  return { draft: undefined, causes: [cause] };
}

function invalidRow(
  { row, line, selectedBy }: PreparedRecord,
  causes: readonly IssueCause[],
  draft?: Draft,
): InvalidRow {
  const algorithm = draft?.password.algorithm ?? '';
  return {
    row,
    line,
    ...(selectedBy ? { selectedBy } : {}),
    issues: causes.map(createIssue),
    userName: presentable(draft?.user.user_name),
    externalId: presentable(draft?.user.external_id),
    key: draft && keyOf(draft.user),
    algorithm: isHashAlgorithm(algorithm) ? algorithm : undefined,
    unknownAlgorithm: causes.some(({ code }) => code === 'ALGORITHM_UNKNOWN')
      ? (nameOfAlgorithm(algorithm) ?? otherNames)
      : undefined,
  };
}

/** True for a row that can hide nobody: the recipe leaves it out, it has nothing about a person, or it is the header again. */
export function isAboutNobody({ isSkipped, issues }: InvalidRow): boolean {
  return isSkipped === true || issues.some(({ code }) => code === 'ROW_EMPTY' || code === 'HEADER_REPEATED');
}

function validRow(
  { row, line, isDisabled, selectedBy = [] }: PreparedRecord,
  { user }: Draft,
  sharing: readonly number[] = [],
): ValidRow {
  if (isDisabled) return { row, line, user, isDisabled, selectedBy };
  return sharing.length === 0 ? { row, line, user } : { row, line, user, sharing };
}

function skippedRow(
  { row, line, selectedBy = [] }: PreparedRecord,
  draft: Draft | undefined,
  sharing: readonly number[] = [],
): InvalidRow {
  return {
    row,
    line,
    ...(sharing.length === 0 ? {} : { sharing }),
    isSkipped: true,
    selectedBy,
    skippedUser: draft?.user,
    issues: [],
    userName: undefined,
    externalId: undefined,
    algorithm: undefined,
  };
}

/** Returns the key of the row, unless its value may be something else. */
function keyOf(user: HashedUser): string | undefined {
  const first = keyFields.find((field) => user[field] !== undefined);
  return first !== undefined && presentable(user[first]) !== undefined ? rowKey(user) : undefined;
}

/** A row that can be sent. */
export interface ValidRow {
  row: number;
  line: number;
  user: HashedUser;
  isSkipped?: undefined;
  /** True if the user is disabled after being created. */
  isDisabled?: true;
  /** The conditions of the recipe that say so. */
  selectedBy?: readonly string[];
  /** Rows that can be sent and have an identifier of one that the recipe leaves out; reported with the later one. */
  sharing?: readonly number[];
  /**
   * True if its intent is recorded by itself, because the high-water mark says nothing about it (a canary of a ramp is sent before
   * its turn), or too little (an action of a plan).
   */
  isExact?: boolean;
  /** True if an earlier run may have sent it: its user is looked up first. */
  mayHaveBeenSent?: boolean;
  /** Its user, who is enabled although the row says otherwise, is looked up, and not sent again. */
  enabled?: EnabledUser | undefined;
  /** The recipe leaves the row of such a user out now. */
  isLeftOut?: true;
  /**
   * Its user, who was there before the job, if the row has changed since: whoever has its identifiers now is looked up, and the row never
   * sent.
   */
  stranger?: { userId: string | null };
  /** Epoch milliseconds until which that request can still arrive; the look-up waits until then. */
  arrivesUntil?: number;
}

/** A row that is not sent, and why: at least one issue, or the recipe leaves it out. */
export interface InvalidRow {
  row: number;
  line: number;
  user?: undefined;
  isSkipped?: true;
  /** The conditions of the recipe that leave it out, or that would disable its user. */
  selectedBy?: readonly string[];
  /** The person of a row that the recipe leaves out: is in the file, but is not sent or recorded. */
  skippedUser?: HashedUser | undefined;
  /** As of a row that can be sent. */
  sharing?: readonly number[];
  issues: readonly Issue[];
  /** Identifies the user to a person; `undefined` if it may be a hash in the wrong column. */
  userName: string | undefined;
  externalId: string | undefined;
  /** Identifies the row in a corrected file: see `rowKey`. */
  key?: string | undefined;
  algorithm: HashAlgorithm | undefined;
  /** Name of an algorithm that the API does not know; `(other)` for a text that may be something else. */
  unknownAlgorithm?: string | undefined;
}

/** A row after the checks; only a valid one has a `user`. */
export type ValidatedRow = ValidRow | InvalidRow;
