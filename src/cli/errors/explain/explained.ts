import {
  type Explanation,
  errorExplanations,
  localErrorExplanations,
  tokenErrorExplanations,
} from '../../../contract/error-explanations.ts';
import { type ErrorEntry, type ErrorName, errorCatalogue } from '../../../contract/errors.ts';
import {
  companionErrors,
  type LocalErrorName,
  localErrors,
  type TokenErrorName,
  tokenErrors,
} from '../../../contract/local-errors.ts';
import { companions, type Operation, operations } from '../../../contract/operations.ts';
import { reasons } from '../../../migration/actions/reasons.ts';
import { hashMistakes } from '../../../migration/hashes/mistakes.ts';
import { issueTable } from '../../../migration/rows/issues.ts';
import { apiExitCode, ownErrors } from '../error-table.ts';
import { type ExitName, exitCodes } from '../exit-codes.ts';
import { exitExplanations } from './exit-explanations.ts';

/** A code with all that is known of it, in the words of `explain --json`. */
export interface Explained {
  code: string;
  message: string;
  cause: string;
  remedy: string;
  retryable: boolean;
  /** Operations of the API that answer with it; none where it is not the API's. */
  operations: readonly string[];
  exit_code: number;
}

/** Codes of one origin. */
export type Group = 'api' | 'local' | 'token' | 'program' | 'import' | 'plan' | 'hash' | 'exit';

/** An explained code, its origin, and the name of the error in the catalogue. */
export interface Entry {
  group: Group;
  name?: string;
  explained: Explained;
}

const all: Record<string, Operation> = { ...operations, ...companions };
const everyOperation = Object.keys(all);
const withoutBearer = ['obtainToken', 'logIn', 'updatePassword', 'listKeys', 'discover'];
const behindBearer = everyOperation.filter((name) => !withoutBearer.includes(name));

/** Where an error of tokens does not come from the token call. */
const tokenErrorOperations: Partial<Record<TokenErrorName, readonly string[]>> = {
  invalid_token: behindBearer,
  insufficient_scope: behindBearer.filter((name) => !all[name]?.reads),
};

/** Where faults of shape come from, which no table of operations lists: any operation but for these. */
const ofBodies: readonly string[] = ['bodyTooLarge', 'mediaTypeNotSupported'] satisfies LocalErrorName[];
const withBody = Object.entries({ ...operations, ...companions }).flatMap(([name, { method }]) =>
  method === 'GET' ? [] : [name],
);

/** Every code there is, by origin. */
export function allExplained(): Entry[] {
  return [
    ...entriesOf(errorCatalogue, ([name, entry]) =>
      apiEntry('api', name, entry, errorExplanations[name as ErrorName]),
    ),
    ...entriesOf(localErrors, ([name, entry]) =>
      apiEntry('local', name, entry, localErrorExplanations[name as LocalErrorName]),
    ),
    ...entriesOf(tokenErrors, ([code, message]) => ({
      group: 'token',
      explained: {
        code,
        message,
        ...tokenErrorExplanations[code as TokenErrorName],
        operations: tokenErrorOperations[code as TokenErrorName] ?? ['obtainToken'],
        exit_code: exitCodes.authentication,
      },
    })),
    ...entriesOf(ownErrors, ([code, { exit, ...explanation }]) => ({
      group: 'program',
      explained: { code, ...explanation, operations: [], exit_code: exitCodes[exit] },
    })),
    ...entriesOf(issueTable, ([code, explanation]) => ({
      group: 'import',
      explained: { code, ...explanation, retryable: false, operations: [], exit_code: exitCodes.partlyDone },
    })),
    ...entriesOf(reasons, ([code, { kind, text, remedy }]) => ({
      group: 'plan',
      explained: {
        code,
        message: text,
        cause: `Reason of an action of a plan: ${kind}.`,
        remedy,
        retryable: false,
        operations: [],
        exit_code: kind === 'conflict' || kind === 'cannot' ? exitCodes.partlyDone : exitCodes.done,
      },
    })),
    ...entriesOf(hashMistakes, ([code, { message, remedy }]) => ({
      group: 'hash',
      explained: {
        code,
        message: `the password does not match: ${message}`,
        cause: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
        remedy,
        retryable: false,
        operations: [],
        exit_code: exitCodes.refused,
      },
    })),
    ...entriesOf(exitCodes, ([name, code]) => ({
      group: 'exit',
      explained: {
        code: String(code),
        ...exitExplanations[name as ExitName],
        operations: [],
        exit_code: code,
      },
    })),
  ];
}

function entriesOf<Value>(table: Record<string, Value>, entryOf: (row: [string, Value]) => Entry): Entry[] {
  return Object.entries(table).map(entryOf);
}

function apiEntry(group: 'api' | 'local', name: string, entry: ErrorEntry, explanation: Explanation): Entry {
  const { code, message } = entry;
  const explained = {
    code,
    message,
    ...explanation,
    operations: operationsOf(name, entry),
    exit_code: apiExitCode(code),
  };
  return { group, name, explained };
}

/** The specification's operations, then the companions; a fault of shape may befall any. */
function operationsOf(name: string, { on }: ErrorEntry): string[] {
  const companion = Object.entries(companionErrors).flatMap(([operation, names]) =>
    (names as readonly string[]).includes(name) ? [operation] : [],
  );
  const known = [...on, ...companion];
  if (known.length > 0) return known;
  return ofBodies.includes(name) ? withBody : everyOperation;
}
