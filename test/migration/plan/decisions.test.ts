import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { readActions } from '../../../src/migration/plan/document/action-lines.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

/** The outcome of the import of a row, by the action that a plan decides for it. */
const outcomes: Record<string, string> = {
  create: 'created',
  same: 'existing',
  conflict: 'conflict',
  cannot: 'conflict',
  invalid: 'invalid',
};

/** The outcome of each row, from the lists of a job. */
async function resultsOf(job: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of ['users.csv', 'failures.csv']) {
    const rows: Record<string, string>[] = parse(await readFile(join(job, name), 'utf8'), { columns: true });
    for (const { row = '', result, code = '', message = '' } of rows) {
      const isConflict = message.includes('held: ');
      found.set(row, result ?? (isConflict ? 'conflict' : code.startsWith('SVC.') ? 'failed' : 'invalid'));
    }
  }
  return found;
}

/**
 * Plans a file, checks the plan against the tenant, imports the file, and lists the rows whose outcome differs from the
 * decision.
 */
async function wrongDecisions(tenant: Tenant, file: string, directory: string): Promise<string[]> {
  const to = join(directory, 'plan');
  const accept = ['DUPLICATE_EXTERNAL_ID'] as const;
  const options = { target: {}, version: '1.0.0', now: Date.now, reading: { accept } };
  const { plan } = await makePlan(tenant, { ...options, file, directory: to });
  const [job, check] = [join(directory, 'job'), join(directory, 'check')];
  await importFile(tenant, { file, accept, dryRun: true, reader: tenant, jobDirectory: check });
  await importFile(tenant, { file, jobDirectory: job, accept, maxFailures: { fraction: 1 } });
  const [found, foreseen] = [await resultsOf(job), await resultsOf(check)];
  const wrong: string[] = [];
  for await (const { row, action, reason } of readActions(to, plan.actions)) {
    const is = found.get(String(row)) ?? 'none';
    const was = foreseen.get(String(row)) ?? 'created';
    if (outcomes[action] !== is || was !== is)
      wrong.push(`row ${row}: ${action} (${reason}), checked as ${was}, and it was ${is}`);
  }
  return wrong;
}

const corpus = fileURLToPath(new URL('../../../fixtures/damaged', import.meta.url));

test('decisions equal outcomes for every row of the damaged corpus', async () => {
  let read = 0;
  for (const name of (await readdir(corpus)).sort()) {
    const tenant = await startTenant();
    await tenant.client.createUser({ user_name: 'ann', name: 'Ann Lee' });
    await inDirectory(async (directory) => {
      try {
        expect([name, await wrongDecisions(tenant, join(corpus, name), directory)]).toEqual([name, []]);
        read += 1;
      } catch (failure) {
        if (!(failure instanceof SourceError)) throw failure;
      }
    });
  }
  expect(read).toBeGreaterThan(15);
});

/** Rows that match the users of a tenant in every possible way, by number. */
function meetingRow(at: number): string {
  const n = Math.floor(at / 10);
  const rows = [
    `new${at},new${at}@example.com,,x-${at},New ${at}`,
    `user${n},user${n}@example.com,1520000${String(n).padStart(4, '0')},,User ${n}`,
    `USER${n + 300},,,,User ${n + 300}`,
    `user${n + 600},other${at}@example.com,,,`,
    `user${n + 900},user${n + 901}@example.com,,,`,
    `,user${n + 1200}@example.com,,,User ${n + 1200}`,
    `user${n + 1500}@example.com,,,,`,
    `user${n + 1800},,,,Somebody Else`,
    `,,86-1520000${String(n + 2100).padStart(4, '0')},,`,
    `,,,only-${at},Only ${at}`,
  ];
  return rows[at % 10] ?? '';
}

test('decisions equal outcomes for generated rows that match users in every way', async () => {
  const tenant = await startTenant();
  // No row meets the users between these.
  for (const first of [0, 300, 600, 900, 1200, 1500, 1800, 2100]) {
    const one = async (at: number) => {
      const { user_id } = await tenant.client.createUser({
        user_name: `user${at}`,
        email: `user${at}@example.com`,
        mobile: `1520000${String(at).padStart(4, '0')}`,
        name: `User ${at}`,
      });
      if (at % 17 === 0) await tenant.client.disableUser(user_id);
    };
    await Promise.all(Array.from({ length: 42 }, (_, at) => one(first + at)));
  }
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const rows = Array.from({ length: 400 }, (_, at) => `${meetingRow(at)},md5,${goodHashes.md5}\n`);
    await writeFile(file, `user_name,email,mobile,external_id,name,algorithm,hash\n${rows.join('')}`);
    expect(await wrongDecisions(tenant, file, directory)).toEqual([]);
  });
});
