import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJob } from '../../src/migration/journal/reading/open-job.ts';
import type { Progress } from '../../src/migration/model/summary.ts';
import { goodHashes } from './hashes.ts';
import { forgetOutcomes } from './journal/forget-outcomes.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant } from './start-tenant.ts';

const fileOf = (...rows: string[]) =>
  `user_name,external_id,name,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
const good = (start: string) => `${start},md5,${goodHashes.md5}`;

test('a corrected file whose import is stopped resumes without the option, and no row is sent twice', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const names = Array.from({ length: 200 }, (_, n) => `user${n},,`);
    await writeFile(job.file, fileOf(...names.slice(0, 100).map(good), 'bad,,,md5,cut'));
    const tenant = await startTenant();
    await importFile(tenant, job);

    await writeFile(job.file, fileOf(...names.toReversed().map(good), good('bad,,')));
    const abort = new AbortController();
    const send = tenant.importHashedUser;
    tenant.importHashedUser = (user) => {
      if (tenant.sent.length === 139) abort.abort();
      return send(user);
    };
    const stopped = await importFile(tenant, { ...job, mode: 'only failed', signal: abort.signal });
    // Who was imported before is known from the start.
    expect(stopped.summary).toMatchObject({ rows: 201, created: 140, pending: 61 });
    const { summary } = await importFile(tenant, job);
    expect(summary).toMatchObject({ rows: 201, created: 201, pending: 0 });
    expect(tenant.sent).toHaveLength(201);
    const users = (await readFile(join(job.jobDirectory, 'users.csv'), 'utf8')).trim().split('\n').slice(1);
    expect(new Set(users.map((line) => line.split(',')[3])).size).toBe(201);
    expect(await readdir(job.jobDirectory)).toContain('users-1.csv');
  });
});

test('a user is taken over for one row only, and a second row with the same external ID is not lost', async () => {
  await inDirectory(async (directory) => {
    const paths = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const job = { ...paths, accept: ['DUPLICATE_EXTERNAL_ID'] as const };
    await writeFile(job.file, fileOf(good(',x-1,Ann'), ',x-1,Bob,md5,cut', good('cid,,')));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2, invalid: 1 });
    await writeFile(job.file, fileOf(good(',x-1,Ann'), good(',x-1,Bob'), good('cid,,')));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    // Whether Bob was created cannot be decided by an id that two users may share. His row stays unknown.
    expect(summary).toMatchObject({ created: 2, existing: 0, unknown: 1 });
    const users = await readFile(join(job.jobDirectory, 'users.csv'), 'utf8');
    const { users: there } = await tenant.client.listUsers({ offset: 0, limit: 10 });
    const ann = there.find(({ name }) => name === 'Ann');
    expect(users.split(ann?.user_id ?? '')).toHaveLength(2);
  });
});

test('a user is not taken over for another person who has the user name in the corrected file', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf(good('ann,x-1,Ann Lee'), good('ann,x-2,Ann Ray'), good('bob,x-3,Bob')));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2, invalid: 1 });
    await writeFile(
      job.file,
      fileOf(good('ann.lee,x-1,Ann Lee'), good('ann,x-2,Ann Ray'), good('bob,x-3,Bob')),
    );
    await expect(importFile(tenant, { ...job, mode: 'only failed' })).rejects.toThrow(
      /\(row 1\).*KEY_CHANGED/,
    );
    const accept = ['KEY_CHANGED'] as const;
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed', accept });
    expect(summary).toMatchObject({ created: 2, conflict: 1, codes: { 'SVC.TENANT.USER.0034': 1 } });
    const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
    expect(failures).toMatch(
      /\n2,3,ann,x-2,SVC\.TENANT\.USER\.0034,"held: user_name by .*; different there: external_id, name"/,
    );
  });
});

test('a person who registered before their row was corrected counts as existing, not as created', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf(good('ann,,'), 'bob,,,md5,cut'));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 1, invalid: 1 });
    await tenant.client.createUser({ user_name: 'bob' });
    await writeFile(job.file, fileOf(good('ann,,'), good('bob,,')));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 1, found_by_look_up: 0, existing: 1, unknown: 0 });
  });
});

test('a user of the job who is found under another key in the corrected file counts as created', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const fileWith = (...rows: string[]) =>
      `user_name,email,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
    await writeFile(job.file, fileWith(good('ann,ann@a.example'), good('eve,eve@a.example'), 'bob,,md5,cut'));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2, invalid: 1 });
    // Her user name is no longer that of the row which made her.
    const { user_id: eve } = await tenant.client.getUserByUserName('eve');
    await tenant.client.updateUser(eve, { user_name: 'eva' });
    await writeFile(job.file, fileWith(good(',ann@a.example'), good(',eve@a.example'), good('bob,')));
    const accept = ['KEY_CHANGED'] as const;
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed', accept });
    expect(summary).toMatchObject({ created: 3, found_by_look_up: 2, existing: 0, unknown: 0 });
  });
});

