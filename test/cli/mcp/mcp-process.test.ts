import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { credentials, startProgram, textOf } from '../process/start-program.ts';
import { toolCalls } from './tool-calls.ts';

test('the built program answers all requests that came before its input ended', async () => {
  const { client, baseUrl } = await startTestService();
  await client.createUser({ user_name: 'ann' });
  const root = await temporaryDirectory();
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
  const started = await startProgram(['mcp', '--root', root], env);
  const calls = [
    { name: 'count_users', arguments: {} },
    { name: 'get_user', arguments: { by: 'user_name', value: 'ann' } },
    { name: 'explain', arguments: { code: 'HASH_SHAPE' } },
  ];
  started.stdin?.end(toolCalls(...calls));
  const [stdout, stderr] = await Promise.all([textOf(started.stdout), textOf(started.stderr)]);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((one, other) => one.id - other.id);
  expect(stderr).toBe('');
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
  expect(answers.slice(1).map(({ result }) => result)).toMatchObject([
    { isError: false, structuredContent: { total: 1 } },
    { isError: false, structuredContent: { user_name: '[hidden]' } },
    { isError: false, structuredContent: { code: 'HASH_SHAPE' } },
  ]);
});
