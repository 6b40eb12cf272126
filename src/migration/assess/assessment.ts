import * as v from 'valibot';
import { count, described, text, textOrNull } from '../../contract/value-schemas.ts';
import { hashUses } from '../hashes/identity.ts';

/** Users with one kind of hash; `none`: users without a hash. */
const passwordKind = v.strictObject({
  use: described(
    v.picklist([...hashUses, 'depends', 'none']),
    'as-is and strip: these users keep the password; depends: if their hashes were made as the API reads them',
  ),
  format: text,
  users: count,
  remedy: text,
});

export type PasswordKind = v.InferOutput<typeof passwordKind>;

/** A value that the recipe, or the API, does not know. */
const unknownValue = v.strictObject({ column: text, value: text, rows: count });

export type UnknownValue = v.InferOutput<typeof unknownValue>;

/** What would become of the users of a file, as in `assess --json`. */
export const assessment = v.strictObject({
  file: text,
  reading: described(v.array(text), 'compression, encoding, delimiter or format'),
  recipe: described(textOrNull, 'by which the file was read; null: by none'),
  rows: count,
  ready: described(count, 'rows that pass the checks'),
  rejected: count,
  skipped: described(count, 'left out by the recipe'),
  to_disable: described(count, 'users who would be disabled after the create'),
  passwords: described(v.array(passwordKind), 'users by the kind of their hash, most first'),
  issues: described(v.record(v.string(), count), 'rows by issue; a row counts for each of its issues'),
  unknown_values: v.array(unknownValue),
  columns: v.array(
    v.strictObject({
      name: text,
      field: described(textOrNull, 'what the column is read as; null: it is not read'),
      filled: described(v.nullable(count), 'rows in which it has a value'),
    }),
  ),
  status_columns: described(v.array(text), 'columns that are not read, and look like a status'),
  missing_columns: described(
    v.array(text),
    'columns of conditions of the recipe that the file lacks: nobody is skipped or disabled by them',
  ),
  notices: described(
    v.array(text),
    'columns that may hold hashes and are not read, and what people will notice',
  ),
});

export type Assessment = v.InferOutput<typeof assessment>;
