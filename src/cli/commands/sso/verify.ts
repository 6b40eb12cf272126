import type { SsoUser } from '../../../contract/wire.ts';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import { type AddCommand, type CommandContext, canAsk } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { readSecret } from '../../input/read-input.ts';
import { showRecord } from '../../output/show.ts';
import { askDevice, type DeviceOptions, deviceFromOptions } from './device.ts';

const help = `
On a terminal it asks for what is missing. sso check does both, login and exchange, in one.

Example:
  $ tenant-users sso verify ssoTicket-… --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d`;

export const addSsoVerify: AddCommand = (parent, context) => {
  parent
    .command('verify')
    .description('Exchange a one-time ticket for its user')
    .argument('[ticket]', 'the ticket (default: read from standard input)')
    .option('--os-version <version>', 'operating system version of the calling device (required)')
    .option('--device-ip <address>', 'IP address of the calling device (required)')
    .option('--device-fingerprint <text>', 'fingerprint of the calling device, as at login (required)')
    .option('--agent <text>', 'user agent of the calling device')
    .addHelpText('after', help)
    .action(async (given, options) => {
      const isAsked = canAsk(context);
      const known = isAsked ? undefined : requireDevice(options);
      const sso_ticket = given ?? (await readSecret(context, '-', 'ticket', 'a pipe or the argument TICKET'));
      const device = known ?? (await askDevice(context, options));
      sayTarget(context);
      const client = await connect(context);
      const user = await client.verifySsoTicket({ sso_ticket, ...deviceFromOptions(device) });
      await showSsoUser(context, user);
    });
};

/** Throws one `UsageError` for all missing options, which commander would report one at a time. */
function requireDevice(options: Partial<DeviceOptions>): DeviceOptions {
  const { osVersion, deviceIp, deviceFingerprint } = options;
  const missing = Object.entries({
    '--os-version <version>': osVersion,
    '--device-ip <address>': deviceIp,
    '--device-fingerprint <text>': deviceFingerprint,
  }).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  if (osVersion === undefined || deviceIp === undefined || deviceFingerprint === undefined) {
    const names = missing.map((flag) => flag.replace(/ .*/, '')).join(', ');
    throw new UsageError(
      `${names} ${missing.length === 1 ? 'is' : 'are'} missing`,
      `Add: ${missing.join(' ')}`,
    );
  }
  return { ...options, osVersion, deviceIp, deviceFingerprint };
}

/** Prints the user of a ticket. */
export function showSsoUser(context: CommandContext, user: SsoUser): Promise<void> {
  return showRecord(context, user, ['id', 'userName', 'name', 'mobile', 'email']);
}
