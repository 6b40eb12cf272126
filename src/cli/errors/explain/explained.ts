import {
  type Explanation,
  errorExplanations,
  localErrorExplanations,
  tokenErrorExplanations,
} from '../../../contract/error-explanations.ts';
import {
  type ApiErrorName,
  type ErrorEntry,
  errorCatalogue,
  errorsOf,
  localErrors,
  tokenErrors,
  tokenErrorsOf,
} from '../../../contract/errors.ts';
import { type EndpointName, endpoints } from '../../../contract/operations.ts';
import { reasons } from '../../../migration/actions/reasons.ts';
import { hashMistakes } from '../../../migration/hashes/mistakes.ts';
import { issueTable } from '../../../migration/rows/issues/issues.ts';
import { nearestNames } from '../../../text/edit-distance.ts';
import { apiExitCode, type OwnCode, ownErrors } from '../error-table.ts';
import { UsageError } from '../errors.ts';
import { exitCodes, type OwnError } from '../exit-codes.ts';
import { exitExplanations } from './exit-explanations.ts';
import type { Explained } from './explained-document.ts';

export function allExplained(): Explained[] {
  return [
    ...entriesOf(errorCatalogue, (name, entry) => apiEntry('api', name, entry, errorExplanations[name])),
    ...entriesOf(localErrors, (name, entry) => apiEntry('local', name, entry, localErrorExplanations[name])),
    ...entriesOf(tokenErrors, (code, message) => {
      const words = { message, ...tokenErrorExplanations[code] };
      const from = endpointNames.filter((name) => tokenErrorsOf(name).includes(code));
      return entryOf('token', code, words, exitCodes.authentication, from);
    }),
    ...entriesOf<OwnCode, OwnError>(ownErrors, (code, { exit, ...words }) =>
      entryOf('program', code, words, exitCodes[exit]),
    ),
    ...entriesOf(issueTable, (code, words) => entryOf('import', code, words, exitCodes.partlyDone)),
    ...entriesOf(reasons, (code, { kind, text: message, remedy }) => {
      const cause = `Reason of an action of a plan: ${kind}.`;
      const isLeft = kind === 'conflict' || kind === 'cannot';
      return entryOf('plan', code, { message, cause, remedy }, exitCodes[isLeft ? 'partlyDone' : 'done']);
    }).filter(({ code }) => !Object.hasOwn(issueTable, code)),
    ...entriesOf(hashMistakes, (code, { message: mistake, remedy }) => {
      const message = `the password does not match: ${mistake}`;
      const cause = `${mistake.charAt(0).toUpperCase()}${mistake.slice(1)}.`;
      return entryOf('hash', code, { message, cause, remedy }, exitCodes.refused);
    }),
    ...entriesOf(exitCodes, (name, code) => entryOf('exit', String(code), exitExplanations[name], code)),
  ];
}

function entriesOf<Name extends string, Value>(
  table: Readonly<Record<Name, Value>>,
  entry: (name: Name, value: Value) => Explained,
): Explained[] {
  return (Object.entries(table) as [Name, Value][]).map(([name, value]) => entry(name, value));
}

function entryOf(
  group: Explained['group'],
  code: string,
  {
    message,
    cause,
    remedy,
    retryable = false,
  }: Pick<Explained, 'message' | 'cause' | 'remedy'> & { retryable?: boolean },
  exit_code: number,
  from: readonly EndpointName[] = [],
): Explained {
  return { group, code, message, cause, remedy, retryable, operations: [...from], exit_code };
}

function apiEntry(
  group: 'api' | 'local',
  name: ApiErrorName,
  { code, message, on }: ErrorEntry,
  explanation: Explanation,
): Explained {
  // In the order of the specification.
  const from = [
    ...new Set([...on, ...endpointNames.filter((endpoint) => errorsOf(endpoint).includes(name))]),
  ];
  // An error about an unknown path or method belongs to no operation, and can come from any.
  const operations = from.length > 0 ? from : endpointNames;
  return entryOf(group, code, { message, ...explanation }, apiExitCode(code), operations);
}

const endpointNames = Object.keys(endpoints) as EndpointName[];

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
