import type { HashAlgorithm } from '../../contract/attributes.ts';

/** What an import is about to do: counted before its first row is sent where somebody waits for it, else on the way. */
export interface Preview {
  /** Rows that pass the checks. */
  ready: number;
  /** Rows that do not, and are not sent. */
  rejected: number;
  /** Of the rows that pass: users who must change the password at the first login. */
  must_change_password: number;
  /** Of these: users of whom neither the file nor `--set` says so, but the API's default. */
  must_change_by_default: number;
  /** Rows that the recipe leaves out. */
  skipped: number;
  /** Of the rows that pass: users who will have no password. */
  without_password: number;
  /** Of the rows that pass: users who are disabled after the create. */
  to_disable: number;
  /** Of the rows that pass: users who have one and the same bcrypt hash, where they are suspiciously many; see `countSameHash`. */
  same_hash: number;
  /** Columns of the file that are not imported, by name. */
  ignored_columns: string[];
  /** Rows of each algorithm, those included that do not pass. */
  algorithms: { [Name in HashAlgorithm]?: number };
}

type CountName = { [Name in keyof Preview]: Preview[Name] extends number ? Name : never }[keyof Preview];

/** The preview of a file from those of its shards. */
export function mergePreviews(previews: readonly Preview[]): Preview {
  const algorithms: Preview['algorithms'] = {};
  for (const preview of previews) {
    for (const [name, rows] of Object.entries(preview.algorithms) as [HashAlgorithm, number][]) {
      algorithms[name] = (algorithms[name] ?? 0) + rows;
    }
  }
  const sumOf = (name: CountName) => previews.reduce((sum, preview) => sum + preview[name], 0);
  return {
    ready: sumOf('ready'),
    rejected: sumOf('rejected'),
    must_change_password: sumOf('must_change_password'),
    must_change_by_default: sumOf('must_change_by_default'),
    skipped: sumOf('skipped'),
    without_password: sumOf('without_password'),
    to_disable: sumOf('to_disable'),
    same_hash: sumOf('same_hash'),
    ignored_columns: [...new Set(previews.flatMap((preview) => preview.ignored_columns))],
    algorithms,
  };
}
