import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const other = '5f4dcc3b5aa765d61d8327deb882cf99';
const fileOf = (hash: string) => `user_name,algorithm,hash\nann,md5,${hash}\n`;

test('a file that is replaced after its canaries were verified is not imported', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf(md5));
    const canary = {
      line: 1,
      userName: 'ann',
      get password() {
        writeFileSync(file, fileOf(other));
        return '123456';
      },
    };
    const client = recordingClient();
    const job = { file, jobDirectory: join(directory, 'job'), canaries: { name: 'known', list: [canary] } };
    const { stoppedBy } = await importFile(client, job);
    expect(stoppedBy).toBeInstanceOf(SourceError);
    expect(String(stoppedBy)).toContain('the file was changed while it was read');
    expect(client.sent).toEqual([]);
  });
});

test('an interrupt ends the search for the rows of canaries', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf(md5));
    const stop = new AbortController();
    const list = [{ line: 1, userName: 'ann', password: '123456' }];
    const canaries = {
      name: 'known',
      // The import asks for the list after it has counted the file, and before it reads the rows again.
      get list() {
        stop.abort();
        return list;
      },
    };
    const client = recordingClient();
    const job = { file, jobDirectory: join(directory, 'job'), canaries, signal: stop.signal };
    await expect(importFile(client, job)).rejects.toThrow('aborted');
    expect(client.sent).toEqual([]);
  });
});

test('a canary is verified even if its row belongs to another shard', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, `${fileOf(md5)}bob,md5,${other}\n`);
    const canaries = { name: 'known', list: [{ line: 1, userName: 'ANN', password: '123456' }] };
    const job = { file, jobDirectory: join(directory, 'job'), canaries, shard: { index: 2, of: 2 } };
    const { summary } = await importFile(recordingClient(), job);
    expect(summary).toMatchObject({ rows: 1, created: 1, by_algorithm: { md5: { canaries: 1 } } });
  });
});

const skipping = `fields: { user_name: { column: user_name } }
password: { column: hash, algorithm: { column: algorithm } }
skip: { where: { column: state, in: [gone] } }
`;

test('a row that a recipe leaves out does not hide the row of a canary with the same name', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const row = (state: string) => `ann,md5,${md5},${state}\n`;
    await writeFile(file, `user_name,algorithm,hash,state\n${row('gone')}${row('here')}`);
    const canaries = { name: 'known', list: [{ line: 1, userName: 'ann', password: '123456' }] };
    const recipe = await recipeOf(skipping);
    const job = { file, jobDirectory: join(directory, 'job'), canaries, recipe };
    const { summary } = await importFile(recordingClient(), job);
    expect(summary).toMatchObject({ created: 1, skipped: 1, by_algorithm: { md5: { canaries: 1 } } });
    await writeFile(file, `user_name,algorithm,hash,state\n${row('gone')}`);
    const none = importFile(recordingClient(), { ...job, jobDirectory: join(directory, 'other') });
    await expect(none).rejects.toThrow('row 1 of this user cannot be sent: the recipe leaves it out');
  });
});
