import { hashMistakes, type MistakeCode } from '../../../migration/hashes/mistakes.ts';
import { nearestNames } from '../../../text/edit-distance.ts';
import { UsageError } from '../errors.ts';
import { allExplained, type Entry } from './explained.ts';

const mostNamed = 5;

/**
 * Finds a code, ignoring case, by its whole text, its last parts (`USER.0034`), the error's name (`userNameTaken`), the
 * number of an exit code (`7`, `exit 7`), or several hash mistakes joined by a plus. Throws a `UsageError` if there is
 * none, which names the nearest codes, or if several codes have these last parts.
 */
function findExplained(words: readonly string[]): Entry {
  const given = words.join(' ').trim();
  const wanted = given.toLowerCase().replace(/^exit(?: code)?\s+(?=\d+$)/, '');
  const entries = allExplained();
  const whole = entries.find((entry) => keysOf(entry).whole.includes(wanted)) ?? joined(wanted, entries);
  if (whole) return whole;
  const ending = entries.filter((entry) => keysOf(entry).endings.includes(wanted));
  const [only, ...others] = ending;
  if (only && others.length === 0) return only;
  if (only) {
    throw new UsageError(
      `several codes end in ${JSON.stringify(given)}`,
      `Use one of: ${ending.map(({ explained }) => explained.code).join(', ')}.`,
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

/** Finds the one code that all words together name, such as `exit 7`, or else one code for each word. */
export function findEveryExplained(words: readonly string[]): Entry[] {
  if (words.length === 1 || /^exit$/i.test(words[0] ?? '')) return [findExplained(words)];
  return words.map((word) => findExplained([word]));
}

/** Combines several hash mistakes that are joined by a plus, as `hash verify` prints them. */
function joined(wanted: string, entries: readonly Entry[]): Entry | undefined {
  const parts = wanted.split('+').map((part) => part.trim());
  const found = parts.flatMap(
    (part) => entries.find((entry) => entry.group === 'hash' && keysOf(entry).whole.includes(part)) ?? [],
  );
  const [first] = found;
  if (!first || found.length < 2 || found.length < parts.length) return undefined;
  const all = found.map(({ explained }) => explained);
  const messages = all.map(({ code }) => hashMistakes[code as MistakeCode].message);
  return {
    ...first,
    explained: {
      ...first.explained,
      code: all.map(({ code }) => code).join('+'),
      message: `the password does not match: ${messages.join('; and ')}`,
      cause: all.map(({ cause }) => cause).join(' '),
      remedy: [...new Set(all.map(({ remedy }) => remedy))].join(' '),
    },
  };
}

function keysOf({ name, explained }: Entry): { whole: string[]; endings: string[] } {
  const code = explained.code.toLowerCase();
  const parts = code.split('.');
  const endings = parts.slice(1).map((_, at) => parts.slice(at + 1).join('.'));
  return { whole: name === undefined ? [code] : [code, name.toLowerCase()], endings };
}

function nearCodes(wanted: string, entries: readonly Entry[]): string[] {
  const codeOf = new Map<string, string>();
  for (const entry of entries) {
    const { whole, endings } = keysOf(entry);
    // A number alone is similar to every other number.
    for (const key of [...whole, ...endings.filter((ending) => ending.includes('.'))]) {
      codeOf.set(key, entry.explained.code);
    }
  }
  const codes = nearestNames(wanted, codeOf.keys()).map((key) => codeOf.get(key) ?? key);
  return [...new Set(codes)].slice(0, mostNamed);
}
