import { Option } from '@commander-js/extra-typings';
import { keyFields } from '../../migration/actions/keys.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { parseConcurrency, parseFailureLimit, parseRate, parseWholeNumber } from './option-parsers.ts';
import { readSecret } from './read-input.ts';

/** Most requests in flight. */
export function concurrencyOption() {
  return new Option('--concurrency <number>', 'maximum requests in flight, or auto')
    .argParser(parseConcurrency)
    .default('auto' as const);
}

/** Most requests a second. */
export function rateOption() {
  return new Option('--rate <number>', 'maximum requests per second, such as 100/s').argParser(parseRate);
}

/** Failed rows that are accepted. */
export function maxFailuresOption() {
  return new Option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%').argParser(
    parseFailureLimit,
  );
}

/** Users of a plan who may be other than it saw them. */
export function acceptDriftOption() {
  return new Option('--accept-drift <number>', 'go on past so many users who changed since').argParser(
    parseWholeNumber,
  );
}

/** The field by which a person is recognised; `otherwise`: what decides without it. */
export function keyFieldOption(otherwise: string) {
  return new Option(
    '--key <field>',
    `recognise a person by this field alone (default: ${otherwise})`,
  ).choices(keyFields);
}

/** File of the HMAC key for rows without one. */
export function keyFileOption() {
  return new Option('--key-file <file>', 'read the default HMAC key from a file');
}

/** The same from standard input. */
export function keyStdinOption() {
  return new Option('--key-stdin', 'read the default HMAC key from standard input');
}

/** The HMAC key that the two options name, as an object to spread. Throws `UsageError`. */
export async function readDefaultKey(
  context: CommandContext,
  { keyFile, keyStdin }: { keyFile?: string; keyStdin?: true },
): Promise<{ key?: string }> {
  if (keyStdin && keyFile !== undefined)
    throw new UsageError('--key-stdin and --key-file cannot be used together');
  const source = keyStdin ? '-' : keyFile;
  return source === undefined ? {} : { key: await readSecret(context, source, 'HMAC key') };
}
