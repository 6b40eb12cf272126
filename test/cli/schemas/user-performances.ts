import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended, TestWorld } from '../../world.ts';

type Place = Pick<TestWorld, 'directory' | 'run'> & { userId: string };
type Performance = (place: Place, flags: string[]) => Promise<Ended[]>;

/** Runs a command for the users of a file; the second time there is nothing to do. */
async function forFile({ directory, run }: Place, command: string, content: string, flags: string[]) {
  const file = join(directory, `${command}.csv`);
  await writeFile(file, content);
  const words = [command, '--csv', file, '--key', 'user_name', '--to', `${file}.to`, '--yes', ...flags];
  return [await run(...words), await run(...words)];
}

/** Every output of the commands about users. */
export const userPerformances = {
  'users list': async ({ run }, flags) => [
    await run('list', ...flags),
    await run('users', 'list', '--all', ...flags),
    await run('list', '--search', 'AN', '--sort', 'name', ...flags),
  ],
  'users get': async ({ run, userId }, flags) => [
    await run('get', userId, ...flags),
    await run('users', 'get', '--by-email', 'ann@example.com', ...flags),
  ],
  api: async ({ run, userId }, flags) => [
    await run('api', 'GET', `users/${userId}`, ...flags),
    await run('api', 'GET', 'users', '--paginate', ...flags),
  ],
  'users create': async (place, flags) => [
    await place.run('create', '--name', 'Zoe', ...flags),
    ...(await forFile(place, 'create', 'user_name\nkim\n', flags)),
  ],
  'users ensure': async ({ run }, flags) => [
    await run('ensure', '--user-name', 'eve', '--name', 'Eve', ...flags),
    await run('ensure', '--user-name', 'eve', '--name', 'Eva', ...flags),
    await run('users', 'ensure', '--user-name', 'eve', ...flags),
  ],
  'users update': async (place, flags) => [
    await place.run('update', place.userId, '--name', 'An', ...flags),
    ...(await forFile(place, 'update', 'user_name,name\nann,Anne\n', flags)),
  ],
  'users disable': async (place, flags) => [
    await place.run('disable', '-y', place.userId, 'nobody', ...flags),
    ...(await forFile(place, 'disable', 'user_name\nann\n', flags)),
  ],
} as const satisfies Record<string, Performance>;
