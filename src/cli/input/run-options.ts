import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isTimeZone } from '../../contract/time.ts';
import { keyFields } from '../../migration/actions/keys.ts';
import type { SendingWindow } from '../../migration/rate-limit/sending-window.ts';
import type { RampStage } from '../../migration/send/ramp.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { type CommandContext, zoneOf, zoneVariable } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import {
  parseConcurrency,
  parseRate,
  parseRowLimit,
  parseWarning,
  parseWholeNumber,
} from './option-parsers.ts';
import { nameOf, readText } from './read-input.ts';

/**
 * Options of commands that read a file of users or send many requests. Functions make them, because each command puts them under
 * headings of its own.
 */
export const runOptions = {
  concurrency: () =>
    new Option('--concurrency <number>', 'maximum requests in flight, or auto')
      .argParser(parseConcurrency)
      .default('auto' as const),
  rate: () =>
    new Option('--rate <number/s>', 'maximum requests per second, such as 100/s').argParser(parseRate),
  probeReads: () =>
    new Option(
      '--probe-reads <duration>',
      'measure with look-ups, such as 30s: nothing is written',
    ).argParser(parseProbe),
  window: (context: CommandContext) =>
    new Option('--window <from-to>', 'send rows only in these hours, such as 22:00-05:00').argParser((text) =>
      parseWindow(text, context),
    ),
  maxFailures: () =>
    new Option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%').argParser(
      parseRowLimit,
    ),
  acceptDrift: () =>
    new Option('--accept-drift <number>', 'continue although up to this many users changed since').argParser(
      parseWholeNumber,
    ),
  /** `otherwise`: what the help names as the default. */
  key: (otherwise: string) =>
    new Option(
      '--key <field>',
      `recognise a person by this identifier alone (default: ${otherwise})`,
    ).choices(keyFields),
  keyFile: () => new Option('--key-file <file>', 'read the default HMAC key from a file'),
  keyStdin: () =>
    new Option('--key-stdin', 'read the default HMAC key from standard input').conflicts('keyFile'),
  allowPasswordless: () => new Option('--allow-passwordless', 'accept rows without algorithm and hash'),
  foreignHashes: () =>
    new Option('--foreign-hashes <what>', 'foreign hashes').choices(['reject', 'passwordless'] as const),
  /** `what`: what is done with rows that have a warning. */
  accept: (what = 'accept rows with this warning') =>
    new Option('--accept <code>', `${what} (repeatable)`).argParser(parseWarning),
  canary: () => new Option('--canary <file>', 'lines of user_name,password to verify first'),
  ramp: () =>
    new Option('--ramp <stages>', 'send in stages, such as canaries,10,1%')
      .argParser(parseRamp)
      .conflicts('dryRun'),
};

/** Option parser: a duration in seconds or minutes, returned in seconds. */
function parseProbe(text: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,3})(s|m)$/.exec(text) ?? [];
  const seconds = Number(number) * (unit === 'm' ? 60 : 1);
  if (seconds < 5 || seconds > 600)
    throw new InvalidArgumentError('must be between 5s and 10m, in seconds or minutes, such as 30s');
  return seconds;
}

/** Option parser: two times of day, of which the second can be on the next day, and the time zone of both. */
function parseWindow(text: string, context: CommandContext): SendingWindow {
  const [hours = '', ...zones] = text.split('@');
  const zone = zones.length > 0 ? zones.join('@') : undefined;
  const [, ...parts] = /^(\d\d?):([0-5]\d)-(\d\d?):([0-5]\d)$/.exec(hours) ?? [];
  const [hour = 24, minute = 0, lastHour = 0, lastMinute = 0] = parts.map(Number);
  const [from, to] = [hour * 60 + minute, lastHour * 60 + lastMinute];
  if (from >= 1440 || to > 1440)
    throw new InvalidArgumentError('must be FROM-TO in hours and minutes of a day, such as 22:00-05:00');
  if (from === to)
    throw new InvalidArgumentError('would never be open: it must be two times, such as 22:00-05:00');
  return { from, to, zone: parseZone(zone, context) };
}

/** The zone that is given, otherwise the machine's. Nothing is sent at the hours of a zone that somebody misspelt. */
function parseZone(name: string | undefined, context: CommandContext): string {
  const given = name ?? zoneVariable(context.env);
  if (given === undefined || isTimeZone(given)) return name ?? zoneOf(context);
  const whose = name === undefined ? 'TZ' : 'the text after @';
  throw new InvalidArgumentError(
    `names no time zone: ${whose} is ${quoteWord(given)}, and it must be one such as 22:00-05:00@Europe/Berlin`,
  );
}

/** The stages of a ramp. `withCanaries`: the canaries come first. */
export type RampChoice = ReturnType<typeof parseRamp>;

/** Option parser: `canaries`, numbers of rows and percentages, separated by commas. */
function parseRamp(text: string) {
  const names = text.split(',');
  const withCanaries = names[0] === 'canaries';
  const stages = names.slice(withCanaries ? 1 : 0).map((name): RampStage => {
    const isNumber = /^(?!0+(?:\.0+)?%?$)\d+(?:\.\d+)?%?$/.test(name);
    if (!isNumber)
      throw new InvalidArgumentError(
        'must be canaries, numbers of rows and percentages, such as canaries,10,1%,100%',
      );
    return { name, most: parseRowLimit(name) };
  });
  return { withCanaries, stages };
}

/**
 * Reads the canaries from a file or, for `-`, from standard input; `undefined` if no file is given. Throws a `UsageError` if a ramp
 * begins with canaries but none are given.
 */
export async function readCanaryList(context: CommandContext, file: string | undefined, ramp?: RampChoice) {
  if (file === undefined && ramp?.withCanaries)
    throw new UsageError(
      '--ramp canaries requires --canary',
      'Name users whose passwords you know with --canary FILE.',
    );
  if (file === undefined) return undefined;
  const { readCanaries } = await import('../../migration/canaries/read-canaries.ts');
  const name = nameOf(file);
  return { name, list: readCanaries(name, await readText(context, file)) };
}
