import { cpSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/migration/import-users.ts';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { forgetOutcomes } from '../journal/forget-outcomes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

const other = '0'.repeat(32);
const fileOf = (...rows: string[]) =>
  `user_name,external_id,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
const good = (keys: string, hash: string = goodHashes.md5) => `${keys},md5,${hash}`;
const before = fileOf(good('ann,'), 'bob,,md5,cut', good(',x1'), good('cid,'), good('dan,'));
const after = fileOf(
  ...['dan,', 'new,', 'bob,'].map((keys) => good(keys)),
  ...[good('ann,', other), good(',x1'), good('cid,'), good(',x2')],
);

/** Thrown where a process would be killed. */
const killed = new Error('killed');

/**
 * Imports a file, corrects it, and kills the run that imports it at one moment: from then on it reaches neither the tenant nor the
 * directory that the next run has. `kill` makes the client and the options of that run of it. Returns false if it was not killed.
 */
async function killOnce(
  kill: (
    tenant: Tenant,
    strike: () => never,
  ) => { client?: Partial<Tenant>; options?: Partial<ImportOptions> },
): Promise<boolean> {
  let isKilled = false;
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const left = join(directory, 'left');
    const tenant = await startTenant();
    await writeFile(job.file, before);
    await importFile(tenant, job);
    // Two users were created, and the answers were lost.
    await forgetOutcomes(job.jobDirectory, 3);
    await writeFile(job.file, after);
    const strike = () => {
      if (!isKilled) cpSync(job.jobDirectory, left, { recursive: true });
      isKilled = true;
      throw killed;
    };
    const { client, options } = kill(tenant, strike);
    const dying = new Proxy(
      { ...tenant, ...client },
      {
        get: (target, name) => (isKilled ? () => Promise.reject(killed) : Reflect.get(target, name)),
      },
    );
    const again = { ...job, mode: 'only failed', clock: fastClock(1000) } as const;
    await importFile(dying, { ...again, ...options }).catch(() => {});
    if (!isKilled) return;
    const next = { ...again, jobDirectory: left };
    for (const mode of ['only failed', undefined] as const) {
      const { summary } = await importFile(tenant, { ...next, mode });
      expect(summary).toMatchObject({ rows: 7, created: 7, pending: 0, codes: { HASH_CHANGED: 1 } });
      expect([summary.without_row, summary.unknown]).toEqual([undefined, 0]);
    }
    expect((await tenant.client.listUsers({ offset: 0, limit: 20 })).total).toBe(7);
    expect(tenant.sent).toHaveLength(7);
  });
  return isKilled;
}

test('a kill before the users of a corrected file are known, meanwhile or after loses and doubles nobody', async () => {
  // The time is asked for also in the transaction that gives the rows their users, and last when a row was sent.
  for (let moment = 1; moment <= 16; moment += 1) {
    const isKilled = await killOnce((_, strike) => {
      let calls = 0;
      const now = () => {
        calls += 1;
        return calls === moment ? strike() : Date.now();
      };
      return { options: { now }, client: { importHashedUser: () => Promise.reject(killed) } };
    });
    expect(isKilled).toBe(true);
  }
});

test.each(['before', 'after'])(
  'a kill %s any row of a corrected file is sent loses and doubles nobody',
  async (when) => {
    let kills = 0;
    for (let moment = 1; ; moment += 1) {
      const isKilled = await killOnce((tenant, strike) => {
        let calls = 0;
        const importHashedUser: Tenant['importHashedUser'] = async (user) => {
          calls += 1;
          if (calls === moment && when === 'before') strike();
          const answer = await tenant.importHashedUser(user);
          if (calls === moment) strike();
          return answer;
        };
        return { client: { importHashedUser } };
      });
      if (!isKilled) break;
      kills += 1;
    }
    expect(kills).toBe(3);
  },
);

test('a corrected file that changes once more while its rows get their users is refused, and nothing has happened', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    await writeFile(job.file, before);
    await importFile(tenant, job);
    await writeFile(job.file, after);
    const onPreview = () => appendFile(job.file, `${good('eve,')}\n`);
    const changed = importFile(tenant, { ...job, mode: 'only failed', onPreview });
    await expect(changed).rejects.toThrow(SourceError);
    expect(tenant.sent).toHaveLength(4);
    await writeFile(job.file, before);
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 4, invalid: 1 });
  });
});
