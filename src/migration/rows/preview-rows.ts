import { hasUniqueKey } from '../actions/keys.ts';
import { countCondition, emptyPreview, noteSharing, noteStatuses, type Preview } from '../model/preview.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { Columns } from './columns.ts';
import type { ValidatedRow } from './validate-rows.ts';

/**
 * Creates a counter of rows for the preview of an import; for a shard, it counts only the rows of that shard. `isNew`: false for a row
 * of which it is known that no user is created, so that it says nothing about people.
 */
export function countPreview(
  columns: Pick<Columns, 'ignored' | 'missingStatus' | 'mayBeSalts' | 'mayBeStatuses'>,
  shard: Shard | undefined,
  isNew: (row: number) => boolean = () => true,
) {
  const preview: Preview = emptyPreview(columns);
  const sameHash = countSameHash();
  return {
    preview,
    add(rows: readonly ValidatedRow[]): void {
      for (const row of rows) {
        const sharing = row.sharing?.filter((one) => isOfShard(one, shard)) ?? [];
        if (sharing.length > 0) noteSharing(preview, sharing.length, ...sharing);
        if (!isOfShard(row.row, shard)) continue;
        if (row.isSkipped) {
          preview.skipped += 1;
          for (const name of row.selectedBy ?? []) countCondition(preview, `skip: ${name}`);
          continue;
        }
        // Of all rows of the file, also of those that fail the checks.
        for (const name of row.selectedBy ?? []) countCondition(preview, `disable: ${name}`);
        if (!row.user) {
          preview.rejected += 1;
          continue;
        }
        preview.ready += 1;
        if (row.isDisabled) preview.disabled_rows += 1;
        if (!isNew(row.row)) continue;
        if (row.isDisabled) preview.to_disable += 1;
        if (!hasUniqueKey(row.user)) preview.without_login_name += 1;
        const password = row.user['hash-pwd'];
        if (!password) {
          preview.without_password += 1;
          continue;
        }
        const { algorithm } = password;
        preview.algorithms[algorithm] = (preview.algorithms[algorithm] ?? 0) + 1;
        if (algorithm === 'bcrypt') preview.same_hash = sameHash.add(password.value);
        const { pwd_must_modify: mustChange } = row.user;
        if (mustChange !== false) preview.must_change_password += 1;
        if (mustChange === undefined) preview.must_change_by_default += 1;
      }
      noteStatuses(preview, columns.mayBeStatuses?.() ?? []);
    },
  };
}

/** Returns the preview of an earlier run of the same rows; meanwhile a recipe may name other columns under `ignore:`. */
export function withIgnored(
  preview: Preview,
  { ignored, mayBeStatuses = () => [] }: Pick<Columns, 'ignored' | 'mayBeStatuses'>,
): Preview {
  const again = { ...preview, ignored_columns: [...ignored] };
  const found = new Set([...(preview.status_columns ?? []), ...mayBeStatuses()]);
  noteStatuses(
    again,
    ignored.filter((name) => found.has(name)),
  );
  return again;
}

/** Passes lists of rows through, and counts them. */
export async function* countedRows(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  count: ReturnType<typeof countPreview>,
): AsyncGenerator<readonly ValidatedRow[], void> {
  for await (const rows of lists) {
    count.add(rows);
    yield rows;
  }
}

/** This many users may have the same hash without suspicion: somebody may have copied accounts. */
const mostCopies = 10;

/** A hash is suspicious if more than this share of users have it: fewer may be new users to whom a script gave one password. */
const smallestPart = 0.2;

/** At least this many recent hashes are remembered: one that a fifth of the users have recurs long before that. */
const fewestKept = 1000;

/**
 * Creates a counter of users with the same bcrypt hash. Each hash has a random salt, so two are never equal by chance: somebody gave
 * many users one hash. Only recent hashes are remembered, to limit memory.
 */
export function countSameHash() {
  let recent = new Map<string, number>();
  let before = recent;
  let all = 0;
  let most = 0;
  return {
    /** Counts one more user. Returns how many users have the most frequent hash if they are suspiciously many, else 0. */
    add(hash: string): number {
      all += 1;
      const users = (recent.get(hash) ?? before.get(hash) ?? 0) + 1;
      if (recent.size === fewestKept) {
        before = recent;
        recent = new Map();
      }
      recent.set(hash, users);
      most = Math.max(most, users);
      return most > mostCopies && most > smallestPart * all ? most : 0;
    },
  };
}
