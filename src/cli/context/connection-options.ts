import { hasPassword, isPostgres } from '../../text/database-location.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from './context.ts';

/** The given options that say which tenant, without what may be a secret in the wrong place. */
export function connectionArguments(context: CommandContext): string[] {
  return givenConnection(context).flat();
}

/** The same, quoted for a shell: they stand at the end of a command that is proposed. */
export function connectionWords(context: CommandContext): string[] {
  return connectionArguments(context).map(quoteWord);
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

/** A command of ours in a text, up to its second word; the help of a command is that of every tenant. */
const named = /tenant-users (?![a-z -]*--help)(?=([a-z][a-z-]*(?: [a-z][a-z-]*)?))/g;

/** Which options a command has no use for, by how it begins. */
const needless: readonly [command: RegExp, options: RegExp][] = [
  [/^(?:assess|complete|completion|evidence|explain|hash|help|job|recipe|schema|serve|template)\b/, /^/],
  [/^(?:import-hashes (?:status|merge)|log|plan (?:diff|show|sign|verify)|runs)\b/, /^/],
  // They name profiles themselves.
  [/^profiles\b/, /^--(?!config)/],
  // They are for the local service only.
  [/^(?:apps|audit|keys|sessions|tenant)\b/, /^--base-url/],
];

/**
 * A text with the options of the connection in each command of ours that it names: without them the command would ask another
 * tenant. They stand before the command, since a word after `--local` would be its database; what a line has stays as it is.
 */
export function withConnection(context: CommandContext, text: string): string {
  const given = givenConnection(context);
  if (given.length === 0 || !text.includes('tenant-users ')) return text;
  const complete = (line: string) =>
    line.replace(named, (program, command: string) => {
      const ofNoUse = needless.filter(([pattern]) => pattern.test(command)).map(([, options]) => options);
      const missing = given.filter(
        ([name = '']) => !line.includes(name) && !ofNoUse.some((options) => options.test(name)),
      );
      return [program.trimEnd(), ...missing.flat().map(quoteWord), ''].join(' ');
    });
  return text.split('\n').map(complete).join('\n');
}
