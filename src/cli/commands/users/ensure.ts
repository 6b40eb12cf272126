import type { NewUser } from '../../../contract/wire.ts';
import type { KeyField } from '../../../migration/actions/keys.ts';
import { connect, sayTarget } from '../../connection/connect.ts';
import { type AddCommand, canAsk } from '../../context/context.ts';
import { runOptions } from '../../input/run-options.ts';
import { recordChange } from '../../log/write-log.ts';
import { say, showRecord } from '../../output/show.ts';
import { askKey } from './input/ask-user.ts';
import { clearedBy, mergeValues, unsetOption } from './input/attribute-input.ts';
import { addNewUserOptions, loginOf, refuseArguments, valuesOf } from './input/new-user-options.ts';

const help = `
Attributes that are not named stay as they are. A user who has one of the identifiers is updated. If
they belong to several users, or if that user has another user name, nothing is changed (exit code 6);
--key says which identifier counts. The same goes for an external ID whose user has none of the other
identifiers, since several people can share one. The password options are for a user who is
created: the API does not show passwords, and those of existing users stay. Without an identifier it
asks for one, on a terminal only.

Examples:
  $ tenant-users ensure --user-name ann --email ann@example.org --extension department=IT
  $ tenant-users ensure --data ann.json --key external_id --json | jq -r .action`;

export const addUsersEnsure: AddCommand = (parent, context) => {
  const command = parent
    .command('ensure')
    .description('Create a user, or update what differs: running it twice changes nothing')
    .optionsGroup('Which user:')
    .addOption(runOptions.key('any identifier'))
    .addHelpText('after', help);
  addNewUserOptions(command);
  command.addOption(unsetOption());
  command.action(async () => {
    refuseArguments(command);
    const { key }: { key?: KeyField } = command.opts();
    const { ensureUser, hasKey, requireKey } = await import('./ensure-user.ts');
    const given = await valuesOf(context, command);
    const named = hasKey(given, key) || !canAsk(context) ? {} : await askKey(context, key);
    const { pwd_must_modify, ...row } = mergeValues<NewUser>(given, named, clearedBy(command));
    requireKey(row, key);
    sayTarget(context);
    const client = await connect(context);
    let login: Awaited<ReturnType<typeof loginOf>> | undefined;
    const create = async () => {
      // A second attempt cannot read standard input again.
      login ??= await loginOf(context, command, row);
      const must = pwd_must_modify === undefined ? {} : { pwd_must_modify };
      const change = { command: 'ensure', outcome: 'created' } as const;
      return recordChange(context, change, () =>
        client.createUser({ ...withoutEmpty(row), ...must, ...login }),
      );
    };
    const ensured = await ensureUser(context, client, row, key, create);
    const { user_id, action, fields } = ensured;
    await showRecord(
      context,
      ensured,
      ['user_id', 'action', ...(fields.length > 0 ? ['fields'] : [])],
      'user_id',
    );
    say(context, `${user_id}: ${action}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`);
  });
};

/** The row without what is empty: a new user has nothing to clear. */
function withoutEmpty({ extension = {}, ...values }: NewUser): NewUser {
  const filled = (part: object) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== ''));
  const kept = filled(extension);
  return { ...filled(values), ...(Object.keys(kept).length > 0 ? { extension: kept } : {}) };
}
