import { release } from 'node:os';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import type { Device, SsoUser } from '../../../contract/wire.ts';
import { connect, sayTarget } from '../../connection/connect.ts';
import { type AddCommand, type CommandContext, canAsk } from '../../context/context.ts';
import { AdvisedError, RefusedError, UsageError } from '../../errors/errors.ts';
import { parseHeaderText } from '../../input/option-parsers.ts';
import { askSecret, askText } from '../../input/prompts.ts';
import { readSecret } from '../../input/read-input.ts';
import { addPasswordOptions, readPasswordOption } from '../../input/secret-options.ts';
import { say, showRecord } from '../../output/show.ts';

/** What describes a device: its name in the API (§4.12), its option, its meaning, and its value for a login from this machine. */
const properties: readonly [name: keyof Device, flag: string, what: string, usual?: string][] = [
  ['operating_sys_version', '--os-version <version>', 'operating system version', release()],
  ['device_ip', '--device-ip <address>', 'IP address', '127.0.0.1'],
  ['device_fingerprint', '--device-fingerprint <text>', 'fingerprint', 'tenant-users'],
  ['agent', '--agent <text>', 'user agent'],
];

const keyOf = (flag: string) => new Option(flag).attributeName();

/**
 * Adds the options of the device to a command. A login sends them in headers, and is from this machine unless they say otherwise;
 * without a login, the device is somebody else's.
 */
function addDeviceOptions(command: CommandUnknownOpts, isLogin: boolean): void {
  for (const [, flag, what, usual] of properties) {
    const shown = usual === release() ? 'that of this machine' : usual;
    const note = usual === undefined ? '' : ` (${isLogin ? `default: ${shown}` : 'required'})`;
    const option = new Option(flag, `${what} of the device${note}`);
    command.addOption(isLogin ? option.argParser(parseHeaderText) : option);
  }
}

