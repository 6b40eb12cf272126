import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vendorExport } from '../../../fixtures/make-vendor-export.mjs';
import { withoutService } from '../../world.ts';

test('the export of a vendor is imported with a recipe of 25 lines that contains no personal data', async () => {
  const world = await withoutService();
  const { bytes, skipped, rejected, canaries } = vendorExport(1000);
  const [file = '', recipe = '', known = ''] = ['vendor.csv', 'mine.yaml', 'known.csv'].map((name) =>
    join(world.directory, name),
  );
  await writeFile(known, canaries.join('\n'));
  await writeFile(file, bytes);
  const given = ['--map', 'user_name=login', '--region', 'CN'];
  const made = await world.run('recipe', 'make', file, ...given, '--to', recipe);
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('recipe check') });
  expect(made.stderr).toContain('Warning: extension.dept may be dept');
  const text = await readFile(recipe, 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(25);
  for (const output of [text, made.stdout, made.stderr]) {
    expect(output).not.toMatch(/vendor\.example|1380000|Jürgen|Mingyue|\$2y\$|秀英/);
  }
  // What the letters of a status mean, only a person knows.
  expect(text).toContain('status may say who is disabled (A: 950, D: 50; of 1,000 rows)');
  await writeFile(recipe, `${text}skip: { where: { column: status, in: [D], known: [A] } }\n`);
  const again = await world.run('recipe', 'make', file, '--to', recipe);
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('exists already') });
  // These errors must come before the file is read and any question is asked.
  const [missing, nowhere] = [join(world.directory, 'missing.csv'), join(world.directory, 'no', 'mine.yaml')];
  for (const [to, fault] of [
    [
      recipe,
      `${recipe} exists already\nIt is not overwritten. Name another file with --to, and copy there what you have changed in this one.`,
    ],
    [nowhere, `${nowhere} cannot be written: it does not exist\nName another file with --to.`],
  ] as const) {
    expect(await world.run('recipe', 'make', missing, '--to', to)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `tenant-users: ${fault}\n`,
    });
  }
  const checked = await world.run('recipe', 'check', recipe, file);
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1,000 rows') });
  const job = ['--job', join(world.directory, 'job'), '--dry-run', '--json', '--canary', known];
  const dry = await world.run('import-hashes', file, '--recipe', recipe, ...job);
  const { issues, skipped: left, not_verified: unproven } = JSON.parse(dry.stdout);
  expect([left, unproven]).toEqual([skipped, []]);
  expect(issues).toMatchObject(rejected);
  expect(dry.exitCode).toBe(7);
});
