import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ApiError } from '../../../../../src/client/errors.ts';
import { findProgram } from '../../../../find-program.mjs';
import { startServe } from '../../../serve-process.ts';
import { temporaryFile } from '../../temporary-database.ts';

const prlimit = findProgram('prlimit');

test.skipIf(prlimit === undefined)(
  'on a full disk look-ups work, changes fail and /readyz says so; when there is room again everything works without a restart',
  async () => {
    const database = temporaryFile();
    const serve = await startServe(database, { known: true });
    const client = serve.connect().withoutRetries();
    const ready = async () => {
      const reply = await fetch(new URL('/readyz', serve.baseUrl));
      return [reply.status, await reply.json()];
    };
    /** No file of the process may grow beyond this number of bytes: a write fails as on a full disk. */
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync(prlimit ?? '', ['--pid', String(serve.process.pid), `--fsize=${bytes}:unlimited`]);

    await client.createUser({ user_name: 'ann' });
    limitFiles(statSync(`${database}-wal`).size);
    const refused = await client.createUser({ user_name: 'bob' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 500 });
    expect(await ready()).toEqual([503, { status: 'database cannot be written to' }]);
    expect((await fetch(new URL('/healthz', serve.baseUrl))).status).toBe(200);
    expect(await client.getUserByUserName('ann')).toMatchObject({ user_name: 'ann' });
    await expect(client.createUser({ user_name: 'cid' })).rejects.toMatchObject({ status: 500 });

    limitFiles('unlimited');
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    await client.createUser({ user_name: 'bob' });
    const { total, users } = await client.listUsers({ offset: 0, limit: 10 });
    expect({ total, names: users.map(({ user_name }) => user_name) }).toEqual({
      total: 2,
      names: ['ann', 'bob'],
    });
  },
);
