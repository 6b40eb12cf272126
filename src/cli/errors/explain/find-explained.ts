import { errorCatalogue, localErrors } from '../../../contract/errors.ts';
import { nearestNames } from '../../../text/edit-distance.ts';
import { UsageError } from '../errors.ts';
import { allExplained } from './explained.ts';
import type { Explained } from './explained-document.ts';

const mostNamed = 5;

/**
 * Finds a code, ignoring case, by its whole text, its last parts (`USER.0034`), the error's name (`userNameTaken`), the
 * number of an exit code (`7`, `exit 7`). Throws a `UsageError` if there is none, which names the nearest codes, or if
 * several codes have these last parts.
 */
function findExplained(text: string): Explained {
  const given = text.trim();
  const wanted = given.toLowerCase().replace(/^exit(?: code)?\s+(?=\d+$)/, '');
  const entries = allExplained();
  const whole = entries.find((entry) => keysOf(entry).whole.includes(wanted));
  if (whole) return whole;
  const ending = entries.filter((entry) => keysOf(entry).endings.includes(wanted));
  const [only, ...others] = ending;
  if (only && others.length === 0) return only;
  if (only) {
    throw new UsageError(
      `several codes end in ${JSON.stringify(given)}`,
      `Use one of: ${ending.map(({ code }) => code).join(', ')}.`,
    );
  }
  const near = nearCodes(wanted, entries);
  throw new UsageError(
    `unknown code ${JSON.stringify(given)}`,
    near.length > 0
      ? `Did you mean ${near.join(', ')}? tenant-users explain lists all codes.`
      : 'To list all codes, run: tenant-users explain',
  );
}

/**
 * Finds the exit code that all words together name, such as `exit 7`, or else one code for each word, and for each part of a
 * word with a plus, as `hash verify` prints two hash mistakes.
 */
export function findEveryExplained(words: readonly string[]): Explained[] {
  if (/^exit\b/i.test(words[0] ?? '')) return [findExplained(words.join(' '))];
  return words.flatMap((word) => word.split('+')).map(findExplained);
}

/** Names of the errors of the API, by code. */
const nameOf = new Map(
  Object.entries({ ...errorCatalogue, ...localErrors }).map(([name, { code }]) => [code, name.toLowerCase()]),
);

function keysOf({ code: shown }: Explained): { whole: string[]; endings: string[] } {
  const code = shown.toLowerCase();
  const parts = code.split('.');
  const endings = parts.slice(1).map((_, at) => parts.slice(at + 1).join('.'));
  return { whole: [code, nameOf.get(shown) ?? code], endings };
}

function nearCodes(wanted: string, entries: readonly Explained[]): string[] {
  const codeOf = new Map<string, string>();
  for (const entry of entries) {
    const { whole, endings } = keysOf(entry);
    // A number alone is similar to every other number.
    for (const key of [...whole, ...endings.filter((ending) => ending.includes('.'))]) {
      codeOf.set(key, entry.code);
    }
  }
  const codes = nearestNames(wanted, codeOf.keys()).map((key) => codeOf.get(key) ?? key);
  return [...new Set(codes)].slice(0, mostNamed);
}
