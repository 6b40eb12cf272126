import * as v from 'valibot';
import { count } from '../../contract/wire.ts';
import { hashUses } from '../../migration/hashes/identify.ts';
import type { Assessment } from '../../migration/model/assessment.ts';
import { described, list, text, textOrNull } from './shapes.ts';

const assessment = v.strictObject({
  file: text,
  reading: described(v.array(text), 'compression, encoding, delimiter or format'),
  recipe: described(textOrNull, 'by which the file was read; null: by none'),
  rows: count,
  ready: described(count, 'rows that pass the checks'),
  rejected: count,
  skipped: described(count, 'left out by the recipe'),
  to_disable: described(count, 'users who would be disabled after the create'),
  passwords: described(
    v.array(
      v.strictObject({
        use: described(v.picklist([...hashUses, 'none']), 'as-is and strip: these users keep the password'),
        format: text,
        users: count,
        remedy: text,
      }),
    ),
    'users by the kind of their hash, most first',
  ),
  issues: described(v.record(v.string(), count), 'rows by issue; a row counts for each of its issues'),
  unknown_values: v.array(v.strictObject({ column: text, value: text, rows: count })),
  columns: v.array(
    v.strictObject({
      name: text,
      field: described(textOrNull, 'what the column is read as; null: it is not read'),
      filled: described(v.nullable(count), 'rows in which it has a value'),
    }),
  ),
  status_columns: described(v.array(text), 'columns that are not read, and look like a status'),
  notices: described(v.array(text), 'what people will notice'),
}) satisfies v.GenericSchema<unknown, Assessment>;

/** What `assess` prints. */
export const assessShapes = {
  assess: { title: 'What would become of the people of a file', document: assessment },
  template: list(
    'Columns of a file of users',
    'columns',
    v.strictObject({ name: text, holds: described(text, 'what belongs in the column') }),
  ),
};
