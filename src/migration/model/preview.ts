import type { HashAlgorithm } from '../../contract/attributes.ts';

/** What is counted of the users who pass the checks, for people to know before an import and after it. */
const peopleCounts = [
  /** Must change the password at the first login. */
  'must_change_password',
  /** Of these: neither the file nor `--set` says so, but the API's default. */
  'must_change_by_default',
  /** Will have no password. */
  'without_password',
  /** Are disabled after the create. */
  'to_disable',
  /** Have one and the same bcrypt hash, where they are suspiciously many; see `countSameHash`. */
  'same_hash',
] as const;

export type PeopleCount = (typeof peopleCounts)[number];

/** What a preview counts: rows that pass the checks, those that do not and are not sent, and those that the recipe leaves out. */
const previewCounts = ['ready', 'rejected', 'skipped', ...peopleCounts] as const;

/** What an import is about to do: counted before its first row is sent where somebody waits for it, else on the way. */
export interface Preview extends Record<(typeof previewCounts)[number], number> {
  /** Columns of the file that are not imported, by name. */
  ignored_columns: string[];
  /** Rows of each algorithm, those included that do not pass. */
  algorithms: { [Name in HashAlgorithm]?: number };
}

/** A preview of no rows. `ignored`: columns of the file that are not imported. */
export function emptyPreview(ignored: Iterable<string>): Preview {
  const counts = Object.fromEntries(previewCounts.map((name) => [name, 0]));
  const none = counts as Record<(typeof previewCounts)[number], number>;
  return { ...none, ignored_columns: [...ignored], algorithms: {} };
}

/** The preview of a file from those of its shards. */
export function mergePreviews(previews: readonly Preview[]): Preview {
  const merged = emptyPreview(new Set(previews.flatMap((preview) => preview.ignored_columns)));
  for (const preview of previews) {
    for (const name of previewCounts) merged[name] += preview[name];
    for (const [name, rows] of Object.entries(preview.algorithms) as [HashAlgorithm, number][]) {
      merged.algorithms[name] = (merged.algorithms[name] ?? 0) + rows;
    }
  }
  return merged;
}

/** What a preview counts of people, as a summary has it. */
export function peopleOf(preview: Preview): Record<PeopleCount, number> {
  return Object.fromEntries(peopleCounts.map((name) => [name, preview[name]])) as Record<PeopleCount, number>;
}
