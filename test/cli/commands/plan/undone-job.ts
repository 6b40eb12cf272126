import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld } from '../../../world.ts';

/** A world with a job that created bob and cyd, and did not send dan. */
export async function imported(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options);
  const [file, job, to] = ['legacy.csv', 'job', 'undo'].map((name) => join(world.directory, name));
  const rows = ['bob', 'cyd', 'dan'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file ?? '', `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  const importing = (...more: string[]) =>
    world.run('import-hashes', file ?? '', '--job', job ?? '', ...more);
  expect(await importing()).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(job ?? '', 2, 0);
  return { world, file: file ?? '', job: job ?? '', to: to ?? '', importing };
}

/** The names of the users of a world who are disabled. */
export async function disabledOf({ client }: Awaited<ReturnType<typeof startWorld>>) {
  const { users } = await client.listUsers({ offset: 0, limit: 100 });
  return users.flatMap(({ user_name: name, disabled }) => (disabled ? [name] : [])).sort();
}

export const namesOf = async ({ client }: Awaited<ReturnType<typeof startWorld>>) =>
  (await client.listUsers({ offset: 0, limit: 100 })).users.map(({ user_name: name }) => name);
