import * as v from 'valibot';
import { count, moment } from '../../contract/wire.ts';
import type { LearnedDefinition } from '../../migration/learn/propose-definition.ts';
import type { IssuedApplication, ShownApplication } from '../../service/admin/applications.ts';
import type { EndedSessions } from '../../service/admin/sessions.ts';
import type { ShownKey } from '../../service/admin/signing-keys.ts';
import { described, list, type Shapes, text, textOrNull } from './shapes.ts';

const application = {
  tenant_id: text,
  client_id: text,
  name: textOrNull,
  scope: described(v.picklist(['all', 'read']), 'read: look-ups, lists and the exchange of tickets'),
  created_at: moment,
  former_secret_until: described(
    v.nullable(moment),
    'until when the secret before the present one is valid; null: there is one secret',
  ),
};

const listedApplication = v.strictObject(application) satisfies v.GenericSchema<unknown, ShownApplication>;
const issuedApplication = v.strictObject({
  ...application,
  client_secret: described(text, 'shown once'),
}) satisfies v.GenericSchema<unknown, IssuedApplication>;

const endedSessions = v.strictObject({
  tenant_id: text,
  user_id: textOrNull,
  client_id: textOrNull,
  sessions: described(count, 'sessions of users'),
  tokens: described(count, 'access tokens of the application'),
}) satisfies v.GenericSchema<unknown, EndedSessions>;

const signingKey = v.strictObject({
  tenant_id: text,
  kid: text,
  state: described(
    v.picklist(['next', 'signing', 'retired']),
    'next: published, signs later; retired: published, signs no more',
  ),
  created_at: moment,
  signs_from: moment,
  published_until: described(v.nullable(moment), 'null: until another key follows it'),
}) satisfies v.GenericSchema<unknown, ShownKey>;

const comment = described(text, 'of how many users it comes; behind "Check:" what a person has to confirm');
const isTrue = v.exactOptional(v.literal(true));

const learnedRule = v.strictObject({
  $comment: comment,
  display_name: v.exactOptional(text),
  type: v.exactOptional(text),
  required: isTrue,
  unique: isTrue,
  max_length: v.exactOptional(count),
  pattern: v.exactOptional(text),
});

const learned = v.strictObject({
  $comment: comment,
  tenant_id: text,
  attributes: v.record(text, learnedRule),
  extension: v.record(text, learnedRule),
  mobile: v.exactOptional(
    v.strictObject({ $comment: comment, default_area_code: text, area_codes: v.record(text, text) }),
  ),
  password: v.strictObject({ $comment: comment }),
}) satisfies v.GenericSchema<unknown, LearnedDefinition>;

/** What the commands print about definitions that were learned, and that administer the local service. */
export const administrationShapes = {
  'tenant learn': { title: 'A draft of a tenant definition', document: learned },
  'apps list': list('Applications', 'applications', listedApplication),
  'apps create': { title: 'The application that was made', document: issuedApplication },
  'apps rotate-secret': { title: 'The application with its new secret', document: issuedApplication },
  'apps revoke': { title: 'The application that was deleted', document: listedApplication },
  'sessions end': { title: 'What was ended', document: endedSessions },
  'keys list': list('Published signing keys', 'keys', signingKey),
  'keys rotate': list('Published signing keys after the rotation', 'keys', signingKey),
  'keys reset': { title: 'How many signing keys were deleted', document: v.strictObject({ deleted: count }) },
} as const satisfies Record<string, Shapes>;
