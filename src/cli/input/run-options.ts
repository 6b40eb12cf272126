import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { keyFields } from '../../migration/actions/keys.ts';
import type { SendingWindow } from '../../migration/rate-limit/sending-window.ts';
import type { CommandContext } from '../context/context.ts';
import { zoneOf } from '../output/local-time.ts';
import { parseConcurrency, parseRate, parseRowLimit, parseWholeNumber } from './option-parsers.ts';
import { readSecretOption } from './read-input.ts';

/** Most requests in flight. */
export function concurrencyOption() {
  return new Option('--concurrency <number>', 'maximum requests in flight, or auto')
    .argParser(parseConcurrency)
    .default('auto' as const);
}

/** Most requests a second. */
export function rateOption() {
  return new Option('--rate <number/s>', 'maximum requests per second, such as 100/s').argParser(parseRate);
}

/** Seconds of look-ups that measure a pace. */
export function probeOption() {
  return new Option(
    '--probe-reads <duration>',
    'measure with look-ups, such as 30s: nothing is written',
  ).argParser(parseProbe);
}

/** Option parser: seconds or minutes, as seconds. */
function parseProbe(text: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,3})(s|m)$/.exec(text) ?? [];
  const seconds = Number(number) * (unit === 'm' ? 60 : 1);
  if (seconds < 5 || seconds > 600)
    throw new InvalidArgumentError('must be between 5s and 10m, in seconds or minutes, such as 30s');
  return seconds;
}

/** What `--window` says; its zone is that of the person. */
export type WindowChoice = Omit<SendingWindow, 'zone'>;

/** The hours in which rows are sent. */
export function windowOption() {
  return new Option('--window <from-to>', 'send rows only in these hours, such as 22:00-05:00').argParser(
    parseWindow,
  );
}

/** Option parser: two times of day, of which the second may be after midnight. */
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

/** The window of a run, by the clock of the person who gives it. */
export function readWindow(
  context: CommandContext,
  hours: WindowChoice | undefined,
): SendingWindow | undefined {
  return hours && { ...hours, zone: zoneOf(context) };
}

/** Failed rows that are accepted. */
export function maxFailuresOption() {
  return new Option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%').argParser(
    parseRowLimit,
  );
}

/** Users of a plan who may be other than it saw them. */
export function acceptDriftOption() {
  return new Option(
    '--accept-drift <number>',
    'continue although up to this many users changed since',
  ).argParser(parseWholeNumber);
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

/** Standard input as the HMAC key for rows without one. */
export function keyStdinOption() {
  return new Option('--key-stdin', 'read the default HMAC key from standard input').conflicts('keyFile');
}

/** The HMAC key that the two options name; `undefined` where neither is given. Throws `UsageError`. */
export function readDefaultKey(
  context: CommandContext,
  { keyFile, keyStdin }: { keyFile?: string; keyStdin?: true },
): Promise<string | undefined> {
  return readSecretOption(context, 'HMAC key', { stdin: keyStdin, file: keyFile });
}
