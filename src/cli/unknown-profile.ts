import { nearest } from '../contract/nearest.ts';
import { ConfigurationError } from './failures.ts';

/** There is no profile of that name: names those there are, and the one that was probably meant. */
export function unknownProfile(name: string, known: readonly string[], namedBy = ''): ConfigurationError {
  const meant = nearest(name, known);
  const hints = [
    ...(meant === undefined ? [] : [`Did you mean ${JSON.stringify(meant)}?`]),
    ...(known.length === 0 ? [] : [`Known are: ${known.map((one) => JSON.stringify(one)).join(', ')}.`]),
    `Make it with: tenant-users login --profile ${shellWord(name)}`,
  ];
  const named = namedBy && ` (named by ${namedBy})`;
  return new ConfigurationError(`there is no profile ${JSON.stringify(name)}${named}`, hints.join('\n'));
}

/** What may be pasted into a POSIX shell as one word. */
function shellWord(text: string): string {
  return /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
