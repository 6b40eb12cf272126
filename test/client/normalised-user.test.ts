import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { json, startPeer } from './start-peer.ts';

const times = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };
const user = { user_id: 'u-1', user_name: 'ann', ...times };

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['by id', (client) => client.getUser('u-1')],
  ['by user name', (client) => client.getUserByUserName('ann')],
  ['by e-mail', (client) => client.getUserByEmail('ann@example.com')],
  ['by mobile', (client) => client.getUserByMobile('1')],
  ['by external ID', (client) => client.getUserByExternalId('x')],
  ['in a list', async (client) => (await client.listUsers({ offset: 0, limit: 10 })).users[0]],
])('a user found %s has the same types, whatever the service sends', async (_, find) => {
  const answers: [object, object][] = [
    [
      { disabled: 'true', usr_auth_times: 3 },
      { disabled: true, usr_auth_times: '3' },
    ],
    [
      { disabled: 'false', usr_auth_times: '3' },
      { disabled: false, usr_auth_times: '3' },
    ],
    [{ disabled: true }, { disabled: true, usr_auth_times: '0' }],
    [{}, { disabled: false, usr_auth_times: '0' }],
    [{ user_name: null, email: null, external_id: null, extension: null }, { user_name: '' }],
    [
      { mobile: 13800000000, industry: ['it'], extension: { level: 3, team: 'a', site: null } },
      { mobile: '13800000000', industry: '["it"]', extension: { level: '3', team: 'a' } },
    ],
  ];
  for (const [sent, expected] of answers) {
    const found = { ...user, ...sent };
    const peer = await startPeer({ call: json(200, { ...found, users: [found], total: 1 }) });
    const read = await find(peer.connect());
    expect(read).toMatchObject({ ...user, ...expected });
    // The peer answers a single user with a list, too.
    expect(JSON.stringify(Object.assign({}, read, { users: [] }))).not.toContain('null');
  }
});
