import type { HashUse } from '../hashes/identify.ts';

/** Users whose hashes are of one kind. */
export interface PasswordKind {
  /** What an import can do with the hashes; `none`: there is no hash. */
  use: HashUse | 'none';
  format: string;
  users: number;
  /** What to do for these users. */
  remedy: string;
}

/** A value that the recipe, or the API, does not know. */
export interface UnknownValue {
  column: string;
  value: string;
  rows: number;
}

/** What would become of the people of a file, in the words of `assess --json`. */
export interface Assessment {
  file: string;
  reading: string[];
  recipe: string | null;
  rows: number;
  /** Rows that pass the checks. */
  ready: number;
  rejected: number;
  skipped: number;
  to_disable: number;
  passwords: PasswordKind[];
  /** Rows with each issue; a row counts for each of its issues. */
  issues: Record<string, number>;
  unknown_values: UnknownValue[];
  /** `field`: what the column is read as; `null`: it is not read. */
  columns: { name: string; field: string | null; filled: number | null }[];
  /** Columns that are not read, and look like a status. */
  status_columns: string[];
  /** What people will notice. */
  notices: string[];
}
