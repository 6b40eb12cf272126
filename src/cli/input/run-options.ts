import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { keyFields } from '../../migration/actions/keys.ts';
import type { SendingWindow } from '../../migration/rate-limit/sending-window.ts';
import type { CommandContext } from '../context/context.ts';
import { zoneOf } from '../output/local-time.ts';
import { parseConcurrency, parseRate, parseRowLimit, parseWholeNumber } from './option-parsers.ts';
import { readSecretOption } from './read-input.ts';

/** `--concurrency`: maximum requests in flight. */
export function concurrencyOption() {
  return new Option('--concurrency <number>', 'maximum requests in flight, or auto')
    .argParser(parseConcurrency)
    .default('auto' as const);
}

/** `--rate`: maximum requests per second. */
export function rateOption() {
  return new Option('--rate <number/s>', 'maximum requests per second, such as 100/s').argParser(parseRate);
}

/** `--probe-reads`: seconds of look-ups that measure a pace. */
export function probeOption() {
  return new Option(
    '--probe-reads <duration>',
    'measure with look-ups, such as 30s: nothing is written',
  ).argParser(parseProbe);
}

/** Option parser: a duration in seconds or minutes, returned in seconds. */
function parseProbe(text: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,3})(s|m)$/.exec(text) ?? [];
  const seconds = Number(number) * (unit === 'm' ? 60 : 1);
  if (seconds < 5 || seconds > 600)
    throw new InvalidArgumentError('must be between 5s and 10m, in seconds or minutes, such as 30s');
  return seconds;
}

/** The hours of `--window`, in the time zone of the person who gives them. */
export type WindowChoice = Omit<SendingWindow, 'zone'>;

/** `--window`: the hours in which rows are sent. */
export function windowOption() {
  return new Option('--window <from-to>', 'send rows only in these hours, such as 22:00-05:00').argParser(
    parseWindow,
  );
}

/** Option parser: two times of day, of which the second can be on the next day. */
function parseWindow(text: string): WindowChoice {
  const [, ...parts] = /^(\d\d?):([0-5]\d)-(\d\d?):([0-5]\d)$/.exec(text) ?? [];
  const [hour = 24, minute = 0, lastHour = 0, lastMinute = 0] = parts.map(Number);
  const [from, to] = [hour * 60 + minute, lastHour * 60 + lastMinute];
  if (from >= 1440 || to > 1440)
    throw new InvalidArgumentError('must be FROM-TO in hours and minutes of a day, such as 22:00-05:00');
  if (from === to)
    throw new InvalidArgumentError('would never be open: it must be two times, such as 22:00-05:00');
  return { from, to };
}

/** The window of a run, in the time zone of the person who gives it. */
export function readWindow(
  context: CommandContext,
  hours: WindowChoice | undefined,
): SendingWindow | undefined {
  return hours && { ...hours, zone: zoneOf(context) };
}

/** `--max-failures`: how many failed rows are tolerated. */
export function maxFailuresOption() {
  return new Option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%').argParser(
    parseRowLimit,
  );
}

/** `--accept-drift`: how many users may have changed since the plan was made. */
export function acceptDriftOption() {
  return new Option(
    '--accept-drift <number>',
    'continue although up to this many users changed since',
  ).argParser(parseWholeNumber);
}

/** `--key`: the field that identifies a person. `otherwise`: what the help names as the default. */
export function keyFieldOption(otherwise: string) {
  return new Option(
    '--key <field>',
    `recognise a person by this identifier alone (default: ${otherwise})`,
  ).choices(keyFields);
}

/** `--key-file`: a file with the HMAC key for rows without one. */
export function keyFileOption() {
  return new Option('--key-file <file>', 'read the default HMAC key from a file');
}

/** `--key-stdin`: standard input has the HMAC key for rows without one. */
export function keyStdinOption() {
  return new Option('--key-stdin', 'read the default HMAC key from standard input').conflicts('keyFile');
}

/** The HMAC key that the two options provide; `undefined` if neither is given. Throws a `UsageError` if it cannot be read. */
export function readDefaultKey(
  context: CommandContext,
  { keyFile, keyStdin }: { keyFile?: string; keyStdin?: true },
): Promise<string | undefined> {
  return readSecretOption(context, 'HMAC key', { stdin: keyStdin, file: keyFile });
}
