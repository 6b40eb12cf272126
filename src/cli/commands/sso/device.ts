import { release } from 'node:os';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Device } from '../../../contract/wire.ts';
import { type CommandContext, canAsk } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseHeaderText } from '../../input/option-parsers.ts';
import { askText } from '../../input/prompts.ts';

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
