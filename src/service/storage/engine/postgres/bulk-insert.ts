import type { Statement, Value } from '../database.ts';
import { binaryArray } from './binary-array.ts';

export type BulkInsert = ReturnType<typeof bulkInsert>;

/** Inserts with the same SQL into the same tenant, so that the condition is the same too, and the rows of all of them. */
interface Alike {
  statement: Statement;
  rows: (readonly Value[])[];
}

/**
 * Gathers inserts of a batch that can be combined. `add` returns whether a transaction has nothing else, and if so takes the values
 * of its statements. `statements` returns the inserts of all rows, which fail if a row breaks a unique key. One statement of
 * hundreds of rows costs either side half of what as many statements do.
 */
export function gatherInserts(takeValues: (statement: Statement) => readonly Value[]) {
  const gathered: Alike[] = [];

  function addInsert(statement: Statement): void {
    const { sql, tenantLock } = statement;
    const alike = gathered.find(
      (one) => one.statement.sql === sql && one.statement.tenantLock === tenantLock,
    );
    if (alike) alike.rows.push(takeValues(statement));
    else gathered.push({ statement, rows: [takeValues(statement)] });
  }

  return {
    add(transaction: readonly Statement[]) {
      if (!transaction.every(canBeTogether)) return false;
      transaction.forEach(addInsert);
      return true;
    },
    statements: () => gathered.map(bulkInsert),
  };
}

/** True if inserts can be combined: a condition must hold for the whole batch, and no conflict is allowed, because it fails all. */
function canBeTogether({ types, optional, unless }: Statement): boolean {
  return types !== undefined && !optional && (!unless || unless.isOfBatch === true);
}

/** Returns an insert of many rows, and the number of rows that it must insert. */
function bulkInsert({ statement: { sql, types = [], unless }, rows }: Alike) {
  const columns = types.map((type, column) => binaryArray(type, rows, column));
  return {
    sql: bulkText(sql, types, unless?.sql),
    values: unless ? [...columns, ...unless.values] : columns,
    rows: rows.length,
  };
}

/** Without `ON CONFLICT`, each unique index is searched once instead of twice, and a taken key is an error. */
function bulkText(sql: string, types: NonNullable<Statement['types']>, unless: string | undefined): string {
  const arrays = types.map((type) => `?::${type}[]`).join(', ');
  const names = types.map((_, index) => `v${index + 1}`).join(', ');
  let column = 0;
  const text = sql.replace(
    / VALUES \((.*)\) ON CONFLICT DO NOTHING$/s,
    (_, list: string) =>
      ` SELECT ${list.replaceAll('?', () => `v${++column}`)} FROM unnest(${arrays}) AS given (${names})`,
  );
  return unless === undefined ? text : `${text} WHERE NOT EXISTS (${unless})`;
}
