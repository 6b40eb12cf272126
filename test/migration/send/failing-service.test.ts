import { expect, test } from 'vitest';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { json, startPeer } from '../../client/start-peer.ts';
import { fastClock } from '../../clocks.ts';
import { scriptOf } from '../../service/fault-injection/script-of.ts';
import { startTestService } from '../../test-service.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const file = `user_name,algorithm,hash\n${Array.from({ length: 300 }, (_, row) => `user${row},md5,${goodHashes.md5}\n`).join('')}`;

/** Imports into a service that answers 500 to these operations. */
async function importWhileFailing(...operations: string[]) {
  const failing = operations.map((operation) => ({ operation, do: { status: 500 } }));
  const faults = planFaults(scriptOf(JSON.stringify({ faults: failing })), Date.now);
  const { client } = await startTestService({ faults });
  const clock = fastClock(50);
  return runImport(file, { clock }, client.withoutRetries());
}

const failed = /^the service failed at every request for \d\d s: System busy.* \(SVC\.TENANT\.COM\.0002\)$/;

test('a service that fails at creates and look-ups ends the run soon, and rows that were not sent are pending', async () => {
  const { summary, stoppedBy } = await importWhileFailing('importHashedUser', 'getUserByUserName');
  expect(stoppedBy).toMatchObject({ code: 'HOST_GONE', message: expect.stringMatching(failed) });
  expect(summary.created).toBe(0);
  expect(summary.pending + summary.unknown).toBe(300);
  expect(summary.pending).toBeGreaterThan(250);
});

test('a service that gives no token ends the run soon, and every row is pending, since none was sent', async () => {
  const { summary, stoppedBy } = await importWhileFailing('obtainToken');
  const message = expect.stringContaining('the service fails to give an access token: System busy');
  expect(stoppedBy).toMatchObject({ code: 'HOST_GONE', message });
  expect(summary).toMatchObject({ pending: 300, unknown: 0, failed: 0 });
});

test('a row that is answered with an error beside a user is looked up, and nobody counts as created', async () => {
  const taken = { error_code: 'SVC.TENANT.USER.0034', error_msg: 'Username already exists' };
  const holder = { user_id: 'u-9', user_name: 'ann', name: 'Ann Other', disabled: false };
  const { calls, connect } = await startPeer({
    call(received, response) {
      const isCreate = received.url.endsWith('/import-hash-pwd');
      json(200, isCreate ? { ...taken, user_id: 'u-9' } : holder)(received, response);
    },
  });
  const rows = `user_name,name,algorithm,hash\nann,Ann Lee,md5,${goodHashes.md5}\n`;
  const ended = await runImport(rows, { clock: fastClock(50) }, connect().withoutRetries());
  expect(ended.summary).toMatchObject({ created: 0, existing: 0, conflict: 1 });
  expect(ended.users).toEqual([]);
  expect(calls.filter(({ url }) => url.endsWith('/import-hash-pwd'))).toHaveLength(1);
});
