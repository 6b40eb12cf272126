import { release } from 'node:os';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import type { Device, SsoTicket } from '../../../contract/wire.ts';
import { type CommandContext, canAsk } from '../../context/context.ts';
import { AdvisedError, RefusedError, UsageError } from '../../errors/errors.ts';
import { parseHeaderText } from '../../input/option-parsers.ts';
import { askSecret, askText } from '../../input/prompts.ts';
import { addPasswordOptions, readPasswordOption } from '../../input/secret-options.ts';

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
export function addDeviceOptions(command: CommandUnknownOpts, isLogin: boolean): void {
  for (const [, flag, what, usual] of properties) {
    const shown = usual === release() ? 'that of this machine' : usual;
    const note = usual === undefined ? '' : ` (${isLogin ? `default: ${shown}` : 'required'})`;
    const option = new Option(flag, `${what} of the device${note}`);
    command.addOption(isLogin ? option.argParser(parseHeaderText) : option);
  }
}

/** The device of a command with `addDeviceOptions`: this machine, unless options say otherwise. */
export function deviceOf(command: CommandUnknownOpts): Device {
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
export function missingDevice(context: CommandContext, command: CommandUnknownOpts): () => Promise<void> {
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
export function addLoginOptions(command: CommandUnknownOpts): void {
  addPasswordOptions(command, '--password-file, --password-stdin or the prompt without either');
  addDeviceOptions(command, true);
}

/** The password that the options provide, or that a person types. Throws a `UsageError` if there is none. */
export async function loginPassword(context: CommandContext, command: CommandUnknownOpts): Promise<string> {
  const given = await readPasswordOption(context, command);
  return given ?? askSecret(context, 'Password', '--password-stdin or --password-file');
}

/**
 * Logs a user in and gets a ticket. Throws a `RefusedError` if the password must be changed first. If the service has
 * no such endpoints, the error says that the API does not require them.
 */
export async function issueTicket(
  client: Client,
  user: string,
  password: string,
  device: Device,
): Promise<SsoTicket> {
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
