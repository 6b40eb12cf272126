import * as v from 'valibot';
import { amount, count, described, text } from '../../contract/value-schemas.ts';

/** The result of a comparison, as in `summary.json` and `--json`. */
export const comparison = v.strictObject({
  directory: described(text, 'where the lists are'),
  file: text,
  digest: described(text, 'SHA-256 of the file'),
  target: v.record(v.string(), text),
  job: v.exactOptional(text),
  rows: described(count, 'same + differs + missing + ambiguous + invalid'),
  users: described(count, 'users of the tenant'),
  same: count,
  differs: count,
  missing: described(count, 'no user has a key of the row'),
  extra: described(count, 'users whom no row finds'),
  ambiguous: described(
    count,
    'the keys of the row belong to several users, or to one only as another key, or it has none',
  ),
  invalid: described(count, 'rows that fail the checks, and are not compared'),
  unrecognised: described(
    count,
    'of these, rows about a person by which no user was found: extra.csv may have their users',
  ),
  changed_since: described(count, 'users who differ, were created by the job, and were changed since'),
  fields: described(v.record(v.string(), count), 'number of rows that differ, by field'),
  complete: described(v.boolean(), 'false: the tenant was changed while it was read'),
  faults: described(v.array(text), 'why it is not complete'),
  seconds: amount,
});

export type ComparisonSummary = v.InferOutput<typeof comparison>;
