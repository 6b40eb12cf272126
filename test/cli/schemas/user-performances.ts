import type { Ended, TestWorld } from '../../world.ts';

type Place = Pick<TestWorld, 'run'> & { userId: string };
type Performance = (place: Place, flags: string[]) => Promise<Ended[]>;

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
  'users create': async ({ run }, flags) => [await run('create', '--name', 'Zoe', ...flags)],
  'users ensure': async ({ run }, flags) => [
    await run('ensure', '--user-name', 'eve', '--name', 'Eve', ...flags),
    await run('ensure', '--user-name', 'eve', '--name', 'Eva', ...flags),
    await run('users', 'ensure', '--user-name', 'eve', ...flags),
  ],
  'users update': async ({ run, userId }, flags) => [await run('update', userId, '--name', 'An', ...flags)],
  'users disable': async ({ run, userId }, flags) => [await run('disable', '-y', userId, 'nobody', ...flags)],
} as const satisfies Record<string, Performance>;
