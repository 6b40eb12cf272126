import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../src/migration/import-users.ts';
import type { Preview } from '../../src/migration/model/preview.ts';
import { readEarlierRun } from '../../src/migration/records/read-earlier-run.ts';
import { goodHashes } from './hashes.ts';
import { recipeOf } from './recipes/recipe-of.ts';
import { importFile, inDirectory, recordingClient, runImport } from './run-import.ts';

/**
 * Every seventh row is rejected, every fifth says that the user may keep the password, every third that the user may
 * not.
 */
function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const mustChange = index % 5 === 0 ? 'false' : index % 3 === 0 ? 'true' : '';
    return `user${index},md5,${index % 7 === 0 ? 'none' : goodHashes.md5},${mustChange}\n`;
  });
  return `user_name,algorithm,hash,pwd_must_modify\n${lines.join('')}`;
}

/** Records each preview, and whether the user had agreed to it before. */
function watcher() {
  const shown: { preview: Preview; isConsented: boolean }[] = [];
  const onPreview: ImportOptions['onPreview'] = ({ whole: preview }, _, { isConsented }) => {
    shown.push({ preview, isConsented });
  };
  return { shown, onPreview };
}

test.each<[string, Partial<ImportOptions>]>([
  ['a file', {}],
  ['a shard', { shard: { index: 2, of: 3 } }],
])(
  '%s that is counted during the run has the same summary as one that is shown first',
  async (_, options) => {
    const { shown, onPreview } = watcher();
    const [before, onTheWay] = [
      await runImport(fileOf(200), { ...options, onPreview }),
      await runImport(fileOf(200), options),
    ];
    const { job, seconds, rows_per_second, ...summary } = onTheWay.summary;
    expect(before.summary).toMatchObject(summary);
    expect(shown).toEqual([
      { preview: expect.objectContaining({ ready: summary.created }), isConsented: false },
    ]);
    const { ready, rejected } = shown[0]?.preview ?? { ready: 0, rejected: 0 };
    expect(ready + rejected).toBe(summary.rows);
  },
);

test('a run that ended early stores no preview, but stores that the user agreed without one', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    const rows = 5000;
    await writeFile(file, fileOf(rows));
    const abort = new AbortController();
    const dying = recordingClient(() => abort.abort());
    const { summary } = await importFile(dying, {
      file,
      jobDirectory,
      concurrency: 1,
      signal: abort.signal,
    });
    expect(summary.created).toBe(1);
    // The rows that were read.
    expect(summary.must_change_password).toBeGreaterThan(0);
    expect(summary.must_change_password).toBeLessThan(rows / 2);

    const { shown, onPreview } = watcher();
    const resumed = await importFile(recordingClient(), { file, jobDirectory, onPreview });
    const rejected = Math.ceil(rows / 7);
    expect(shown).toEqual([
      { preview: expect.objectContaining({ ready: rows - rejected, rejected }), isConsented: true },
    ]);
    const { created, invalid, must_change_password } = resumed.summary;
    expect({ created, invalid }).toEqual({ created: rows - rejected, invalid: rejected });
    expect(must_change_password).toBe(shown[0]?.preview.must_change_password);
  });
});

test('a resumed job shows its preview again, until its file has more users', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    const { shown, onPreview } = watcher();
    const run = async (rows: number, more: Partial<ImportOptions> = {}) => {
      await writeFile(file, fileOf(rows));
      await importFile(recordingClient(), { file, jobDirectory, onPreview, ...more });
    };
    await run(20);
    await run(20);
    await run(22, { mode: 'only failed' });
    await run(22);
    expect(shown.map(({ preview, isConsented }) => [preview.ready, isConsented])).toEqual([
      [17, false],
      [17, true],
      [18, false],
      [18, true],
    ]);
  });
});

test('the preview covers the whole file if a recipe skips rows', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, `login,status,hash\nann,on,${goodHashes.md5}\nbob,off,${goodHashes.md5}\n`);
    const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: status, in: ["off"] } }
`);
    await importFile(recordingClient(), { file, jobDirectory, recipe });
    const earlier = await readEarlierRun(jobDirectory);
    expect(earlier?.preview).toMatchObject({ ready: 1, rejected: 0, skipped: 1 });
  });
});
