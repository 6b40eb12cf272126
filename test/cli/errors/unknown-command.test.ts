import { expect, test } from 'vitest';
import { withoutService } from '../../world.ts';
import { expectErrorLine } from '../schemas/validate.ts';

const cannotEnable = 'The API has no way to enable a user again.';
const cannotDelete = 'The API cannot delete users. It can disable a user, but not enable one again.';
const updating = 'To change attributes of a user, see: tenant-users update --help';
const commands = 'Add --help to see the commands.';

/** A word that is not a command, and the hint about it. */
const words: [command: string, hint: string][] = [
  ['enable bob', cannotEnable],
  ['users enable bob', cannotEnable],
  ['ENABLE bob', cannotEnable],
  ['enable --by-user-name bob --yes', cannotEnable],
  ['activate bob', cannotEnable],
  ['reactivate bob', cannotEnable],
  ['undelete bob', cannotEnable],
  ['restore bob', cannotEnable],
  ['delete bob', cannotDelete],
  ['users delete bob', cannotDelete],
  ['remove bob', cannotDelete],
  ['rm bob', cannotDelete],
  ['deactivate bob', 'Disabling a user is final. Read first: tenant-users disable --help'],
  ['set name=x', updating],
  ['edit bob', updating],
  ['search bob', 'To find users by a part of a name or an address: tenant-users list --search TEXT. '],
  ['show bob', 'To see one user, run: tenant-users get --help'],
  ['merge a b', 'To merge the shards of an import, see: tenant-users import-hashes merge --help'],
  ['version', 'Run: tenant-users --version'],
  ['constructor', commands],
  // Spelled almost like a command that changes something.
  ['disble bob', 'Did you mean disable? Read first: tenant-users disable --help'],
  ['users updat bob', 'Did you mean update? Read first: tenant-users users update --help'],
  ['crate', 'Read first: tenant-users create --help'],
  ['logut', 'Read first: tenant-users logout --help'],
  ['serv', 'Read first: tenant-users serve --help'],
  ['profile', 'Read first: tenant-users profiles --help'],
  ['import-hash', 'Read first: tenant-users import-hashes --help'],
  ['tenant aply x', 'Read first: tenant-users tenant apply --help'],
  ['profiles remov x', 'Read first: tenant-users profiles remove --help'],
  ['profiles delete x', commands],
  // Spelled almost like a command that only reads.
  ['lst', 'Did you mean list?'],
  ['users gt', 'Did you mean get?'],
  ['statsu', 'Did you mean status?'],
  ['tenant chek', 'Did you mean check?'],
  ['hash identfy', 'Did you mean identify?'],
];

test.each(words)('%s is not a command, and the hint is: %s', async (command, hint) => {
  const world = await withoutService();
  const args = command.split(' ');
  const ended = await world.run(...args, '--json');
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  const { error } = JSON.parse(ended.stderr);
  const word = args.find((arg) => !['users', 'tenant', 'profiles', 'hash'].includes(arg));
  expect(error.message).toBe(`unknown command '${word}'`);
  expect(error.hint).toContain(hint);
  // Every command that a hint proposes only reads, or shows a help.
  for (const [, run] of error.hint.matchAll(/tenant-users ([^.]+)/g)) {
    expect(run).toMatch(/--help$|^list|--version$/);
  }
});