test('a user of the job who is found under another key counts once, although another row has the first one now', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const fileWith = (...rows: string[]) =>
      `user_name,email,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
    await writeFile(job.file, fileWith(good('ann,ann@a.example'), 'bob,,md5,cut'));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 1, invalid: 1 });
    const { user_id: first } = await tenant.client.getUserByUserName('ann');
    await tenant.client.updateUser(first, { user_name: 'ann.lee' });
    // The second row may be another person, or the user with another address: it is reported.
    await writeFile(
      job.file,
      fileWith(good('ann.lee,ann@a.example'), good('ann,ann.ray@a.example'), good('bob,')),
    );
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 2, existing: 1, codes: { VALUES_CHANGED: 1 } });
    expect((await tenant.client.listUsers({ offset: 0, limit: 10 })).total).toBe(2);
  });
});

test('the same is so if an earlier run has left a row without an answer', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const fileWith = (...rows: string[]) =>
      `user_name,email,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
    await writeFile(job.file, fileWith(good('ann,ann@a.example'), 'bob,,md5,cut', good('cyd,')));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2, invalid: 1 });
    await forgetOutcomes(job.jobDirectory, 2);
    const { user_id: first } = await tenant.client.getUserByUserName('ann');
    await tenant.client.updateUser(first, { user_name: 'ann.lee' });
    await writeFile(
      job.file,
      fileWith(good('ann.lee,ann@a.example'), good('ann,ann.ray@a.example'), good('bob,'), good('cyd,')),
    );
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 3, existing: 1, unknown: 0, codes: { VALUES_CHANGED: 1 } });
    expect((await tenant.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
  });
});

test.each([
  { title: 'every row had an answer', isAnswered: true },
  { title: 'a row had none', isAnswered: false },
])(
  'a user found under another key keeps the hash that was sent, and another one is reported: $title',
  async ({ isAnswered }) => {
    await inDirectory(async (directory) => {
      const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
      const fileWith = (...rows: string[]) =>
        `user_name,email,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
      const renamed = ['ann', 'eve'];
      const rowOf = (name: string, as = name) => good(`${as},${name}@a.example`);
      await writeFile(
        job.file,
        fileWith(...renamed.map((name) => rowOf(name)), 'bob,,md5,cut', good('cyd,')),
      );
      const tenant = await startTenant();
      expect((await importFile(tenant, job)).summary).toMatchObject({ created: 3, invalid: 1 });
      if (!isAnswered) await forgetOutcomes(job.jobDirectory, 3);
      for (const name of renamed) {
        const { user_id: id } = await tenant.client.getUserByUserName(name);
        await tenant.client.updateUser(id, { user_name: `${name}.lee` });
      }
      const [ann = '', eve = ''] = renamed.map((name) => rowOf(name, `${name}.lee`));
      const other = eve.replace(/,[^,]*$/, `,${'0'.repeat(32)}`);
      await writeFile(job.file, fileWith(ann, other, good('bob,'), good('cyd,')));
      const accept = ['KEY_CHANGED'] as const;
      const { summary } = await importFile(tenant, { ...job, accept, mode: 'only failed' });
      expect(summary).toMatchObject({ created: 4, existing: 0, codes: { HASH_CHANGED: 1 } });
      const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
      expect(failures).toMatch(/\n2,3,eve\.lee,,HASH_CHANGED,/);
    });
  },
);

test('rows without an identifier are not sent again from a corrected file, whatever happens in between', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf(good(',,Ann'), good(',,Bob')));
    const tenant = await startTenant();
    await importFile(tenant, job);
    await writeFile(job.file, fileOf(good(',,Bob'), good(',,Ann')));
    const stopped = await importFile(tenant, {
      ...job,
      mode: 'only failed',
      signal: AbortSignal.abort(),
    }).catch((reason: unknown) => reason);
    expect(stopped).toBeInstanceOf(Error);
    for (const mode of ['only failed', undefined, undefined] as const) {
      expect((await importFile(tenant, { ...job, mode })).summary).toMatchObject({ created: 2, unknown: 0 });
    }
    expect(tenant.sent).toHaveLength(2);
  });
});

test('an existing user who is taken over does not count as created while the import runs', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const tenant = await startTenant();
    await tenant.client.createUser({ user_name: 'ann' });
    await writeFile(job.file, fileOf(good('ann,,'), good('bob,,'), 'cid,,,md5,cut'));
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 1, existing: 1, invalid: 1 });
    await writeFile(job.file, fileOf(good('ann,,'), good('bob,,'), good('cid,,')));
    let created = 0;
    const onProgress = (progress: Progress) => {
      created = progress.created;
    };
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed', onProgress });
    expect([summary.created, summary.existing, created]).toEqual([2, 1, 2]);
  });
});

test('after a second correction, it is still known what was sent for a user of the first file only', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const tenant = await startTenant();
    const other = good('ann,,').replace(/,[^,]*$/, `,${'0'.repeat(32)}`);
    const files = [
      [good('ann,,'), good('dan,,'), 'bob,,,md5,cut'],
      [good('bob,,'), 'cid,,,md5,cut'],
      [other, good('bob,,'), good('cid,,'), good('dan,,')],
    ];
    for (const [at, rows] of files.entries()) {
      await writeFile(job.file, fileOf(...rows));
      await importFile(tenant, { ...job, mode: at > 0 ? 'only failed' : undefined });
    }
    const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
    expect(failures.trim().split('\n').slice(1)).toEqual([expect.stringMatching(/^1,2,ann,,HASH_CHANGED,/)]);
    const { connection } = await openJob(job.jobDirectory);
    const sent = connection.prepare('SELECT row, sent_values, sent_hash FROM outcomes WHERE row > 1').all();
    connection.close();
    expect(sent).toEqual([2, 3, 4].map((row) => ({ row, sent_values: null, sent_hash: null })));
  });
});
