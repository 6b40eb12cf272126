import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import type { Device, SsoTicket } from '../../../contract/wire.ts';
import type { CommandContext } from '../../context/context.ts';
import { AdvisedError, RefusedError } from '../../errors/errors.ts';
import { askSecret } from '../../input/prompts.ts';
import { addPasswordOptions, readPasswordOption } from '../../input/secret-options.ts';
import { addDeviceOptions } from './device.ts';

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
