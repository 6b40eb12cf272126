import type { SsoUser } from '../../../contract/wire.ts';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { readSecret } from '../../input/read-input.ts';
import { showRecord } from '../../output/show.ts';
import { addDeviceOptions, deviceOf, missingDevice } from './device.ts';

const help = `
The device is the one that the user logged in with. On a terminal it asks for what is missing. sso check
does both, login and exchange, in one.

Example:
  $ tenant-users sso verify ssoTicket-… --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d`;

export const addSsoVerify: AddCommand = (parent, context) => {
  const command = parent
    .command('verify')
    .description('Exchange a one-time ticket for its user')
    .argument('[ticket]', 'the ticket (default: read from standard input)')
    .addHelpText('after', help)
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

/** Prints the user of a ticket. */
export function showSsoUser(context: CommandContext, user: SsoUser): Promise<void> {
  return showRecord(context, user, ['id', 'userName', 'name', 'mobile', 'email']);
}
