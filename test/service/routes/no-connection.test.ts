import { expect, test } from 'vitest';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { StoreError } from '../../../src/service/storage/engine/store-error.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { keptDatabase } from '../storage/test-database.ts';

const ann = { user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false };

/** A statement that contains `part`; before it, some others of its kind may pass. */
interface Loss {
  part: string;
  passes?: number;
}

/** A service with a user; its database has no connection for the `lost` statements, each once. */
async function startWithLosses() {
  const database = await keptDatabase();
  const lost: Loss[] = [];
  const lose = (texts: readonly string[]) => {
    const index = lost.findIndex(({ part }) => texts.some((text) => text.includes(part)));
    const [loss] = index === -1 ? [] : lost.splice(index, 1);
    if (!loss) return;
    if (loss.passes) {
      lost.push({ ...loss, passes: loss.passes - 1 });
      return;
    }
    throw new StoreError('all connections of the pool are in use', 'NOT_CONNECTED');
  };
  const losing: Database = {
    ...database,
    async query<Row>(...[sql, values]: Parameters<Database['query']>) {
      lose([sql]);
      return database.query<Row>(sql, values);
    },
    async commit(transaction) {
      lose(transaction.map(({ sql }) => sql));
      return database.commit(transaction);
    },
  };
  const service = await startTestService({ database: losing });
  await service.client.createUser(ann);
  // Creates the signing key.
  await service.client.obtainToken();
  const once = service.client.withoutRetries();
  return {
    ...service,
    database,
    lost,
    logIn: (pwd: string) => once.logIn(ann.user_name, pwd, device),
    verify: (sso_ticket: string) => once.verifySsoTicket({ sso_ticket, ...device }),
  };
}

const busy = { status: 503 };
const left = (attempts: number) => apiErrorOf('loginRefused', String(attempts));

test('a ticket whose user could not be read is still valid', async () => {
  const { client, lost, logIn, verify, reports } = await startWithLosses();
  const login = await logIn(ann.pwd);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket } = await client.issueSsoTicket(session, device);
  lost.push({ part: 'FROM users' });
  await expect(verify(sso_ticket)).rejects.toMatchObject(busy);
  expect(await verify(sso_ticket)).toMatchObject({ userName: 'ann' });
  expect(reports.splice(0)).toHaveLength(1);
});

test.each<Loss & { what: string }>([
  { what: 'the signing key cannot be read', part: 'FROM signing_keys' },
  { what: 'the user cannot be read for the comparison', part: 'AS match_rank', passes: 1 },
  { what: 'the login cannot be stored', part: 'INSERT INTO grants' },
])('a login leaves no session and is not counted if $what', async ({ part, passes = 0 }) => {
  const { database, lost, logIn, reports } = await startWithLosses();
  lost.push({ part, passes });
  await expect(logIn(ann.pwd)).rejects.toMatchObject(busy);
  expect(await database.query('SELECT 1 FROM grants', [])).toEqual([]);
  await expect(logIn('wrong')).rejects.toMatchObject(left(4));
  expect(reports.splice(0)).toHaveLength(1);
});

test('a login whose attempt stays counted must not be repeated', async () => {
  const { lost, logIn, reports } = await startWithLosses();
  lost.push({ part: 'FROM signing_keys' }, { part: 'failures = failures - 1' });
  await expect(logIn(ann.pwd)).rejects.toMatchObject({ status: 500 });
  await expect(logIn('wrong')).rejects.toMatchObject(left(3));
  expect(reports.splice(0)).toMatchObject([{ message: expect.stringContaining('stays counted') }]);
});
