import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { device, startTestService } from '../../test-service.ts';

const pwd = 'qwe123!@#';
const md5 = { algorithm: 'md5', value: createHash('md5').update(pwd).digest('hex') } as const;
/** Takes several times as long to compare as the service's own scheme. */
const bcrypt = {
  algorithm: 'bcrypt',
  value: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
} as const;

/** Who is named, and with which password. */
const attempts = {
  'a wrong password': ['own', 'wrong'],
  'a wrong password by e-mail': ['own@example.com', 'wrong'],
  'a wrong password beside an md5 hash': ['legacy', 'wrong'],
  'a wrong password beside a bcrypt hash': ['slow', 'wrong'],
  'an unknown name': ['nobody', pwd],
  'an unknown number': ['15200000009', pwd],
  'a disabled user': ['gone', pwd],
  'a disabled user with an md5 hash': ['legacy-gone', pwd],
  'a user without a password': ['nopass', ''],
} satisfies Record<string, [login: string, password: string]>;

type Kind = keyof typeof attempts;

async function startWithUsers() {
  const login = { max_attempts: 1000, lock_seconds: 300 };
  const service = await startTestService({ tenants: [{ ...defaultTenant, login }] });
  const { client } = service;
  await client.createUser({ user_name: 'own', email: 'own@example.com', pwd, pwd_must_modify: false });
  await client.importHashedUser({ user_name: 'legacy', 'hash-pwd': md5 });
  await client.importHashedUser({ user_name: 'slow', 'hash-pwd': bcrypt });
  await client.createUser({ user_name: 'nopass' });
  const disabled = [
    await client.createUser({ user_name: 'gone', pwd }),
    await client.importHashedUser({ user_name: 'legacy-gone', 'hash-pwd': md5 }),
  ];
  for (const { user_id } of disabled) await client.disableUser(user_id);
  return service;
}

/**
 * Time of each kind of refusal, in turn, as a multiple of the first kind's. The lower quartile is compared: what else the
 * machine does makes calls slower, never quicker.
 */
async function ratiosOf(kinds: Kind[], rounds: number): Promise<{ kind: Kind; ratio: number }[]> {
  const { client } = await startWithUsers();
  const times = kinds.map((kind) => ({ kind, taken: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, taken } of times) {
      const [name, password] = attempts[kind];
      const start = performance.now();
      await expect(client.logIn(name, password, device)).rejects.toMatchObject({ code: 'SDK.LOGIN.1005' });
      taken.push(performance.now() - start);
    }
  }
  const typical = times.map(({ kind, taken }) => ({ kind, time: lowerQuartileOf(taken) }));
  return typical.map(({ kind, time }) => ({ kind, ratio: time / (typical[0]?.time ?? 0) }));
}

function lowerQuartileOf(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0;
}

const isTold = ({ ratio }: { ratio: number }) => ratio < 0.5 || ratio > 2;

test('no refused login is told from another by the time it takes', async () => {
  const kinds = (Object.keys(attempts) as Kind[]).filter((kind) => !kind.includes('bcrypt'));
  expect((await ratiosOf(kinds, 16)).filter(isTold)).toEqual([]);
});

test('nor where the hashes of the older system are slow', async () => {
  const kinds: Kind[] = ['a wrong password beside a bcrypt hash', 'a wrong password', 'an unknown name'];
  expect((await ratiosOf(kinds, 12)).filter(isTold)).toEqual([]);
});
