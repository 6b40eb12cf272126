import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { device, startTestService } from '../../../../test-service.ts';
import { apiErrorOf } from '../../../api-errors.ts';
import { define, temporaryDatabase } from '../../temporary-database.ts';

/** A node that creates a ticket waits here, after it has read the session and before it commits. */
const gate = `CREATE TABLE gate (number BIGINT);
  CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN LOCK TABLE gate IN ACCESS SHARE MODE; RETURN NEW; END $$;
  CREATE TRIGGER at_gate BEFORE INSERT ON grants FOR EACH ROW WHEN (NEW.kind = 'ticket')
    EXECUTE FUNCTION wait_at_gate()`;

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('a ticket that one node creates while another node ends the sessions is ended, too', async () => {
  const database = await temporaryDatabase();
  const { client } = await startTestService({ database });
  const other = await startTestService({ database });
  const user = { user_name: 'ann', pwd: 'Gf4-kupz', pwd_must_modify: false };
  const { user_id } = await client.createUser(user);
  const login = await client.logIn(user.user_name, user.pwd, device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';

  await define(database, gate);
  const [keeper, watcher] = [await connect(database), await connect(database)];
  await keeper.query('BEGIN');
  await keeper.query('LOCK TABLE gate');
  const waiting = async () => {
    const sql = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await watcher.query(sql)).rows.length;
  };
  const issued = client.issueSsoTicket(session, device);
  await expect.poll(waiting).toBe(1);
  const path = `/api/v2/tenant/users/${user_id}/change-password`;
  const changed = other.request('PUT', path, { body: { password: 'Hk7-wqzt', must_modify: false } });
  await expect.poll(waiting).toBe(2);
  await keeper.query('COMMIT');

  expect(await changed).toMatchObject({ status: 200 });
  const { sso_ticket } = await issued;
  const verified = client.verifySsoTicket({ sso_ticket, ...device });
  await expect(verified).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
});
