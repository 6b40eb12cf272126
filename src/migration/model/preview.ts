import type { HashAlgorithm } from '../../contract/attributes.ts';
import { zeros } from './zeros.ts';

/** Counts of the users who pass the checks, which people should know before an import and after it. */
const peopleCounts = [
  /** Users who must change the password at the first login. */
  'must_change_password',
  /** Of these: neither the file nor `--set` says so, but the API's default. */
  'must_change_by_default',
  /** Users who will have no password. */
  'without_password',
  /** Users without a user name, a mobile number and an e-mail address. */
  'without_login_name',
  /** Users who are disabled after the create. */
  'to_disable',
  /** Users with one and the same bcrypt hash, if they are suspiciously many; see `countSameHash`. */
  'same_hash',
] as const;

export type PeopleCount = (typeof peopleCounts)[number];

/** All counts of a preview: rows that pass the checks, rejected rows, rows that the recipe leaves out, and counts of users. */
const previewCounts = [
  'ready',
  'rejected',
  'skipped',
  /** Of `ready`: the recipe says that the user is disabled, who may be there already. */
  'disabled_rows',
  ...peopleCounts,
] as const;

/** What an import is about to do, counted before its first row is sent if somebody waits for it, otherwise during the run. */
export interface Preview extends Record<(typeof previewCounts)[number], number> {
  /** Columns of the file that are not imported, by name. */
  ignored_columns: string[];
  /** Columns by which the recipe finds people who may not log in; left out unless the file has none of them. */
  missing_status?: string[];
  /** Of the columns that are not imported, those whose values look like salts of the hashes; left out unless there are any. */
  salt_columns?: string[];
  /** Of the columns that are not imported, those whose values may say who may not log in; left out unless there are any. */
  status_columns?: string[];
  /** Users with an identifier of somebody whom the recipe leaves out, and the first of their rows; left out unless there are any. */
  shared_with_skipped?: { users: number; rows: number[] };
  /** Number of rows for which each condition of the recipe holds, whoever is there already; a row counts for each. */
  by_condition?: Record<string, number>;
  /** Number of rows of each algorithm, of those that pass the checks. */
  algorithms: { [Name in HashAlgorithm]?: number };
}

export function emptyPreview({
  ignored,
  missingStatus,
  mayBeSalts = [],
}: {
  ignored: Iterable<string>;
  missingStatus: readonly string[];
  mayBeSalts?: readonly string[];
}): Preview {
  return {
    ...zeros(previewCounts),
    ignored_columns: [...ignored],
    ...(missingStatus.length > 0 ? { missing_status: [...missingStatus] } : {}),
    ...(mayBeSalts.length > 0 ? { salt_columns: [...mayBeSalts] } : {}),
    algorithms: {},
  };
}

/** Returns the preview of a file, given those of its shards. */
export function mergePreviews(previews: readonly Preview[]): Preview {
  const [first] = previews;
  const merged = emptyPreview({
    ignored: new Set(previews.flatMap((preview) => preview.ignored_columns)),
    missingStatus: first?.missing_status ?? [],
    mayBeSalts: first?.salt_columns ?? [],
  });
  noteStatuses(merged, new Set(previews.flatMap((preview) => preview.status_columns ?? [])));
  for (const preview of previews) {
    const { users: sharing = 0, rows: sharingRows = [] } = preview.shared_with_skipped ?? {};
    if (sharing > 0) noteSharing(merged, sharing, ...sharingRows);
    // Records of an earlier version lack a count.
    for (const name of previewCounts) merged[name] += preview[name] ?? 0;
    for (const [name, rows] of Object.entries(preview.by_condition ?? {})) countCondition(merged, name, rows);
    for (const [name, rows] of Object.entries(preview.algorithms) as [HashAlgorithm, number][]) {
      merged.algorithms[name] = (merged.algorithms[name] ?? 0) + rows;
    }
  }
  return merged;
}

/** Most rows that are stored. */
const mostNamed = 100;

/** Counts users with an identifier of somebody whom the recipe leaves out, and stores the first rows. */
export function noteSharing(preview: Preview, users: number, ...rows: readonly number[]): void {
  const known = preview.shared_with_skipped ?? { users: 0, rows: [] };
  preview.shared_with_skipped = {
    users: known.users + users,
    rows: [...known.rows, ...rows].slice(0, mostNamed),
  };
}

/** Stores which columns may say who may not log in. */
export function noteStatuses(preview: Preview, columns: Iterable<string>): void {
  const names = [...columns];
  if (names.length > 0) preview.status_columns = names;
  else delete preview.status_columns;
}

export function countCondition(preview: Preview, name: string, rows = 1): void {
  preview.by_condition ??= {};
  preview.by_condition[name] = (preview.by_condition[name] ?? 0) + rows;
}

/** Returns the counts of users in a preview, as a summary has them. */
export function peopleOf(preview: Preview): Record<PeopleCount, number> {
  return Object.fromEntries(peopleCounts.map((name) => [name, preview[name]])) as Record<PeopleCount, number>;
}
