import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { writeBcryptUsers } from '../../../../cluster/bcrypt-users.ts';
import { haproxy } from '../../../../cluster/haproxy.mjs';
import { canHaveStandby, startPostgresPair } from '../../../../cluster/postgres-pair.mjs';
import { surviveFaults } from '../../../../cluster/survive-faults.mjs';
import { temporaryDirectory } from '../../../../world.ts';

/** So many that a share of them is still being imported when a fault begins. */
const rows = 990;
/** With this delay, creates are in progress at any moment. The pauses leave the processors to the other processes. */
const load = { flushDelay: 5, pauses: { 'look-up': 50, login: 200 } };

test.skipIf(haproxy === undefined || !canHaveStandby())(
  'three nodes behind HAProxy lose no acknowledged user, and create none twice, whatever fails',
  { timeout: 240_000 },
  async () => {
    const directory = await temporaryDirectory();
    const file = await writeBcryptUsers(rows);
    const { survived, ...found } = await surviveFaults({ file, rows, directory, load });
    expect(found).toMatchObject({ lost: [], twice: [], gaps: 0, missing: 0 });
    expect(found.acknowledged).toBeGreaterThan(150);
    const whileRestarted = Object.keys(survived['the nodes are restarted in turn']?.answers ?? {});
    expect(whileRestarted, 'nobody notices a node that is drained').toEqual([
      'create: 200',
      'login: 200',
      'look-up: 200',
    ]);
  },
);

test.skipIf(!canHaveStandby())(
  'a commit whose wait for the standby was cancelled is not reported as done, though the primary has it',
  { timeout: 60_000 },
  async () => {
    const pair = await startPostgresPair();
    onTestFinished(pair.stop);
    await pair.query('CREATE TABLE things (number BIGINT PRIMARY KEY)');
    const database = await openPostgres(pair.location);
    onTestFinished(() => database.close());
    await pair.endStandby();
    const insert = { sql: 'INSERT INTO things (number) VALUES (?)', values: [1] };
    const outcome = expect(database.commit([insert])).rejects.toMatchObject({
      code: 'COMMIT_UNKNOWN',
      message: expect.stringContaining('canceling wait for synchronous replication'),
    });
    const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while ((await pair.query(cancel)).length === 0);
    await outcome;
    expect(await database.query('SELECT number FROM things', [])).toEqual([{ number: 1 }]);
  },
);
