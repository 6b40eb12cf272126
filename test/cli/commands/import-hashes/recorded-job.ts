import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceOptions } from '../../../../src/service/open-service.ts';
import { startWorld } from '../../../world.ts';

/** Starts a tenant, and a job in it that imports one file after the other, each with its recipe. */
export async function startRecordedJob(options: Partial<ServiceOptions> = {}) {
  const world = await startWorld(options);
  const within = (name: string) => join(world.directory, name);
  /** Imports the file; returns what was printed, and the records of the job. */
  async function importFile(csv: string, recipe: string, ...args: string[]) {
    await writeFile(within('legacy.csv'), csv);
    await writeFile(within('recipe.yaml'), recipe);
    const files = [within('legacy.csv'), '--recipe', within('recipe.yaml'), '--job', within('job')];
    const ended = await world.run('import-hashes', ...files, ...args);
    return {
      ...ended,
      summary: JSON.parse(await readFile(within('job/summary.json'), 'utf8')),
      failures: await readFile(within('job/failures.csv'), 'utf8'),
      users: await readFile(within('job/users.csv'), 'utf8'),
    };
  }
  /** The user names of everybody who is disabled. */
  async function disabled() {
    const { users } = await world.client.listUsers({ offset: 0, limit: 10 });
    return users.filter((user) => user.disabled).map((user) => user.user_name);
  }
  return { ...world, within, importFile, disabled };
}
