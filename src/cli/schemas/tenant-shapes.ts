import { attributeNames } from '../../contract/attributes.ts';
import type { Fields, JsonSchema } from '../../contract/json-schema.ts';
import type { AttributeDocument, ExtensionDocument, TenantDocument } from '../../service/tenant/document.ts';
import { arrayOf, closed, count, mapOf, may, must, type Shapes, text, truth } from './shapes.ts';

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
