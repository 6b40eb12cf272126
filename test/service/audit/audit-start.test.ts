import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listApplications, revokeApplication } from '../../../src/service/admin/applications.ts';
import { openService, startService } from '../../../src/service/open-service.ts';
import { startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';

test('an application that a start creates leaves a line, also in place of one that was revoked', async () => {
  const directory = await temporaryDirectory();
  const database = join(directory, 'tenant.db');
  const file = join(directory, 'audit.jsonl');
  const started = async () => {
    const service = await openService({ database, audit: { file } });
    await service.openAccess();
    await service.close();
    const [made] = await listApplications(database, undefined, Date.now());
    return made?.client_id ?? '';
  };
  const first = await started();
  await revokeApplication(database, first, Date.now());
  const second = await started();
  expect(await started()).toBe(second);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const made = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'createApplication');
  expect(made.map(({ tenant, application }) => [tenant, application])).toEqual([
    ['default', first],
    ['default', second],
  ]);
});

test('a start that fails has made no application, which another node would have announced', async () => {
  const directory = await temporaryDirectory();
  const { baseUrl } = await startTestService();
  const database = join(directory, 'tenant.db');
  const file = join(directory, 'audit.jsonl');
  const start = startService({ database, audit: { file }, port: Number(new URL(baseUrl).port) });
  await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await listApplications(database, undefined, Date.now())).toEqual([]);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'startService', outcome: 'failed' }]);
});