/** The device of a command with `addDeviceOptions`: this machine, unless options say otherwise. */
function deviceOf(command: CommandUnknownOpts): Device {
  const named = properties.map(([name, flag, , usual]) => [
    name,
    command.getOptionValue(keyOf(flag)) ?? usual,
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/**
 * Finds the options of a device that are not given but required, and returns a function that asks a person for them. Throws one
 * `UsageError` for all if nobody can be asked: commander would report one at a time.
 */
function missingDevice(context: CommandContext, command: CommandUnknownOpts): () => Promise<void> {
  const missing = properties.filter(
    ([, flag, , usual]) => usual !== undefined && command.getOptionValue(keyOf(flag)) === undefined,
  );
  const flags = missing.map(([, flag]) => flag);
  const names = flags.map((flag) => flag.replace(/ .*/, ''));
  if (missing.length > 0 && !canAsk(context)) {
    const are = missing.length === 1 ? 'is' : 'are';
    throw new UsageError(`${names.join(', ')} ${are} missing`, `Add: ${flags.join(' ')}`);
  }
  return async () => {
    for (const [at, [, flag, what, initial]] of missing.entries()) {
      const message = `${what.charAt(0).toUpperCase()}${what.slice(1)} of the device`;
      command.setOptionValue(
        keyOf(flag),
        await askText(context, { message, instead: names[at] ?? '', initial }),
      );
    }
  };
}

/** Adds the options for the password and the device to a command that logs a user in. */
function addLoginOptions(command: CommandUnknownOpts): void {
  addPasswordOptions(command, '--password-file, --password-stdin or the prompt without either');
  addDeviceOptions(command, true);
}

/** The password that the options provide, or that a person types. Throws a `UsageError` if there is none. */
async function loginPassword(context: CommandContext, command: CommandUnknownOpts): Promise<string> {
  const given = await readPasswordOption(context, command);
  return given ?? askSecret(context, 'Password', '--password-stdin or --password-file');
}

/**
 * Logs a user in and gets a ticket. Throws a `RefusedError` if the password must be changed first. If the service has
 * no such endpoints, the error says that the API does not require them.
 */
async function issueTicket(client: Client, user: string, password: string, device: Device) {
  try {
    const login = await client.logIn(user, password, device);
    if (login.status === 'SUCCESS') return await client.issueSsoTicket(login.session_token, device);
    throw new RefusedError(
      login.status,
      'the password is correct, but must be changed before the first session (pwd_must_modify)',
      'To avoid this, import or create the user with pwd_must_modify=false.',
    );
  } catch (failure) {
    const isMissing = failure instanceof NetworkError && failure.fault === 'notTheApi';
    throw isMissing ? new AdvisedError(failure, noLogin) : failure;
  }
}

const noLogin =
  'The API has no login, so a tenant may lack it: get a ticket as your application does, and use sso verify.';

const verifyHelp = `
The device is the one that the user logged in with. On a terminal it asks for what is missing. sso check
does both, login and exchange, in one.

Example:
  $ tenant-users sso verify ssoTicket-… --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d`;

export const addSsoVerify: AddCommand = (parent, context) => {
  const command = parent
    .command('verify')
    .description('Exchange a one-time ticket for its user')
    .argument('[ticket]', 'the ticket (default: read from standard input)')
    .addHelpText('after', verifyHelp)
    .action(async (given) => {
      const askDevice = missingDevice(context, command);
      const sso_ticket = given ?? (await readSecret(context, '-', 'ticket', 'a pipe or the argument TICKET'));
      await askDevice();
      sayTarget(context);
      const client = await connect(context);
      await showSsoUser(context, await client.verifySsoTicket({ sso_ticket, ...deviceOf(command) }));
    });
  addDeviceOptions(command, false);
};

function showSsoUser(context: CommandContext, user: SsoUser): Promise<void> {
  return showRecord(context, user, ['id', 'userName', 'name', 'mobile', 'email']);
}

const ticketHelp = `
The API itself has no login; the local service has one, and a tenant may have one. Where it is missing,
the exit code is 9.

Example:
  $ tenant-users sso ticket ann --password-file ann.txt --device-fingerprint f00d --json`;

export const addSsoTicket: AddCommand = (parent, context) => {
  const command = parent
    .command('ticket')
    .description('Log a user in and print a new ticket')
    .argument('<user>', 'user name, mobile number or e-mail address')
    .addHelpText('after', ticketHelp)
    .action(async (user) => {
      const password = await loginPassword(context, command);
      sayTarget(context);
      const client = await connect(context);
      const ticket = await issueTicket(client, user, password, deviceOf(command));
      await showRecord(
        context,
        { sso_ticket: ticket.sso_ticket, expire: ticket.expire },
        ['sso_ticket', 'expire'],
        'sso_ticket',
      );
      say(context, `Logged in as ${user}; the ticket can be used once, within ${ticket.expire} seconds`);
    });
  addLoginOptions(command);
};

const checkHelp = `
Logs the user in, gets a ticket and exchanges it, as an application would; the ticket is not shown. The
tenant counts this login as the user's. The API itself has no login; the local service has one, and a
tenant may have one. Where it is missing, the exit code is 9.

Example:
  $ tenant-users sso check ann --password-file ann.txt --json`;

export const addSsoCheck: AddCommand = (parent, context) => {
  const command = parent
    .command('check')
    .description('Check that a user can log in: password, ticket, and the user of the ticket')
    .argument('<user>', 'user name, mobile number or e-mail address')
    .addHelpText('after', checkHelp)
    .action(async (user) => {
      const password = await loginPassword(context, command);
      const device = deviceOf(command);
      sayTarget(context);
      const client = await connect(context);
      const { sso_ticket } = await issueTicket(client, user, password, device);
      const found = await client.verifySsoTicket({ sso_ticket, ...device });
      await showSsoUser(context, found);
      say(context, 'The password is accepted, and the ticket leads to this user');
    });
  addLoginOptions(command);
};
