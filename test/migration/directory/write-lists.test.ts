import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLists } from '../../../src/migration/directory/write-lists.ts';
import { temporaryDirectory } from '../../world.ts';

test('lists that were not completed leave those before, and nothing of their own', async () => {
  const directory = await temporaryDirectory();
  const headers = { extra: ['user_id', 'user_name'] };
  for (const [name, isComplete] of [
    ['ann', true],
    ['bob', false],
  ] as const) {
    const lists = await openLists(directory, headers);
    lists.add('extra', ['id', name]);
    await lists.flush();
    if (isComplete) await lists.complete();
    await lists.close();
    expect(await readdir(directory)).toEqual(['extra.csv']);
  }
  expect(await readFile(join(directory, 'extra.csv'), 'utf8')).toBe('user_id,user_name\nid,ann\n');
});
