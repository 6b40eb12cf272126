import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld, type TestWorld } from '../../../world.ts';

const hash = createHash('md5').update('Old secret 1').digest('hex');
const says = '\nSperre has values that may say who may not log in, and the import ignores it';

/** Imports people with these values in the columns of a file that nothing reads, and returns what is said of these columns. */
async function importing(
  world: TestWorld,
  names: string,
  rows: number,
  valuesOf: (at: number) => string | number,
  ...args: string[]
) {
  const file = join(world.directory, 'legacy.csv');
  const lines = Array.from({ length: rows }, (_, at) => `u${at},md5,${hash},${valuesOf(at)}\n`);
  await writeFile(file, `user_name,algorithm,hash,${names}\n${lines.join('')}`);
  const job = join(world.directory, 'job');
  const { stderr } = await world.run('import-hashes', file, '--job', job, ...args);
  return { stderr, summary: JSON.parse(await readFile(join(job, 'summary.json'), 'utf8')) };
}

test.each(['--ignore-unknown', '--recipe'])(
  'a status that only shows late in the file is named with %s',
  async (how) => {
    const world = await startWorld();
    const recipe = join(world.directory, 'r.yaml');
    const fields = '{ user_name: { column: user_name } }';
    const password = '{ column: hash, algorithm: { value: md5 } }';
    await writeFile(recipe, `fields: ${fields}\npassword: ${password}\nignore: [algorithm]\n`);
    const options = [...(how === '--recipe' ? [how, recipe] : [how]), '--dry-run'];
    const valuesOf = (at: number) => `${at < 1300 ? 0 : 1},${at}`;
    const { stderr, summary } = await importing(world, 'Sperre,nr', 1400, valuesOf, ...options);
    expect(stderr).toContain(says);
    expect(summary).toMatchObject({ ignored_columns: ['Sperre', 'nr'], status_columns: ['Sperre'] });
  },
);

/** When an account ends: most have no end. */
const ends = (at: number, none: string) => (at % 20 === 1 ? 1_600_000_000 + at : at % 2 === 0 ? none : 0);

const codeOf = (at: number) => (at % 10 === 3 ? 'I' : 'A');

test.each<[what: string, valuesOf: (at: number) => string | number]>([
  ['few words in the first rows, and rare ones later', (at: number) => (at > 1300 ? `X${at}` : codeOf(at))],
  ['times that are all late', (at: number) => (at > 1300 && at % 9 === 0 ? 1_600_000_000 + at : 0)],
  ...['9223372036854775807', '4102444800', '253402300799', '253402300799000'].map(
    (none): [string, (at: number) => string | number] => [
      `an end of few accounts, and ${none} for none`,
      (at) => ends(at, none),
    ],
  ),
])('a status is named if it has %s', async (_, valuesOf) => {
  const options = ['--ignore-unknown', '--dry-run'];
  const { stderr, summary } = await importing(await startWorld(), 'Sperre', 1600, valuesOf, ...options);
  expect(stderr).toContain(says);
  expect(summary).toMatchObject({ status_columns: ['Sperre'] });
});

/** Long, so that the file is not read at once. */
const emailOf = (at: number) => `u${at}@${'long.'.repeat(40)}example.com`;

test('an import that is stopped names a status that it has read, but not yet sent', async () => {
  const world = await startWorld();
  for (const at of [0, 1]) await world.client.createUser({ user_name: `of${at}`, email: emailOf(at) });
  const valuesOf = (at: number) => `${emailOf(at)},${Number(at > 900)}`;
  // With --json and --yes, the rows are not counted before.
  const options = ['--json', '--ignore-unknown', '--max-failures', '1', '--concurrency', '1'];
  const { summary } = await importing(world, 'email,Sperre', 6000, valuesOf, ...options);
  expect(summary.pending).toBeGreaterThan(5000);
  expect(summary).toMatchObject({ status_columns: ['Sperre'] });
});

/** Points of which one in 20 is zero, and one in ten could be days since 1970. */
const pointsOf = (at: number) => [0, 10_000 + at, 20_000 + at, ...Array(17).fill(at)][at % 20];

test.each([
  ['with few zeros', pointsOf],
  ['of which most are zero', (at: number) => (at % 5 > 1 ? 0 : at === 2501 ? 12_345 : at)],
])('a column of numbers %s is no status', async (_, valuesOf) => {
  const options = ['--ignore-unknown', '--dry-run'];
  const { summary } = await importing(await startWorld(), 'points', 12_000, valuesOf, ...options);
  expect(summary).not.toHaveProperty('status_columns');
});

const nextOf = (stderr: string) => stderr.slice(stderr.indexOf('\nNext: ') + 1);

test.each([['--dry-run'], ['--rehearse']])(
  'after %s with a status that nothing reads, a recipe comes next, not the import',
  async (...trial) => {
    const world = await startWorld();
    const options = ['--ignore-unknown', '--delimiter', ',', '--map', 'attr_nick_name=nick', ...trial];
    const names = 'nick,Sperre';
    const { stderr } = await importing(world, names, 9, (at) => `n${at},${at % 3 ? 'J' : 'N'}`, ...options);
    const file = join(world.directory, 'legacy.csv');
    const then = trial[0] === '--dry-run' ? 'check' : 'rehearse';
    expect(nextOf(stderr)).toBe(
      `Next: Sperre may say who may not log in. Make a recipe, which asks about it, and ${then} again with it (--recipe).\n  tenant-users recipe make ${file} --to legacy.csv.yaml --delimiter , --map attr_nick_name=nick\n`,
    );
  },
);

test('with a recipe, a status that it does not read is to be named there', async () => {
  const world = await startWorld();
  const recipe = join(world.directory, 'r.yaml');
  const read =
    'fields: { user_name: { column: user_name } }\npassword: { column: hash, algorithm: { value: md5 } }';
  await writeFile(recipe, `${read}\nignore: [algorithm]\n`);
  const { stderr } = await importing(world, 'status', 2, () => 'x', '--recipe', recipe, '--dry-run');
  const file = join(world.directory, 'legacy.csv');
  expect(nextOf(stderr)).toBe(
    `Next: status may say who may not log in: name it in the recipe, under skip:, disable: or, if it says something else, ignore:, and check again.\n  tenant-users import-hashes ${file} --job ${join(world.directory, 'job')} --recipe ${recipe} --dry-run\n`,
  );
  await writeFile(recipe, `${read}\nignore: [algorithm, status]\n`);
  const decided = await importing(world, 'status', 2, () => 'x', '--recipe', recipe, '--dry-run');
  expect(nextOf(decided.stderr)).toMatch(/--yes\n$/);
});

test.each(['--dry-run', '--rehearse'])(
  'a status that a recipe does not decide any more is named again by %s',
  async (trial) => {
    const world = await startWorld();
    const recipe = join(world.directory, 'r.yaml');
    const run = async (ignored: string) => {
      await writeFile(
        recipe,
        `fields: { user_name: { column: user_name } }\npassword: { column: hash, algorithm: { value: md5 } }\nignore: [algorithm${ignored}]\n`,
      );
      return importing(world, 'Sperre', 9, (at) => (at % 3 ? 'J' : 'N'), '--recipe', recipe, trial);
    };
    expect((await run('')).summary).toMatchObject({ status_columns: ['Sperre'] });
    expect((await run(', Sperre')).summary).not.toHaveProperty('status_columns');
    const again = await run('');
    expect(again.summary).toMatchObject({ status_columns: ['Sperre'] });
    expect(nextOf(again.stderr)).toContain('Next: Sperre may say who may not log in');
  },
);
