import * as v from 'valibot';
import { count, described, moment, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import { wireSchemas } from '../../contract/wire.ts';
import { pace } from '../../migration/model/forecast.ts';
import { summary } from '../../migration/model/summary.ts';
import { errorShape, list, type Shapes } from './shapes.ts';

/** A user in every output (§2.2). Another service may leave out a time, or send more fields, which are passed on. */
const user = v.looseObject({
  ...v.partial(wireSchemas.User, ['created_at', 'updated_at']).entries,
  usr_auth_times: described(count, 'number of logins'),
});

const page = {
  total: described(count, 'users whom the service counts'),
  read: optional(count, 'with --search and --where: users read'),
  matches: optional(count, 'with --search and --where: users who match, of whom these are the first'),
  offset: described(count, 'page number from 0'),
  limit: count,
  complete: described(v.boolean(), 'false: the list may be incomplete (exit code 10)'),
};

const given = optional(text, 'the value of the finder that named the user');
const disabled = v.variant('ok', [
  v.strictObject({
    user_id: text,
    given,
    ok: v.literal(true),
    action: described(v.picklist(['disabled', 'unchanged']), 'unchanged: the user was disabled before'),
  }),
  v.strictObject({
    user_id: described(textOrNull, 'null: no user was found by the finder'),
    given,
    ok: v.literal(false),
    error: errorShape,
  }),
]);

export const userShapes = {
  'users list': list('Users', 'users', user, page),
  'users get': { title: 'A user', document: user },
  'users create': {
    title: 'The user that was created; with --csv what was done, as apply',
    document: wireSchemas.UserReference,
    csv: summary,
  },
  'users ensure': {
    title: 'What became of the user',
    document: v.strictObject({
      user_id: text,
      action: v.picklist(['created', 'updated', 'unchanged']),
      fields: described(v.array(text), 'that were updated'),
    }),
  },
  'users update': {
    title: 'The user that was changed; with --csv what was done, as apply',
    document: wireSchemas.UserReference,
    csv: summary,
  },
  api: {
    title: 'The answer of the endpoint, secrets hidden',
    document: v.union([v.looseObject({}), v.array(v.unknown())]),
  },
  'users disable': {
    ...list('The result for each user; with --csv what was done, as apply', 'results', disabled),
    csv: summary,
  },
} as const satisfies Record<string, Shapes>;

const token = v.strictObject({ expires_at: moment, scope: text });

const signIn = {
  profile: text,
  base_url: text,
  client_id: described(textOrNull, 'null: the embedded service'),
  token,
};

const origin = described(
  v.nullable(v.picklist(['flag', 'environment', 'profile', 'default'])),
  'where the value came from; null: there is none',
);

const database = described(textOrNull, 'database of the embedded service');

const status = v.strictObject({
  ...signIn,
  profile: described(textOrNull, 'null: nothing comes from a profile'),
  base_url: described(textOrNull, 'null: none is configured'),
  client_id: described(textOrNull, 'null: the embedded service, or none is configured'),
  token: described(v.nullable(token), 'null: the service is unreachable, or rejects the credentials'),
  local: database,
  auth_style: textOrNull,
  sources: v.strictObject({ profile: origin, base_url: origin, client_id: origin, client_secret: origin }),
  proxy: described(
    v.nullable(v.strictObject({ address: text, variable: text })),
    'proxy in use, and the environment variable that names it',
  ),
  pace: described(
    v.nullable(v.strictObject({ ...pace.entries, measured_at: text })),
    'how fast the tenant took users in the last run into it; null: not known',
  ),
  configuration: v.strictObject({
    file: described(textOrNull, 'null: the account has no place for one'),
    mode: described(
      textOrNull,
      'permissions, such as 0600; null: there is no file, or the system has no permissions',
    ),
    warnings: v.array(text),
  }),
});

const profile = v.strictObject({
  name: text,
  base_url: textOrNull,
  local: database,
  client_id: textOrNull,
  current: v.boolean(),
  logged_in: v.boolean(),
  token: v.nullable(token),
});

const current = described(textOrNull, 'null: none of the profiles is current');

export const profileShapes = {
  login: { title: 'The profile that was stored', document: v.strictObject(signIn) },
  logout: list(
    'The profiles whose token was removed',
    'profiles',
    v.strictObject({ name: text, forgotten: v.boolean() }),
  ),
  status: { title: 'The profile in use, and where each value came from', document: status },
  'profiles list': list('Profiles', 'profiles', profile, { current }),
  'profiles use': { title: 'The profile that is current now', document: v.strictObject({ current: text }) },
  'profiles remove': {
    title: 'The profile that was removed',
    document: v.strictObject({ removed: text, current }),
  },
} as const satisfies Record<string, Shapes>;
