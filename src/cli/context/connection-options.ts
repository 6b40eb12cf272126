import { hasPassword, isPostgres } from '../../text/locations/database-location.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from './context.ts';
import { findConfigFile } from './directories.ts';

/** The given options that select the tenant, without values that may be misplaced secrets. */
export function connectionArguments(context: CommandContext): string[] {
  return givenConnection(context).flat();
}

function givenConnection({ options }: CommandContext): string[][] {
  const { profile, baseUrl, local, config } = options;
  const given = { '--profile': profile, '--base-url': baseUrl, '--local': local, '--config': config };
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || (typeof value === 'string' && mayBeSecret(value))) return [];
    return [value === true ? [name] : [name, value]];
  });
}

function mayBeSecret(value: string): boolean {
  return isPostgres(value) ? hasPassword(value) : /^https?:.*[@?#]/is.test(value);
}

/**
 * Matches a command of this program in a text, but not with --help: help is the same for every tenant. Its groups: the first two words
 * of the command, and all its words, which end before a bracket, a punctuation mark or another command.
 */
const named =
  /tenant-users (?![a-z -]*--help)(?=([a-z][a-z-]*(?: [a-z][a-z-]*)?))(?=((?:'[^']*'|"[^"]*"|(?! \(|\)|[,.;:](?: |$)|tenant-users ).)*))/g;

/** Connection options that a command does not need, by how the command begins. */
const needless: readonly [command: RegExp, options: RegExp][] = [
  [/^(?:assess|complete|completion|evidence|explain|hash|help|recipe|schema|serve|template)\b/, /^/],
  [/^(?:import-hashes (?:status|merge)|job purge|log|plan (?:diff|show|sign|verify)|runs)\b/, /^/],
  // These commands name profiles themselves.
  [/^profiles\b/, /^--(?!config)/],
  // These commands are for the local service only.
  [/^(?:apps|audit|keys|sessions|tenant)\b/, /^--base-url/],
];

/** The options that select a tenant: a command accepts one of them. */
const selecting = /--(?:profile|base-url|local)\b/;

/**
 * Adds the connection options to each command of this program in a text, which would otherwise use another tenant. They come before
 * the command, because a word after `--local` would be taken for its database. A command that selects a tenant itself keeps that. An
 * account without a place for a configuration must name one to log in.
 */
export function withConnection(context: CommandContext, text: string): string {
  const given = givenConnection(context);
  const lacksPlace = text.includes('tenant-users login') && findConfigFile(context) === undefined;
  if (!lacksPlace && (given.length === 0 || !text.includes('tenant-users '))) return text;
  const complete = (line: string) =>
    line.replace(named, (program, command: string, words: string) => {
      const ofNoUse = needless.filter(([pattern]) => pattern.test(command)).map(([, options]) => options);
      const all = lacksPlace && command.startsWith('login') ? [...given, ['--config', 'FILE']] : given;
      const missing = all.filter(
        ([name = '']) =>
          !words.includes(name) &&
          !(selecting.test(name) && selecting.test(words)) &&
          !ofNoUse.some((options) => options.test(name)),
      );
      return [program.trimEnd(), ...missing.flat().map(quoteWord), ''].join(' ');
    });
  return text.split('\n').map(complete).join('\n');
}
