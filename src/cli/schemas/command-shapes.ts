import type { Fields, JsonSchema } from '../../contract/json-schema.ts';
import { wireFields } from '../../contract/schemas.ts';
import type { AlgorithmCounts, Summary } from '../../migration/model/summary.ts';
import type { Check } from '../doctor/check.ts';
import type { Explained } from '../errors/explain/explained.ts';
import {
  arrayOf,
  closed,
  count,
  list,
  mapOf,
  may,
  must,
  open,
  type Shapes,
  type Silent,
  text,
  truth,
} from './shapes.ts';
import { errorLine, hashCommandShapes, tenantShapes } from './tenant-shapes.ts';
import { profileShapes, userShapes } from './user-shapes.ts';

const summary = closed({
  job: must({ ...text, description: 'the job directory' }),
  rows: must({ ...count, description: 'the sum of the seven counts that follow' }),
  created: must(count),
  existing: must(count),
  conflict: must(count),
  failed: must({ ...count, description: 'refused by the API' }),
  invalid: must({ ...count, description: 'not sent: findings stand against the row' }),
  unknown: must({ ...count, description: 'sent, but no answer came back' }),
  pending: must({ ...count, description: 'not sent yet' }),
  resumed: must(truth),
  dry_run: must(truth),
  rehearsal: must(truth),
  shard: may({ ...text, description: 'share of the file, such as 1/2' }),
  seconds: must({ type: 'number', minimum: 0 }),
  rows_per_second: must(count),
  codes: must({ ...mapOf(count), description: 'rows that are no users by code' }),
  by_algorithm: must(
    mapOf(
      closed({
        created: must(count),
        failed: must(count),
        canaries: must(count),
      } satisfies Fields<AlgorithmCounts>),
    ),
  ),
} satisfies Fields<Summary>);

const served = closed({
  base_url: must(text),
  tenants: must(
    arrayOf(
      closed({
        tenant_id: must(text),
        client_id: must(text),
        client_secret: may({ ...text, description: 'only when it was just made' }),
      }),
    ),
  ),
});

const check = closed({
  name: must(text),
  status: must({ ...text, enum: ['ok', 'warning', 'failed', 'skipped'] }),
  message: must(text),
  hint: must({ ...text, description: 'what to do next; empty where there is nothing to do' }),
} satisfies Fields<Check>);

const explained = closed({
  code: must(text),
  message: must(text),
  cause: must(text),
  remedy: must(text),
  retryable: must(truth),
  operations: must(arrayOf(text)),
  exit_code: must(count),
} satisfies Fields<Explained>);

const codes = list('Codes', 'codes', closed({ group: must(text), code: must(text), message: must(text) }));
const schemas = list(
  'Schemas',
  'schemas',
  closed({ command: must(text), title: must(text), id: must(text) }),
);

/** Two shapes of one command: with an argument, and without. */
function oneOrAll(title: string, one: JsonSchema, all: Shapes): Shapes {
  return {
    title,
    document: { type: 'object', oneOf: [one, all.document] },
    line: { type: 'object', oneOf: [one, all.line ?? all.document] },
  };
}

/** What each command prints, by its path; `list` stands for `users list`, and so on. */
export const commandShapes = {
  ...userShapes,
  ...tenantShapes,
  ...profileShapes,
  ...hashCommandShapes,
  'import-hashes': { title: 'What the import did', document: summary },
  'import-hashes merge': { title: 'What the shares of an import did together', document: summary },
  'sso verify': {
    title: 'The user that the ticket stands for; a tenant may show other fields',
    document: open(wireFields.SsoUser),
  },
  'sso ticket': { title: 'A fresh ticket', document: closed(wireFields.SsoTicket) },
  serve: { title: 'The first line, when connections are accepted', document: served },
  completion: { silent: 'it prints a script' },
  complete: { silent: 'it answers the script of a shell' },
  doctor: list('What was looked at', 'checks', check, {
    ok: must({ ...truth, description: 'nothing failed' }),
  }),
  explain: oneOrAll('A code, or all codes', explained, codes),
  schema: oneOrAll(
    'A JSON Schema, or the list of them',
    open({ $schema: must(text), $id: must(text), title: must(text), $comment: must(text) }),
    schemas,
  ),
} as const satisfies Record<string, Shapes | Silent>;

/** Beside the commands: what a failing one prints. */
export const otherShapes = { error: errorLine } as const satisfies Record<string, Shapes>;
