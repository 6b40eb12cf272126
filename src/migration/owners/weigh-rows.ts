import { hasUniqueKey, type KeyField } from '../actions/keys.ts';
import type { ChangedKeys } from '../carry-over/changed-keys.ts';
import type { Columns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import { type ValidatedRow, validateRows } from '../rows/validate-rows.ts';
import type { EarlierRows } from './earlier-rows.ts';

interface WeighingOptions {
  by?: KeyField | undefined;
  update?: readonly string[] | 'all' | undefined;
  disableAll?: boolean | undefined;
  disableMissing?: boolean | undefined;
}

/**
 * Counts the rows that are not as in the earlier file (`changed`), and those of which nobody knows whom they are about (`nameless`).
 * `otherKeys`: rows that seem to be users of the earlier file under another key, with these users; none are found by their place if
 * the rows are in another order (`isReordered`). `needed`: why only a complete listing of the tenant will do.
 */
export async function weighRows(
  source: PreparedSource,
  columns: Columns,
  { by, update, disableAll = false, disableMissing = false }: WeighingOptions,
  earlier: EarlierRows | undefined,
) {
  // Only these plans can change a user who was found by an external ID, which several users can have.
  const mayShare =
    (by === undefined || by === 'external_id') &&
    columns.known.some(({ target }) => target === 'external_id') &&
    (update !== undefined || disableAll || source.recipe?.disables === true);
  // With a key, whoever does not have that of a row is somebody else.
  const keys = by === undefined && !columns.accepted.has('KEY_CHANGED') ? earlier?.changedKeys() : undefined;
  const { changed, nameless, byExternalId } =
    earlier || (mayShare && by === undefined)
      ? await countRows(validateRows(source, columns), by, earlier, keys)
      : { changed: source.rows, nameless: 0, byExternalId: source.rows };
  const absent = disableMissing && !earlier && 'users who are not in the file count';
  const shared = mayShare && byExternalId > 0 && 'several users can have the same external ID';
  const otherKeys: ReturnType<ChangedKeys['suspects']> = keys?.suspects() ?? new Map();
  const isReordered = keys?.isReordered() ?? false;
  return { changed, nameless, otherKeys, isReordered, needed: absent || shared || undefined };
}

/** Counts the rows as `weighRows` does, and those that changed and whose user is found by the external ID. */
async function countRows(
  lists: AsyncGenerator<ValidatedRow[], void>,
  by: KeyField | undefined,
  earlier: EarlierRows | undefined,
  keys: ChangedKeys | undefined,
) {
  const counts = { changed: 0, nameless: 0, byExternalId: 0 };
  for await (const rows of lists) {
    for (const row of rows) {
      keys?.add(row);
      if (earlier?.isNameless(row)) counts.nameless += 1;
      if (earlier?.find(row)[0]?.isSame) continue;
      counts.changed += 1;
      const { user } = row;
      if (user?.external_id !== undefined && (by === 'external_id' || !hasUniqueKey(user)))
        counts.byExternalId += 1;
    }
  }
  return counts;
}
