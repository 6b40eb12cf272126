import { hasControlCharacter } from './cell-checks.ts';
import { checkPassword } from './check-password.ts';
import type { CheckedRow, InvalidRow } from './checked-row.ts';
import type { Columns, Draft } from './compile-columns.ts';
import { type Fault, type Finding, findingTable } from './finding-table.ts';
import { isHashAlgorithm, looksLikeHash } from './hash-shapes.ts';
import type { SourceRecord } from './read-records.ts';

/** Turns each record into a user that can be sent, or into the findings that stand against it. */
export async function* checkRows(
  records: AsyncIterable<SourceRecord>,
  columns: Columns,
  allowPasswordless: boolean,
): AsyncGenerator<CheckedRow, void> {
  for await (const record of records) yield checkRow(record, columns, allowPasswordless);
}

/** An empty cell counts as absent. Every fault of the row is found, not only the first. */
function checkRow(record: SourceRecord, columns: Columns, allowPasswordless: boolean): CheckedRow {
  const { row, line, cells } = record;
  // In a row whose cells have moved, any cell may hold the hash: nothing of it is passed on.
  if (cells.length !== columns.header.length) return invalidRow(record, [{ code: 'CELLS' }]);
  if (repeatsHeader(cells, columns.header)) return invalidRow(record, [{ code: 'HEADER_REPEATED' }]);
  const draft: Draft = { user: {}, password: { algorithm: '', value: '', key: '' } };
  const faults: Fault[] = [];
  let filled = 0;
  for (const { index, name, check, set } of columns.known) {
    const value = cells[index] ?? '';
    if (value === '') continue;
    filled += 1;
    const code = hasControlCharacter(value) ? 'CONTROL_CHARACTER' : check?.(value);
    if (code) faults.push({ code, column: name });
    set(draft, value);
  }
  if (filled === 0) return invalidRow(record, [{ code: 'ROW_EMPTY' }]);
  checkPassword(draft, columns.passwordNames, allowPasswordless, faults);
  return faults.length === 0 ? { row, line, user: draft.user } : invalidRow(record, faults, draft);
}

function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  return cells[0] === header[0] && cells.every((cell, index) => cell === header[index]);
}

function invalidRow({ row, line }: SourceRecord, faults: readonly Fault[], draft?: Draft): InvalidRow {
  const findings = faults.map(({ code, column }): Finding => {
    const { message, remedy } = findingTable[code];
    return { code, row, line, column, message, hint: remedy };
  });
  const algorithm = draft?.password.algorithm ?? '';
  return {
    row,
    line,
    findings,
    userName: presentable(draft?.user.user_name),
    externalId: presentable(draft?.user.external_id),
    algorithm: isHashAlgorithm(algorithm) ? algorithm : undefined,
  };
}

/** A broken row may have a hash in the wrong column, or a quote that swallowed the next row. */
function presentable(value: string | undefined): string | undefined {
  return value === undefined || hasControlCharacter(value) || looksLikeHash(value) ? undefined : value;
}
