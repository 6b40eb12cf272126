import type { JsonSchema } from '../../contract/json-schema.ts';
import { arrayOf, closed, list, moment, must, type Shapes, text, textOrNull, truth } from './shapes.ts';

const token = closed({ expires_at: must(moment), scope: must(text) });

const signIn = {
  profile: must(text),
  base_url: must(text),
  client_id: must({ ...textOrNull, description: 'null: the embedded service' }),
  token: must(token),
};

const origin: JsonSchema = {
  ...textOrNull,
  enum: ['flag', 'environment', 'profile', 'default', null],
  description: 'where the value came from; null: there is none',
};

const configuration = closed({
  file: must(text),
  mode: must({
    ...textOrNull,
    description: 'permissions, such as 600; null: there is no file, or no such thing',
  }),
  warnings: must(arrayOf(text)),
});

const status = closed({
  ...signIn,
  local: must({ ...textOrNull, description: 'database of the embedded service' }),
  auth_style: must(textOrNull),
  sources: must(
    closed({
      profile: must(origin),
      base_url: must(origin),
      client_id: must(origin),
      client_secret: must(origin),
    }),
  ),
  proxy: must({
    anyOf: [closed({ address: must(text), variable: must(text) }), { type: 'null' }],
    description: 'proxy in use, and the environment variable that names it',
  }),
  configuration: must(configuration),
});

const profile = closed({
  name: must(text),
  base_url: must(textOrNull),
  local: must({ ...textOrNull, description: 'database of the embedded service' }),
  client_id: must(textOrNull),
  current: must(truth),
  logged_in: must(truth),
  token: must({ anyOf: [token, { type: 'null' }] }),
});

const current = must({ ...textOrNull, description: 'null: none of the profiles is current' });

/** What the commands about profiles print. */
export const profileShapes = {
  login: { title: 'The profile that was stored', document: closed(signIn) },
  logout: list('What was forgotten', 'profiles', closed({ name: must(text), forgotten: must(truth) })),
  status: { title: 'The profile in use, and where each value came from', document: status },
  'profiles list': list('Profiles', 'profiles', profile, { current }),
  'profiles use': { title: 'The profile that is current now', document: closed({ current: must(text) }) },
  'profiles remove': {
    title: 'The profile that was removed',
    document: closed({ removed: must(text), current }),
  },
} as const satisfies Record<string, Shapes>;
