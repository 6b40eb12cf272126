import { CommanderError } from '@commander-js/extra-typings';
import { ApiError, AuthenticationError, NetworkError, type NetworkFault } from '../../client/errors.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { explainError } from '../../contract/error-explanations.ts';
import { JobDirectoryError } from '../../migration/model/errors.ts';
import type { JsonIssue } from '../../service/json/issue.ts';
import { apiExitCode, isOwnCode, networkRemedies, type OwnCode, ownErrors } from './error-table.ts';
import { AdvisedError, InterruptedError, systemFaultOf, UsageError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { shownValue } from './unknown-command.ts';

/** What is printed about a failure, for people and for scripts. */
export interface Description {
  exitCode: number;
  code: string;
  message: string;
  /** HTTP status; `null` if there was no answer. */
  status: number | null;
  /** True if the same command may succeed later without a change. */
  retryable: boolean;
  hint: string;
  details?: readonly JsonIssue[];
}

/** Faults that last until somebody changes something. */
const lasting: ReadonlySet<NetworkFault> = new Set(['tls', 'proxy', 'tooLong', 'notTheApi']);

/** Advice for a call with an unknown outcome: repeated, it would create a user without a unique key twice. */
const lookUpFirst = 'The call may have been carried out: check that before you repeat it. ';

/** Translates a failure into an exit code and a message. Done nowhere else in the command line. */
export function describeError(failure: unknown): Description {
  if (failure instanceof ApiError) {
    const isFailing = failure.effect === 'unknown';
    const described = answered(apiExitCode(failure.code), failure, isFailing);
    if (!isFailing || failure.isRepeatable) return described;
    return { ...described, retryable: false, hint: described.hint || lookUpFirst.trimEnd() };
  }
  if (failure instanceof AuthenticationError) {
    const described = answered(exitCodes.authentication, failure, false);
    const general = explainError('invalid_client')?.remedy ?? '';
    return { ...described, hint: failure.hint || described.hint || general };
  }
  if (failure instanceof NetworkError) {
    const { message, status, fault, hint, effect } = failure;
    const isOpen = effect === 'unknown';
    const remedy = `${isOpen ? lookUpFirst : ''}${hint || networkRemedies[fault]}`;
    return {
      ...own('NETWORK', message, remedy),
      status: status ?? null,
      retryable: !isOpen && !lasting.has(fault),
    };
  }
  if (failure instanceof CodedError && isOwnCode(failure.code)) {
    const { code, message, hint } = failure;
    const details = failure instanceof UsageError ? failure.details : undefined;
    const isOpen = failure instanceof InterruptedError && failure.mayHaveChanged;
    const isInUse = failure instanceof JobDirectoryError && failure.isInUse;
    const retryable = isInUse || (!isOpen && 'retryable' in ownErrors[code]);
    return { ...own(code, message, hint), retryable, ...(details ? { details } : {}) };
  }
  if (failure instanceof AdvisedError) {
    const described = describeError(failure.cause);
    return { ...described, hint: failure.advice, retryable: failure.retryable ?? described.retryable };
  }
  if (failure instanceof CommanderError) {
    const { message, hint } = usageWords(withoutSecrets(failure.message));
    return own('USAGE', message, hint);
  }
  const fault = systemFaultOf(failure);
  if (fault) {
    return own('CONFIGURATION', `${fault.path ?? 'a file'} cannot be used: ${fault.reason}`, fault.remedy);
  }
  return own('UNEXPECTED', failure instanceof Error ? failure.message : String(failure));
}

/** Describes an error of the API. Codes that are not in the tables have no hint. */
function answered(
  exitCode: number,
  { code, message, status }: ApiError | AuthenticationError,
  isFailing: boolean,
): Description {
  const known = explainError(code);
  const retryable = known?.retryable ?? isFailing;
  return { exitCode, code, message, status, retryable, hint: known?.remedy ?? '' };
}

/** Describes a failure with a code of this program. Without a hint of its own, it gets the remedy of its code. */
function own(code: OwnCode, message: string, hint = ''): Description {
  const { exit, remedy } = ownErrors[code];
  return { exitCode: exitCodes[exit], code, message, status: null, retryable: false, hint: hint || remedy };
}

/** Removes a value that may be a misplaced secret from commander's message about an invalid argument. */
function withoutSecrets(message: string): string {
  const text = message.replace(/^error: /, '');
  // A value may contain quotes and line breaks: it ends only before the suggestion at the end.
  const [, before, value = '', after = ''] =
    /^(unknown option '|option '[^']*' argument '|command-argument value ')(.*)('(?: is invalid.*|\n\(Did you mean .*\))?)$/s.exec(
      text,
    ) ?? [];
  if (before === undefined) return text;
  return `${before}${before.endsWith("option '") ? shownOption(value) : shownValue(value)}${after}`;
}

/** An unknown option without its value: `--name=…`, and `-n…` for `-nvalue`. */
function shownOption(option: string): string {
  const [, name, value] = /^(--[\w.-]*|-\w?)(.*)$/s.exec(option) ?? [];
  if (name === undefined) return shownValue(option);
  if (value) return value.startsWith('=') ? `${name}=…` : `${name}…`;
  return shownValue(name.replace(/^-+/, '')) === '…' ? '…' : name;
}

type Words = Pick<Description, 'message' | 'hint'>;

const help = 'Add --help to see how it is used.';

/** Patterns of commander's messages, and how we word each of them. */
const rewordings: [RegExp, (...parts: string[]) => Words][] = [
  [
    /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s,
    (value, name, rule) => invalid(name, value, rule),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s,
    (flag, value, rule) => invalid(flag, value, rule),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)([^']*)' argument missing$/,
    (flag, value) => ({ message: `${flag} requires a value`, hint: `Write: ${flag}${value}` }),
  ],
  [
    /^(too many arguments for 'status')\. Expected 0 .*$/,
    (message) => ({
      message: message ?? '',
      hint: 'Of an import, see: tenant-users import-hashes status --help',
    }),
  ],
  [
    /^(too many arguments for .*)\. (Expected .*)$/,
    (message, expected) => ({
      message: message ?? '',
      hint: `${expected} Put quotes around a value with spaces.`,
    }),
  ],
  [
    /^(unknown .*)\n\((Did you mean .*)\)$/,
    (message, suggestion) => ({ message: message ?? '', hint: suggestion ?? help }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' cannot be used with option '(?:-\w, )?(--[\w-]+)[^']*'$/,
    (one, other) => ({
      message: `${one} and ${other} cannot be used together`,
      hint: 'Use only one of them.',
    }),
  ],
  [/^unknown option/, (message) => ({ message: message ?? '', hint: 'Add --help to see the options.' })],
  [/^\(outputHelp\)$/, () => ({ message: 'no command given', hint: 'Add --help to see the commands.' })],
];

/** Describes an invalid value. Commander words its rule for choices differently from our option parsers' `must be …`. */
function invalid(name = '', value = '', rule = ''): Words {
  const must = rule.replace(/^Allowed choices are (.*)\.$/, 'must be one of $1');
  return { message: `invalid ${name} ${JSON.stringify(value)}: ${must}`, hint: help };
}

/** Rewords commander's message about a command line, given without its `error: `. */
function usageWords(text: string): Words {
  for (const [pattern, words] of rewordings) {
    const match = pattern.exec(text);
    if (match) return match.length > 1 ? words(...match.slice(1)) : words(text);
  }
  return { message: text, hint: help };
}
