import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

test.skipIf(process.platform === 'win32')(
  'what cutover --dormant and assess --report write replaces a file only, and no file beside it is deleted',
  async () => {
    const { directory, run } = await startWorld();
    const within = (name: string) => join(directory, name);
    const [file, job, pipe] = [within('legacy.csv'), within('job'), within('pipe')];
    await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
    await run('import-hashes', file, '--job', job);
    execFileSync('mkfifo', [pipe]);
    expect(await run('cutover', job, '--dormant', pipe)).toEqual({
      ...{ exitCode: 2, stdout: '' },
      stderr: expect.stringContaining(`--dormant ${pipe} is no file`),
    });
    expect(await run('assess', file, '--report', pipe)).toMatchObject({ exitCode: 2 });
    expect((await stat(pipe)).isFIFO()).toBe(true);
    for (const args of [
      ['cutover', job, '--dormant', within('list')],
      ['assess', file, '--report', within('page')],
    ]) {
      const own = `${args.at(-1)}.new`;
      await writeFile(own, 'a file of somebody');
      expect(await run(...args)).toMatchObject({ exitCode: 0 });
      expect(await readFile(own, 'utf8')).toBe('a file of somebody');
    }
  },
);
