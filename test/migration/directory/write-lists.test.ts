import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLists } from '../../../src/migration/directory/write-lists.ts';
import { temporaryDirectory } from '../../world.ts';

test('lists that were not completed leave the earlier lists, and no drafts', async () => {
  const directory = await temporaryDirectory();
  const headers = { extra: ['user_id', 'user_name'] };
  for (const [name, isComplete] of [
    ['ann', true],
    ['bob', false],
  ] as const) {
    const lists = await openLists(directory, headers);
    lists.add('extra', ['id', name]);
    await lists.flush();
    if (isComplete) {
      await lists.end();
      lists.replace();
    }
    await lists.close();
    expect(await readdir(directory)).toEqual(['extra.csv']);
  }
  expect(await readFile(join(directory, 'extra.csv'), 'utf8')).toBe('user_id,user_name\nid,ann\n');
});

test('a value that a spreadsheet would treat as a formula becomes text', async () => {
  const directory = await temporaryDirectory();
  const lists = await openLists(directory, { extra: ['user_id', 'user_name'] });
  for (const name of ['=1+1', '@SUM(A1)', '+49 30', '-1', 'ann']) lists.add('extra', ['id', name]);
  await lists.end();
  lists.replace();
  expect((await readFile(join(directory, 'extra.csv'), 'utf8')).split('\n').slice(1, -1)).toEqual([
    "id,'=1+1",
    "id,'@SUM(A1)",
    "id,'+49 30",
    "id,'-1",
    'id,ann',
  ]);
});
