import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveAgent, startAgent } from './start-agent.ts';

test('what is wrong with a recipe is hidden: it may be a file of users', async () => {
  const { root, world, call } = await startAgent();
  const file = join(root, 'users.json');
  await writeFile(file, JSON.stringify({ 'alice@example.com': {}, fields: {} }));
  const input = { file: 'users.json', recipe: 'users.json' };
  for (const [tool, more] of [
    ['assess'],
    ['forecast'],
    ['compare', { to: 'c' }],
    ['plan', { to: 'p' }],
  ] as const) {
    const refused = await call(tool, { ...input, ...more });
    expect(refused, tool).toMatchObject({
      isError: true,
      exit_code: 2,
      error: { code: 'USAGE', message: expect.stringContaining('may quote the file and is hidden') },
    });
    expect(JSON.stringify(refused)).not.toContain('alice');
  }
  const open = await serveAgent(world, root, '--with-values');
  expect(JSON.stringify(await open.call('assess', input))).toContain('alice@example.com');
});
