import { attributeNames, hashAlgorithms } from '../../contract/attributes.ts';
import type { Fields, JsonSchema } from '../../contract/json-schema.ts';
import type { Diagnosis } from '../../migration/hashes/diagnose.ts';
import type { HashKind, Identity } from '../../migration/hashes/identify.ts';
import type { AttributeDocument, ExtensionDocument, TenantDocument } from '../../service/tenant/document.ts';
import type { Description } from '../errors/describe-error.ts';
import type { ErrorDetail } from '../errors/errors.ts';
import {
  arrayOf,
  closed,
  count,
  list,
  mapOf,
  may,
  must,
  type Shapes,
  text,
  textOrNull,
  truth,
} from './shapes.ts';

const attribute = closed({
  display_name: may(text),
  required: must(truth),
  min_length: must(count),
  max_length: may(count),
  pattern: may(text),
} satisfies Fields<AttributeDocument>);

const extension = closed({
  display_name: must(text),
  type: must({ ...text, enum: ['text', 'number', 'boolean', 'date'] }),
  required: must(truth),
  unique: must(truth),
  min_length: must(count),
  max_length: must(count),
  pattern: may(text),
} satisfies Fields<ExtensionDocument>);

const password = closed({
  required: must(truth),
  min_length: must(count),
  max_length: must(count),
  min_character_classes: must(count),
  max_repeats: must(count),
  forbid_reversed_user_name: must(truth),
  forbid_user_information: must(truth),
  forbid_weak: must(truth),
  history: must(count),
} satisfies Fields<TenantDocument['password']>);

const seconds: JsonSchema = { ...count, description: 'seconds' };

const definition = closed({
  tenant_id: must(text),
  time_zone: must({ ...text, description: 'IANA time zone' }),
  attributes: must(closed(Object.fromEntries(attributeNames.map((name) => [name, must(attribute)])))),
  extension: must(mapOf(extension)),
  mobile: must(
    closed({ default_area_code: must(text), area_codes: must(mapOf(text)) } satisfies Fields<
      TenantDocument['mobile']
    >),
  ),
  password: must(password),
  token: must(closed({ expires_in: must(seconds) } satisfies Fields<TenantDocument['token']>)),
  sso: must(
    closed({ ticket_expires_in: must(seconds), fields: must(arrayOf(text)) } satisfies Fields<
      TenantDocument['sso']
    >),
  ),
  login: must(
    closed({ max_attempts: must(count), lock_seconds: must(seconds) } satisfies Fields<
      TenantDocument['login']
    >),
  ),
} satisfies Fields<TenantDocument>);

/** What the tenant commands print. */
export const tenantShapes = {
  'tenant show': { title: 'A tenant definition, complete with its defaults', document: definition },
  'tenant check': {
    title: 'A tenant definition that can be applied',
    document: closed({ tenant_id: must(text), valid: must({ ...truth, const: true }) }),
  },
  'tenant apply': {
    title: 'A tenant definition that was stored',
    document: closed({ tenant_id: must(text), database: must(text) }),
  },
} as const satisfies Record<string, Shapes>;

const kind = closed({
  algorithm: must({ ...textOrNull, description: 'as the API names it; null: one that it does not know' }),
  format: must(text),
  accepted: must({ ...truth, description: 'does the API take it as it stands?' }),
  sure: must({ ...text, enum: ['certain', 'likely', 'possible'] }),
} satisfies Fields<HashKind>);

const identified = closed({
  line: must({ ...count, description: 'from 1' }),
  kinds: must({ ...arrayOf(kind), description: 'likeliest first; empty: it looks like no hash' }),
  damage: must({ ...arrayOf(text), description: 'what was undone to see it; see tenant-users explain' }),
} satisfies Fields<Identity & { line: number }>);

const mistake = closed({
  code: must({ ...text, description: 'see tenant-users explain; two are joined by a plus' }),
  message: must(text),
  remedy: must(text),
} satisfies Fields<Diagnosis>);

/** What the commands about hashes print. */
export const hashCommandShapes = {
  'hash identify': list('What hashes can be by their look', 'hashes', identified),
  'hash verify': {
    title: 'Whether a password belongs to a hash',
    document: closed({
      matches: must(truth),
      algorithm: must({ ...text, enum: hashAlgorithms }),
      mistake: must({
        anyOf: [mistake, { type: 'null' }],
        description: 'of the export; null: it matches, or none fits',
      }),
    }),
  },
} as const satisfies Record<string, Shapes>;

/** A failure as `--json` tells of it. */
export const errorShape = closed({
  code: must({ ...text, description: 'see tenant-users explain' }),
  message: must(text),
  status: must({ type: ['integer', 'null'], description: 'HTTP status, where there was an answer' }),
  retryable: must({ ...truth, description: 'may the same command succeed later without a change?' }),
  hint: must({ ...text, description: 'what to do next; may be empty' }),
  details: may(
    arrayOf(
      closed({
        path: must({ ...text, description: 'place in the file; empty: the whole file' }),
        message: must(text),
      } satisfies Fields<ErrorDetail>),
    ),
  ),
} satisfies Fields<Omit<Description, 'exitCode'>>);

/** The one line on stderr of a command that failed. */
export const errorLine: Shapes = {
  title: 'The line on stderr of a command that failed',
  document: closed({ error: must(errorShape) }),
};
