import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startWorld, type TestWorld } from '../../../world.ts';

/** A world with users 1 to `count`, and a file in its directory. */
export async function worldOf(count: number, lines: readonly string[]) {
  const world = await startWorld();
  for (let at = 1; at <= count; at += 1)
    await world.client.createUser({ user_name: `u${at}`, email: `u${at}@x.example` });
  const file = join(world.directory, 'staff.csv');
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return { world, file };
}

/** The users of the tenant. */
export async function usersOf({ client }: TestWorld) {
  return (await client.listUsers({ offset: 0, limit: 100 })).users;
}

/** Runs a command with a file of users; its results go beside the file. */
export function bulk({ run }: TestWorld, command: string, file: string, ...more: string[]) {
  return run(command, '--csv', file, '--to', `${file}.${command}`, '--yes', ...more);
}
