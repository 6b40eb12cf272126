import { release } from 'node:os';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Device } from '../../../contract/wire.ts';
import type { CommandContext } from '../../context/context.ts';
import { parseHeaderText } from '../../input/option-parsers.ts';
import { askText } from '../../input/prompts.ts';

/** The options that describe a device. */
export interface DeviceOptions {
  osVersion: string;
  deviceIp: string;
  deviceFingerprint: string;
  agent?: string;
}

/** The device of a login from this machine, unless options say otherwise. */
const thisDevice: DeviceOptions = {
  osVersion: release(),
  deviceIp: '127.0.0.1',
  deviceFingerprint: 'tenant-users',
};

/** The device as it is sent to the API (§4.12). */
export function deviceFromOptions({ osVersion, deviceIp, deviceFingerprint, agent }: DeviceOptions): Device {
  return {
    operating_sys_version: osVersion,
    device_ip: deviceIp,
    device_fingerprint: deviceFingerprint,
    ...(agent === undefined ? {} : { agent }),
  };
}

/** Adds the options of the device to a command that logs a user in, which sends them in headers. */
export function addDeviceOptions(command: CommandUnknownOpts): void {
  command
    .option(
      '--os-version <version>',
      'operating system version of the device (default: that of this machine)',
      parseHeaderText,
    )
    .option('--device-ip <address>', 'IP address of the device', thisDevice.deviceIp)
    .option(
      '--device-fingerprint <text>',
      'fingerprint of the device',
      parseHeaderText,
      thisDevice.deviceFingerprint,
    )
    .option('--agent <text>', 'user agent of the device', parseHeaderText);
}

/** The device of a command with `addDeviceOptions`. */
export function deviceOf(command: CommandUnknownOpts): Device {
  return deviceFromOptions({ ...thisDevice, ...command.opts() });
}

/** Asks a person for missing values of the device. Suggests those that `sso ticket` sends by default. */
export async function askDevice(
  context: CommandContext,
  given: Partial<DeviceOptions>,
): Promise<DeviceOptions> {
  const ask = (message: string, instead: string, initial: string) =>
    askText(context, { message, instead, initial });
  return {
    ...given,
    osVersion:
      given.osVersion ?? (await ask('Operating system version', '--os-version', thisDevice.osVersion)),
    deviceIp: given.deviceIp ?? (await ask('IP address of the device', '--device-ip', thisDevice.deviceIp)),
    deviceFingerprint:
      given.deviceFingerprint ??
      (await ask(
        'Fingerprint of the device, as at login',
        '--device-fingerprint',
        thisDevice.deviceFingerprint,
      )),
  };
}
