import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { connect, sayTarget } from '../../connection/connect.ts';
import { type AddCommand, canAsk } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { recordChange } from '../../log/write-log.ts';
import { say, warn } from '../../output/show.ts';
import { addBulkOptions, givenForOne, runBulk } from './bulk.ts';
import { askLogin, askNewUser } from './input/ask-user.ts';
import { addNewUserOptions, loginOf, refuseArguments, valuesOf } from './input/new-user-options.ts';
import { showReference } from './show-user.ts';

const help = `
Without options it asks for the user and the password, on a terminal only.
With --csv, --no-must-modify is for the rows that do not say it themselves in pwd_must_modify.

Examples:
  $ tenant-users create --user-name ann --email ann@example.com --password-prompt
  $ tenant-users create --data ann.json --extension age=42 --no-must-modify
  $ tenant-users create --csv newcomers.csv --no-must-modify`;

const withoutLoginName =
  'the user has no user name, mobile number or e-mail address. The service made up a user name that nobody knows, so this person cannot log in. Give the user a name:';

export const addUsersCreate: AddCommand = (parent, context) => {
  const command = parent.command('create').description('Create a user').addHelpText('after', help);
  addNewUserOptions(command);
  addBulkOptions(context, command);
  command.action(async () => {
    refuseArguments(command);
    if (await runBulk(context, 'create', command)) return;
    const isAsked = givenForOne(command).length === 0 && canAsk(context);
    if (isAsked) sayTarget(context);
    const values = isAsked ? await askNewUser(context) : await valuesOf(context, command);
    if (Object.keys(values).length === 0) {
      throw new UsageError('no attributes given', 'Specify at least one, such as --user-name.');
    }
    const login = isAsked ? await askLogin(context, values) : await loginOf(context, command, values);
    if (!isAsked) sayTarget(context);
    const client = await connect(context);
    const change = { command: 'create', outcome: 'created' } as const;
    const created = await recordChange(context, change, () => client.createUser({ ...values, ...login }));
    await showReference(context, created);
    say(context, login.pwd === undefined ? 'Created without a password' : 'Created');
    if (uniqueAttributes.some((name) => values[name] !== undefined)) return;
    warn(
      context,
      `${withoutLoginName}\n  tenant-users update ${quoteWord(created.user_id)} --user-name NAME`,
    );
  });
};
