import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { expectErrorLine } from '../schemas/validate.ts';

test.each([
  ['get --email a', '--email', 'Did you mean --by-email?'],
  ['users get --mobile 1', '--mobile', 'Did you mean one of --by-mobile, --profile?'],
  ['disable -y --external-id 1', '--external-id', 'Did you mean --by-external-id?'],
  ['get --username a', '--username', 'To find a user, use --by-user-name.'],
  ['update --username a --name b', '--username', 'To find a user, use --by-user-name.'],
  ['hash verify --csv x --username a', '--username', 'To find a user, use --by-user-name.'],
  ['create --username a', '--username', 'Did you mean --user-name?'],
])('%s is refused, and the error names the right option', async (command, given, hint) => {
  const world = await startWorld();
  const ended = await world.run('--json', ...command.split(' '));
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  const { error } = JSON.parse(ended.stderr);
  expect(error).toMatchObject({ message: `unknown option '${given}'`, hint });
});
