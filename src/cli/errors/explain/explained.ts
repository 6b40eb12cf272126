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
import { issueTable } from '../../../migration/rows/issues.ts';
import { apiExitCode, type OwnCode, ownErrors } from '../error-table.ts';
import { exitCodes, type OwnError } from '../exit-codes.ts';
import { exitExplanations } from './exit-explanations.ts';
import type { Explained } from './explained-document.ts';

/** All codes, grouped by origin. */
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
