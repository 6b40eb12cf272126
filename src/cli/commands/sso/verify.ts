import type { Command } from '@commander-js/extra-typings';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { readSecret } from '../../input/read-input.ts';
import { show } from '../../output/show.ts';
import { deviceFromOptions } from './device.ts';

/** tenant-users sso verify */
export function addSsoVerify(parent: Command, context: CommandContext): void {
  parent
    .command('verify')
    .description('Exchange a one-time ticket for its user')
    .argument('[ticket]', 'the ticket (default: read from standard input)')
    .requiredOption('--os-version <version>', 'operating system version of the calling device')
    .requiredOption('--device-ip <address>', 'IP address of the calling device')
    .requiredOption('--device-fingerprint <text>', 'fingerprint of the calling device, as at login')
    .option('--agent <text>', 'user agent of the calling device')
    .addHelpText(
      'after',
      `
Example:
  $ tenant-users sso verify ssoTicket-… --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d`,
    )
    .action(async (given, options) => {
      const sso_ticket = given ?? (await readSecret(context, '-', 'ticket'));
      sayTarget(context);
      const client = await connect(context);
      const user = await client.verifySsoTicket({ sso_ticket, ...deviceFromOptions(options) });
      await show(context, {
        rows: [user],
        columns: ['id', 'userName', 'name', 'mobile', 'email'],
        single: true,
      });
    });
}
