import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { expectErrorLine } from '../schemas/validate.ts';

/** Options that were renamed before the first release. The error needs no value of the old option. */
test.each([
  ['get --email a', '--email', '--by-email'],
  ['get --username', '--username', '--by-user-name'],
  ['users get --mobile=1', '--mobile', '--by-mobile'],
  ['disable -y --external-id 1', '--external-id', '--by-external-id'],
  ['update --username a --name b', '--username', '--by-user-name'],
  ['hash verify --csv x --username a', '--username', '--by-user-name'],
])('%s is refused, and the error has the new name', async (command, old, current) => {
  const world = await startWorld();
  const ended = await world.run('--json', ...command.split(' '));
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  const { message, hint } = JSON.parse(ended.stderr).error;
  expect({ message, hint }).toEqual({ message: `${old} was renamed to ${current}`, hint: `Use ${current}.` });
});

test('create never had --username, and the error suggests the right option', async () => {
  const { exitCode, stderr } = await (await startWorld()).run('create', '--username', 'a');
  expect(exitCode).toBe(2);
  expect(stderr).toBe("tenant-users: unknown option '--username'\nDid you mean --user-name?\n");
});
