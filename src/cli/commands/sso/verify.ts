import type { Command } from '@commander-js/extra-typings';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { readSecret } from '../../input/read-input.ts';
import { show } from '../../output/show.ts';
import { type DeviceOptions, deviceFromOptions } from './device.ts';

/** tenant-users sso verify */
export function addSsoVerify(parent: Command, context: CommandContext): void {
  parent
    .command('verify')
    .description('Exchange a one-time ticket for its user')
    .argument('[ticket]', 'the ticket (default: read from standard input)')
    .option('--os-version <version>', 'operating system version of the calling device (required)')
    .option('--device-ip <address>', 'IP address of the calling device (required)')
    .option('--device-fingerprint <text>', 'fingerprint of the calling device, as at login (required)')
    .option('--agent <text>', 'user agent of the calling device')
    .addHelpText(
      'after',
      `
Example:
  $ tenant-users sso verify ssoTicket-… --os-version 14 --device-ip 10.0.0.7 --device-fingerprint f00d`,
    )
    .action(async (given, options) => {
      const device = requireDevice(options);
      const sso_ticket = given ?? (await readSecret(context, '-', 'ticket'));
      sayTarget(context);
      const client = await connect(context);
      const user = await client.verifySsoTicket({ sso_ticket, ...deviceFromOptions(device) });
      await show(context, {
        rows: [user],
        columns: ['id', 'userName', 'name', 'mobile', 'email'],
        single: true,
      });
    });
}

/** All that is missing at once: commander would name one after another. */
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
