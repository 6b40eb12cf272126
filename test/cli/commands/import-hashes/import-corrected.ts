import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestWorld } from '../../../world.ts';

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const header = 'user_name,mobile,algorithm,hash';
/** A row of a user whose password is `secret` and their name. */
export const row = (name: string, secret = name, mobile = '') =>
  `${name},${mobile},md5,${md5(`secret ${secret}`)}`;

/** Imports the rows, as a corrected file if the job was run before. */
export async function importing(world: TestWorld, rows: readonly string[], ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  await writeFile(file, `${[header, ...rows].join('\n')}\n`);
  const ended = await world.run('import-hashes', file, '--job', job, ...args);
  const read = (name: string) => readFile(join(job, name), 'utf8');
  return {
    ...ended,
    job,
    summary: JSON.parse(await read('summary.json')),
    users: (await read('users.csv')).split('\n').slice(1, -1),
    failures: await read('failures.csv'),
    report: await read('report.html'),
  };
}

/** Returns the options that name these users as canaries. */
export async function canaries(world: TestWorld, ...names: string[]) {
  const list = join(world.directory, 'known.csv');
  await writeFile(list, names.map((name) => `${name},secret ${name}\n`).join(''));
  return ['--canary', list];
}
