import * as v from 'valibot';
import { applicationScopes } from './operations.ts';
import { count, described, moment, text, textOrNull } from './value-schemas.ts';

const application = {
  tenant_id: text,
  client_id: text,
  name: textOrNull,
  scope: described(v.picklist(applicationScopes), 'read: look-ups, lists and the exchange of tickets'),
  created_at: moment,
  former_secret_until: described(
    v.nullable(moment),
    'until when the secret before the present one is valid; null: there is one secret',
  ),
};

/** An application as listed, without its secret. */
export const shownApplication = v.strictObject(application);

export type ShownApplication = v.InferOutput<typeof shownApplication>;
/** An application with its newly issued secret. */
export const issuedApplication = v.strictObject({
  ...application,
  client_secret: described(text, 'shown once'),
});

export type IssuedApplication = v.InferOutput<typeof issuedApplication>;

/** Result of ending sessions: how many sessions and access tokens were ended. */
export const endedSessions = v.strictObject({
  tenant_id: text,
  user_id: textOrNull,
  client_id: textOrNull,
  sessions: described(count, 'sessions of users'),
  tokens: described(count, 'access tokens of the application'),
});

export type EndedSessions = v.InferOutput<typeof endedSessions>;

/** A published signing key. */
export const shownKey = v.strictObject({
  tenant_id: text,
  kid: text,
  state: described(
    v.picklist(['next', 'signing', 'retired']),
    'next: published, signs later; retired: published, signs no more',
  ),
  created_at: moment,
  signs_from: moment,
  published_until: described(v.nullable(moment), 'null: until another key follows it'),
});

export type ShownKey = v.InferOutput<typeof shownKey>;
